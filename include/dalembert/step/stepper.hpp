#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "dalembert/step/kernel.hpp"
#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// The state of one trajectory between steps, in any number type.
template <class Number = double>
struct BasicPoint {
  Number t = Number(0.0);
  std::vector<Number> q, v;           ///< angles in q lie in [-pi, pi]
  std::vector<Number> lambda, extra;  ///< what the method carries or reports; see StepProgram
  std::vector<Number> turns;  ///< whole turns of each coordinate, to be added as 2 pi * turns
  std::vector<Number> q_carry, v_carry;  ///< carries of compensated sums
};
using Point = BasicPoint<double>;

/// How one step or several went.
using StepReport = AdvanceReport;

/// Takes steps of one trajectory. Owns its workspace: one stepper per thread, any number per
/// program. After construction nothing allocates and nothing throws; a step that the numbers refuse
/// returns a report that says why and leaves the state as it was.
template <class Number = double>
class BasicStepper {
 public:
  /// Parameters are those of the system's description unless given.
  explicit BasicStepper(std::shared_ptr<const StepProgram> program, Number h,
                        std::span<const double> parameters = {})
      : program_(std::move(program)),
        slots_(program_->slot_count(), Number(0.0)),
        workspace_(program_->workspace_size()) {
    for (const auto& [slot, value] : program_->tape().constants)
      slots_[slot] = value.template as<Number>();
    const std::vector<double> defaults = program_->system().default_parameters();
    set_parameters(parameters.empty() ? std::span<const double>(defaults) : parameters);
    set_step(h);
  }

  const StepProgram& program() const { return *program_; }

  /// New parameters, in the order of the system's description; std::invalid_argument if their
  /// number is wrong.
  void set_parameters(std::span<const double> parameters) {
    if (parameters.size() != program_->parameter_slots().size()) {
      throw std::invalid_argument("system \"" + program_->system().name() + "\" has " +
                                  std::to_string(program_->parameter_slots().size()) +
                                  " parameters, not " + std::to_string(parameters.size()));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i)
      slots_[program_->parameter_slots()[i]] = Number(parameters[i]);
    ready_ = false;
  }
  void set_step(Number h) {
    slots_[program_->step_size_slot()] = h;
    ready_ = false;
  }

  /// A point at the given position and velocity, with room for what the method carries (zero).
  BasicPoint<Number> make_point(std::span<const double> q, std::span<const double> v) const {
    BasicPoint<Number> point;
    point.q.assign(q.begin(), q.end());
    point.v.assign(v.begin(), v.end());
    point.lambda.assign(program_->lambda_count(), Number(0.0));
    point.extra.assign(program_->extra_count(), Number(0.0));
    point.turns.assign(q.size(), Number(0.0));
    point.q_carry.assign(q.size(), Number(0.0));
    point.v_carry.assign(v.size(), Number(0.0));
    return point;
  }

  /// One step from point.t on.
  [[nodiscard]] StepReport step(BasicPoint<Number>& point) { return advance(point, point.t, 0, 1); }

  /// `steps` steps, where step number k (counted from `first`) starts at start + k h; point.t
  /// becomes start + (first + taken) h.
  [[nodiscard]] StepReport advance(BasicPoint<Number>& point, Number start, std::uint64_t first,
                                   std::uint64_t steps) {
    const StepView view = program_->view();
    if (!ready_) {
      dalembert::set_up<Number, 1>(view, slots_.data(), workspace_.data());
      ready_ = true;
    }
    load(point);
    slots_[view.start_time] = start;
    StepReport report;
    dalembert::advance<Number, 1>(view, slots_.data(), workspace_.data(), first, steps, &report);
    store(point);
    point.t = start + Number(static_cast<double>(first + report.steps)) * slots_[view.step_size];
    return report;
  }

 private:
  template <class Visit>
  void visit_state(BasicPoint<Number>& point, Visit visit) {
    const std::vector<StateEntry>& entries = program_->entries();
    const std::size_t n = point.q.size();
    const auto each = [&](std::size_t offset, std::vector<Number>& values,
                          std::vector<Number>* carry) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const StateEntry& entry = entries[offset + i];
        visit(entry.input, values[i]);
        if (entry.turns != StateEntry::none) visit(entry.turns, point.turns[i]);
        if (entry.carry != StateEntry::none) visit(entry.carry, (*carry)[i]);
      }
    };
    each(0, point.q, &point.q_carry);
    each(n, point.v, &point.v_carry);
    each(2 * n, point.lambda, nullptr);
    each(2 * n + point.lambda.size(), point.extra, nullptr);
  }
  void load(BasicPoint<Number>& point) {
    visit_state(point, [this](std::uint32_t slot, Number& value) { slots_[slot] = value; });
  }
  void store(BasicPoint<Number>& point) {
    visit_state(point, [this](std::uint32_t slot, Number& value) { value = slots_[slot]; });
  }

  std::shared_ptr<const StepProgram> program_;
  std::vector<Number> slots_, workspace_;
  bool ready_ = false;
};

using Stepper = BasicStepper<double>;

}  // namespace dalembert
