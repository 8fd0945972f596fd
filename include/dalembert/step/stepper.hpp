#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "dalembert/step/kernel.hpp"
#include "dalembert/step/point.hpp"

namespace dalembert {

/// How one step or several went.
using StepReport = AdvanceReport;

/// The kernel on doubles, as the library was compiled: a user's compiler options cannot change its
/// bits.
void set_up_number(const StepView& view, double* slots, double* workspace);
void advance_number(const StepView& view, double* slots, double* workspace, std::uint64_t first,
                    std::uint64_t steps, AdvanceReport& report);

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

  /// New parameters, in the order of the system's description; RequestError if their
  /// number is wrong.
  void set_parameters(std::span<const double> parameters) {
    check_parameters(*program_, parameters);
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
    return dalembert::make_point<Number>(*program_, q, v);
  }

  /// One step from point.t on.
  [[nodiscard]] StepReport step(BasicPoint<Number>& point) { return advance(point, point.t, 0, 1); }

  /// `steps` steps, where step number k (counted from `first`) starts at start + k h; point.t
  /// becomes start + (first + taken) h.
  [[nodiscard]] StepReport advance(BasicPoint<Number>& point, Number start, std::uint64_t first,
                                   std::uint64_t steps) {
    const StepView view = program_->view();
    if (!ready_) set_up(view);
    ready_ = true;
    visit_state(*program_, point,
                [this](std::uint32_t slot, const Number& value) { slots_[slot] = value; });
    slots_[view.start_time] = start;
    StepReport report;
    run(view, first, steps, report);
    visit_state(*program_, point,
                [this](std::uint32_t slot, Number& value) { value = slots_[slot]; });
    point.t = start + Number(static_cast<double>(first + report.steps)) * slots_[view.step_size];
    return report;
  }

 private:
  void set_up(const StepView& view) {
    if constexpr (std::is_same_v<Number, double>) {
      set_up_number(view, slots_.data(), workspace_.data());
    } else {
      dalembert::set_up<Number, 1>(view, slots_.data(), workspace_.data());
    }
  }
  void run(const StepView& view, std::uint64_t first, std::uint64_t steps, StepReport& report) {
    if constexpr (std::is_same_v<Number, double>) {
      advance_number(view, slots_.data(), workspace_.data(), first, steps, report);
    } else {
      dalembert::advance<Number, 1>(view, slots_.data(), workspace_.data(), first, steps, &report);
    }
  }

  std::shared_ptr<const StepProgram> program_;
  std::vector<Number> slots_, workspace_;
  bool ready_ = false;
};

using Stepper = BasicStepper<double>;

}  // namespace dalembert
