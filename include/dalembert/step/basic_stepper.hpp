#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dalembert/step/detail/step_loop.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// A `Stepper` in any number type whose functions are found by argument-dependent lookup; its code
/// is compiled by whoever uses it.
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

  const StepProgram& program() const { return *program_; }  ///< compiled method

  /// New parameters, in the order of the system's description; RequestError if their number is
  /// wrong.
  void set_parameters(std::span<const double> parameters) {
    check_parameters(*program_, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      slots_[program_->parameter_slots()[i]] = Number(parameters[i]);
    ready_ = false;
  }
  /// Step size h.
  const Number& step_size() const { return slots_[program_->step_size_slot()]; }
  /// Step size of the steps from now on.
  void set_step(Number h) {
    slots_[program_->step_size_slot()] = h;
    ready_ = false;
  }

  /// See Stepper::make_point.
  BasicPoint<Number> make_point(std::span<const double> q, std::span<const double> v) const {
    return dalembert::make_point<Number>(*program_, q, v);
  }

  /// One step from point.t on.
  [[nodiscard]] StepReport step(BasicPoint<Number>& point) { return advance(point, point.t, 0, 1); }

  /// See Stepper::advance.
  [[nodiscard]] StepReport advance(BasicPoint<Number>& point, Number start, std::uint64_t first,
                                   std::uint64_t steps) {
    const StepView view = program_->view();
    if (!ready_) set_up_steps<Number, 1>(view, slots_.data(), workspace_.data());
    ready_ = true;
    visit_state(*program_, point,
                [this](std::uint32_t slot, const Number& value) { slots_[slot] = value; });
    slots_[view.start_time] = start;
    StepReport report;
    take_steps<Number, 1>(view, slots_.data(), workspace_.data(), first, steps, &report);
    visit_state(*program_, point,
                [this](std::uint32_t slot, Number& value) { value = slots_[slot]; });
    point.t = start + Number(static_cast<double>(first + report.steps)) * slots_[view.step_size];
    return report;
  }

 private:
  std::shared_ptr<const StepProgram> program_;
  std::vector<Number> slots_, workspace_;
  bool ready_ = false;
};

/// On double the library's own code, whatever the options of the file that uses it.
template <>
class BasicStepper<double> : public Stepper {
 public:
  using Stepper::Stepper;
};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
