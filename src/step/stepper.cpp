#include "dalembert/step/stepper.hpp"

#include <string>

#include "dalembert/error.hpp"

namespace dalembert {

Stepper::Stepper(std::shared_ptr<const StepProgram> program, double h,
                 std::span<const double> parameters)
    : program_(std::move(program)),
      kernel_(&program_->kernel()),
      slots_(program_->slot_count(), 0.0),
      workspace_(program_->workspace_size()) {
  for (const auto& [slot, value] : program_->tape().constants) slots_[slot] = value.as<double>();
  const std::vector<double> defaults = program_->system().default_parameters();
  set_parameters(parameters.empty() ? std::span<const double>(defaults) : parameters);
  set_step(h);
}

void Stepper::set_parameters(std::span<const double> parameters) {
  check_parameters(*program_, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    slots_[program_->parameter_slots()[i]] = parameters[i];
  ready_ = false;
}

double Stepper::step_size() const { return slots_[program_->step_size_slot()]; }

void Stepper::set_step(double h) {
  slots_[program_->step_size_slot()] = h;
  ready_ = false;
}

void Stepper::set_kernel(const Kernel& kernel) {
  if (kernel.members != 1) {
    throw RequestError("a stepper needs a kernel of 1 member, not of " +
                       std::to_string(kernel.members));
  }
  kernel_ = &kernel;
}

Point Stepper::make_point(std::span<const double> q, std::span<const double> v) const {
  return dalembert::make_point(*program_, q, v);
}

StepReport Stepper::advance(Point& point, double start, std::uint64_t first, std::uint64_t steps) {
  const StepView view = program_->view();
  if (!ready_) kernel_->set_up(view, slots_.data(), workspace_.data());
  ready_ = true;
  visit_state(*program_, point, [this](std::uint32_t slot, double value) { slots_[slot] = value; });
  slots_[view.start_time] = start;
  StepReport report;
  kernel_->advance(view, slots_.data(), workspace_.data(), first, steps, &report);
  visit_state(*program_, point,
              [this](std::uint32_t slot, double& value) { value = slots_[slot]; });
  point.t = start + static_cast<double>(first + report.steps) * slots_[view.step_size];
  return report;
}

}  // namespace dalembert
