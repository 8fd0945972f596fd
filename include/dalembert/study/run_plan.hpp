#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/watch/contact_watch.hpp"
#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/run/record_times.hpp"
#include "dalembert/study/choice/error_check.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/study_file.hpp"
#include "dalembert/study/sweep/swept_key.hpp"

namespace dalembert::study {

/// Columns of a record: t, q, v, lambda, energy, constraint, integrals, quantities of the study,
/// gaps and normal forces of contacts, in this order.
struct RecordColumns {
  std::size_t q_count = 0,  ///< stored numbers: on groups more than there are velocities
      velocity_count = 0,   ///< none in skew-gradient form
      lambda_count = 0;     ///< constraints
  std::vector<std::string>
      names;  ///< of all columns: t, x, x_dot, lambda_1 or its name, energy, constraint, …

  std::vector<std::string> units = {};  ///< of the first columns; "" where unknown
  std::size_t contact_count = 0;        ///< gaps and normal forces: the last columns

  /// The unit of a column, "" where unknown.
  std::string unit(std::size_t column) const;
  /// "x (m)", where the unit is known and not that all is nondimensional.
  std::string name_with_unit(std::size_t column) const;
  /// "time t (s)", where its unit is known.
  std::string time_label() const;
  /// The name of the column that is meant: a multiplier with a name is known as lambda_1, too.
  std::string own_name(const std::string& name) const;
  std::size_t width() const { return names.size(); }  ///< number of columns
  /// Names of t, q and v, of which a crossing of a section consists.
  std::span<const std::string> motion_names() const {
    return std::span(names).first(lambda_begin());
  }
  std::size_t q_begin() const { return 1; }                                ///< first column of q
  std::size_t v_begin() const { return 1 + q_count; }                      ///< first column of v
  std::size_t lambda_begin() const { return v_begin() + velocity_count; }  ///< first of lambda
  std::size_t energy() const { return lambda_begin() + lambda_count; }     ///< column of the energy
  std::size_t constraint() const { return energy() + 1; }       ///< column of the largest |Phi_i|
  std::size_t integrals_begin() const { return energy() + 2; }  ///< first of integrals, quantities
  std::size_t contacts_begin() const { return width() - contact_count; }  ///< the first of contacts
  /// The number of integrals and quantities.
  std::size_t integral_count() const { return contacts_begin() - integrals_begin(); }
  /// Names of integrals and quantities.
  std::span<const std::string> integral_names() const {
    return std::span(names).subspan(integrals_begin(), integral_count());
  }
};

struct ControlPlan;

/// One run of a study, with everything decided.
struct RunPlan {
  std::size_t index = 0;  ///< among the plans of the study, from 0
  std::string label;  ///< swept values, start, varied parameters and step: what distinguishes it
                      ///< from the other runs beside its method
  std::string start;  ///< name of the start, or ""
  Sizes sizes;        ///< of the system
  System system;      ///< of the problem, with these sizes; without constraints that follow from
                      ///< others
  std::vector<double> parameters;               ///< in the order of the system's description
  MethodChoice method;                          ///< with its options as the run uses them
  double step = 0.0;                            ///< step size h, in the unit of time of the problem
  std::uint64_t steps = 0, record_every = 1;    ///< steps of this size; steps between records
  std::vector<double> q, v;                     ///< the start, on the constraints
  std::optional<std::vector<double>> lambda;    ///< multipliers of the start, if it has them
  std::shared_ptr<const StepProgram> program;   ///< the method compiled for the system
  RecordColumns columns;                        ///< of its records
  std::vector<QuantityChoice> quantities = {};  ///< columns behind those of the integrals
  std::vector<ReportChoice> reports = {};       ///< on columns of the records
  std::vector<SectionChoice> sections = {};     ///< of the motion
  std::vector<Event> events = {};               ///< of the problem and of the study
  RecordTimes record_times = {};                ///< if records stand at times of their own
  NativeUse native = NativeUse::off;            ///< use of compiled steps
  ContactWatch contacts = {};                   ///< watch before the first state
  bool strict = false;                          ///< true if the end of a contact is that of the run
  std::vector<std::size_t> place = {};          ///< along each of study_axes
  std::vector<SweptValue> swept = {};           ///< of each swept key
  std::optional<double> until = {};             ///< as asked for
  /// Size of a further step, shorter than the others, that ends at `until`; 0 if they end there.
  /// What it leads to is shown, and a run that is continued later goes on from before it.
  double last_step = 0.0;
  std::optional<ErrorCheck> check = {};  ///< estimate of the error, where a tolerance is asked for
  std::shared_ptr<const ControlPlan> control = {};  ///< the table [control], if any
  /// Constraints that follow from others, which `system` leaves out; null where there are none.
  std::shared_ptr<const Redundancy> redundancy = {};

  /// System with all constraints of the problem, whose multipliers the columns are.
  const System& stated_system() const { return redundancy ? redundancy->all() : system; }
  /// True if an event changes the state, and with it what the motion alone would keep.
  bool has_acting_events() const {
    return std::ranges::any_of(events, [](const Event& event) { return event.acts(); });
  }
  /// True where steps depend on a multiplier from the step before that is meant to be that of the
  /// motion.
  bool carries_multiplier() const {
    const Facts& facts = program->method().facts();
    return facts.carries_multiplier && facts.multiplier_order > 0 && program->lambda_count() > 0 &&
           system.nonholonomic_count() > 0;
  }
  /// True if something is left to be done after this many steps, with a last state at time t.
  bool goes_on_from(std::uint64_t steps_done, double t) const {
    return steps_done < steps || (last_step > 0.0 && t < end());
  }
  /// True if records between nodes are interpolated, because the method carries data of steps of
  /// one size. The others take a step of another size from the node before.
  bool interpolates_records() const { return program->carried_count() > 0; }
  /// The number of records up to the state after so many steps, without that of an end between two.
  std::uint64_t regular_records(std::uint64_t steps_done) const {
    return record_times.are_given() ? record_times.count(steps_done, step)
                                    : steps_done / record_every + 1;
  }
  /// True if an ensemble records its last node, where that is none of them: not where records stand
  /// at times of their own and a shorter step follows.
  bool records_last_node() const { return !record_times.are_given() || last_step == 0.0; }
  /// The number of records of an ensemble up to its last node.
  std::uint64_t records_at_end() const {
    return regular_records(steps) + (records_last_node() && !records_node(steps) ? 1 : 0);
  }
  /// True if the state after so many steps is one of them.
  bool records_node(std::uint64_t steps_done) const {
    return record_times.are_given() ? record_times.has_node(steps_done, step)
                                    : steps_done % record_every == 0;
  }
  /// The time of one of them.
  double record_time(std::uint64_t record) const {
    return record_times.are_given() ? record_times.time(record, step)
                                    : static_cast<double>(record * record_every) * step;
  }
  /// The final time.
  double end() const { return last_step > 0.0 ? *until : static_cast<double>(steps) * step; }
};

/// The columns of a system's records, without quantities of a study.
RecordColumns record_columns(const System& system);

/// True if a run of the study is meant to keep its energy: as the problem says, or else where
/// neither time nor a force changes it.
bool is_energy_meant_to_stay(const Study& study, const RunPlan& plan);

}  // namespace dalembert::study
