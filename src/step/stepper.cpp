#include "dalembert/step/stepper.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "dalembert/error.hpp"
#include "step/detail/same_bits.hpp"

namespace dalembert {
namespace {

/// How often a stepper looks for a kernel that is not ready.
constexpr std::uint64_t steps_between_looks = 1024;

constexpr Stepper::Range all_finite{std::numeric_limits<double>::lowest(),
                                    std::numeric_limits<double>::max()};

/// A later part of an advance.
void add(const StepReport& part, StepReport& all) {
  all.status = part.status;
  all.steps += part.steps;
  all.iterations += part.iterations;
  all.residual = part.residual;
}

}  // namespace

Stepper::Stepper(std::shared_ptr<const StepProgram> program, double h,
                 std::span<const double> parameters)
    : program_(std::move(program)),
      kernel_(&program_->kernel()),
      slots_(program_->slot_count(), 0.0),
      workspace_(program_->workspace_size()),
      tolerance_(program_->method().tolerance()) {
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
  is_waiting_ = has_switched_ = false;
}

void Stepper::switch_when_ready(std::shared_ptr<const LaterKernel> later) {
  later_ = std::move(later);
  is_waiting_ = later_ != nullptr;
  // Nothing allocates later on.
  for (std::vector<double>& slots : trial_) slots.assign(is_waiting_ ? slots_.size() : 0, 0.0);
}

Point Stepper::make_point(std::span<const double> q, std::span<const double> v) const {
  return dalembert::make_point(*program_, q, v);
}

void Stepper::watch(bool on) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  slots_[program_->is_watching_slot()] = on ? 1.0 : 0.0;
  for (const WatchedEntry& entry : program_->watched()) {
    slots_[entry.lowest] = infinity;
    slots_[entry.highest] = -infinity;
  }
  for (std::size_t i = 0; i < program_->watched().size(); ++i) set_bounds(i, all_finite);
}

bool Stepper::is_watching() const { return slots_[program_->is_watching_slot()] == 1.0; }

void Stepper::set_bounds(std::size_t quantity, const Range& bounds) {
  const WatchedEntry& entry = program_->watched()[quantity];
  slots_[entry.lower] = bounds.lowest;
  slots_[entry.upper] = bounds.highest;
}

Stepper::Range Stepper::range(std::size_t quantity) const {
  const WatchedEntry& entry = program_->watched()[quantity];
  return {slots_[entry.lowest], slots_[entry.highest]};
}

StepReport Stepper::advance(Point& point, double start, std::uint64_t first, std::uint64_t steps) {
  if (!is_waiting_) return advance_watching(point, start, first, steps);
  StepReport all;
  for (bool proceed = true; proceed;) {
    const std::uint64_t done = first + all.steps, left = steps - all.steps;
    try_to_switch(point, start, done);
    const std::uint64_t next = is_waiting_ ? std::min(left, steps_between_looks) : left;
    const StepReport part = all.steps == 0 ? advance_watching(point, start, done, next)
                                           : advance_now(point, start, done, next);
    add(part, all);
    proceed = part.status == StepStatus::ok && part.steps == next && all.steps < steps;
  }
  return all;
}

/// The state with which it begins may be out of bounds.
StepReport Stepper::advance_watching(Point& point, double start, std::uint64_t first,
                                     std::uint64_t steps) {
  StepReport all = advance_now(point, start, first, steps);
  if (all.steps > 0 || all.status != StepStatus::ok || steps == 0) return all;
  slots_[program_->is_watching_slot()] = 0.0;
  add(advance_now(point, start, first, 1), all);
  slots_[program_->is_watching_slot()] = 1.0;
  if (all.status == StepStatus::ok && steps > 1)
    add(advance_now(point, start, first + 1, steps - 1), all);
  return all;
}

StepReport Stepper::advance_now(Point& point, double start, std::uint64_t first,
                                std::uint64_t steps) {
  const StepView view = program_->view();
  if (!ready_) kernel_->set_up(view, slots_.data(), workspace_.data());
  ready_ = true;
  visit_state(*program_, point, [this](std::uint32_t slot, double value) { slots_[slot] = value; });
  slots_[view.start_time] = start;
  const StepReport report = advance_slots(*kernel_, slots_, first, steps);
  visit_state(*program_, point,
              [this](std::uint32_t slot, double& value) { value = slots_[slot]; });
  point.t = start + static_cast<double>(first + report.steps) * slots_[view.step_size];
  return report;
}

StepReport Stepper::advance_slots(const Kernel& kernel, std::vector<double>& slots,
                                  std::uint64_t first, std::uint64_t steps) {
  const StepView view = program_->view();
  StepReport all;
  const auto take = [&](const Kernel& taker, std::uint64_t count) {
    taker.advance(view, slots.data(), workspace_.data(), first + all.steps, count, &all);
  };
  take(kernel, steps);
  while (all.leaves_step) {
    all.leaves_step = false;
    const std::uint64_t before = all.steps;
    take(program_->kernel(), 1);
    if (all.status != StepStatus::ok || all.steps == before || all.steps == steps) break;
    take(kernel, steps - all.steps);
  }
  return all;
}

StepReport Stepper::try_kernel(const Kernel& kernel, std::vector<double>& slots, const Point& point,
                               double start, std::uint64_t first) {
  const StepView view = program_->view();
  std::ranges::copy(slots_, slots.begin());
  visit_state(*program_, point, [&](std::uint32_t slot, double value) { slots[slot] = value; });
  slots[view.start_time] = start;
  for (const WatchedEntry& entry : program_->watched()) {
    slots[entry.lower] = all_finite.lowest;
    slots[entry.upper] = all_finite.highest;
  }
  kernel.set_up(view, slots.data(), workspace_.data());
  return advance_slots(kernel, slots, first, steps_compared);
}

/// Takes the later kernel, if it is there and agrees with the present one on steps from here on,
/// however few are asked for.
void Stepper::try_to_switch(const Point& point, double start, std::uint64_t first) {
  const Kernel* kernel = later_->kernel();
  if (kernel == nullptr) {
    is_waiting_ = !later_->is_settled();
    return;
  }
  is_waiting_ = false;
  const StepReport ours = try_kernel(*kernel_, trial_[0], point, start, first),
                   theirs = try_kernel(*kernel, trial_[1], point, start, first);
  bool same = same_report(ours, theirs);
  const auto compare = [&](std::uint32_t slot, double) {
    same = same && same_number(trial_[0][slot], trial_[1][slot]);
  };
  visit_state(*program_, point, compare);
  for (const WatchedEntry& entry : program_->watched()) {
    compare(entry.lowest, 0.0);
    compare(entry.highest, 0.0);
  }
  if (!same) return;
  kernel_ = kernel;
  ready_ = false;
  has_switched_ = true;
}

}  // namespace dalembert
