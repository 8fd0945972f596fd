#include "dalembert/step/batch_stepper.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "step/detail/same_bits.hpp"

namespace dalembert {
namespace {

std::size_t admissible_threads(int threads) {
  if (threads < 1)
    throw RequestError("a batch needs at least 1 thread, not " + std::to_string(threads));
  return static_cast<std::size_t>(threads);
}

double number_at(const std::byte* bytes, std::size_t i) {
  double value = 0.0;
  std::memcpy(&value, bytes + i * sizeof value, sizeof value);
  return value;
}

/// Entries of a column, one after the other.
void copy_doubles(std::span<const double> column, std::span<const std::size_t> members,
                  std::byte* to) {
  for (const std::size_t member : members) {
    std::memcpy(to, &column[member], sizeof(double));
    to += sizeof(double);
  }
}

}  // namespace

BatchStepper::BatchStepper(std::shared_ptr<const StepProgram> program, std::size_t members,
                           double h, const BatchOptions& options)
    : program_(std::move(program)),
      instruction_set_(options.instruction_set.value_or(available_instruction_sets().back())),
      kernel_(
          &lane_kernel(instruction_set_, options.width,
                       options.block.value_or(suggested_block(program_->slot_count(), members)))),
      size_(members),
      blocks_((members + block_size() - 1) / block_size()),
      threads_(std::min(admissible_threads(options.threads), std::max<std::size_t>(1, blocks_))),
      filled_(members),
      state_slots_(state_slots(*program_)),
      slots_(aligned_zeros(blocks_ * program_->slot_count() * block_size())),
      workspace_(aligned_zeros(threads_ * program_->workspace_size() * block_size())),
      time_(members, 0.0),
      reports_(blocks_ * block_size()),
      h_(h) {
  if (members == 0) throw RequestError("a batch needs at least 1 member");
  for (const auto& [slot, value] : program_->tape().constants)
    put_everywhere(slot, value.as<double>());
  set_parameters(program_->system().default_parameters());
  set_step(h);
}

int BatchStepper::width() const { return kernel_->width; }
std::size_t BatchStepper::block_size() const { return static_cast<std::size_t>(kernel_->members); }

std::byte* BatchStepper::block_slots(std::size_t block) const {
  return slots_.get() + block * program_->slot_count() * block_size() * sizeof(double);
}

std::byte* BatchStepper::slot_bytes(std::size_t member, std::uint32_t slot) const {
  const std::size_t place = std::size_t{slot} * block_size() + member % block_size();
  return block_slots(member / block_size()) + place * sizeof(double);
}

double BatchStepper::get(std::size_t member, std::uint32_t slot) const {
  double value = 0.0;
  std::memcpy(&value, slot_bytes(member, slot), sizeof value);
  return value;
}

/// What the last member gets, the unused places of its block get too: they do as it does and are
/// never looked at.
std::size_t BatchStepper::places_end(std::size_t member) const {
  return member + 1 == filled_ ? reports_.size() : member + 1;
}

void BatchStepper::put(std::size_t member, std::uint32_t slot, double value) {
  for (std::size_t place = member; place < places_end(member); ++place)
    std::memcpy(slot_bytes(place, slot), &value, sizeof value);
}

void BatchStepper::put_everywhere(std::uint32_t slot, double value) {
  const std::size_t size = block_size();
  for (std::size_t block = 0; block < blocks_; ++block) {
    std::byte* bytes = slot_bytes(block * size, slot);
    for (std::size_t i = 0; i < size; ++i)
      std::memcpy(bytes + i * sizeof value, &value, sizeof value);
  }
}

void BatchStepper::check_member(std::size_t member) const {
  if (member < size_) return;
  throw RequestError("a batch of " + std::to_string(size_) + " members has no member " +
                     std::to_string(member));
}

void BatchStepper::set_parameters(std::size_t member, std::span<const double> parameters) {
  check_member(member);
  check_parameters(*program_, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    put(member, program_->parameter_slots()[i], parameters[i]);
  ready_ = false;
}

void BatchStepper::set_parameters(std::span<const double> parameters) {
  for (std::size_t member = 0; member < size_; ++member) set_parameters(member, parameters);
}

void BatchStepper::set_step(double h) {
  put_everywhere(program_->step_size_slot(), h);
  h_ = h;
  ready_ = false;
}

void BatchStepper::set_point(std::size_t member, const Point& point) {
  check_member(member);
  check_point(*program_, point);
  visit_state(*program_, point,
              [&](std::uint32_t slot, double value) { put(member, slot, value); });
  time_[member] = point.t;
  for (std::size_t place = member; place < places_end(member); ++place) reports_[place] = {};
}

void BatchStepper::get_point(std::size_t member, Point& point) const {
  check_member(member);
  check_point(*program_, point);
  visit_state(*program_, point,
              [&](std::uint32_t slot, double& value) { value = get(member, slot); });
  point.t = time_[member];
}

Point BatchStepper::point(std::size_t member) const {
  Point result = empty_point(*program_);
  get_point(member, result);
  return result;
}

/// The first member of each block, and how many of those that have states of their own it holds.
template <class Visit>
void BatchStepper::for_each_block(Visit visit) const {
  for (std::size_t first = 0; first < reports_.size(); first += block_size())
    visit(first, first < filled_ ? std::min(block_size(), filled_ - first) : 0);
}

void BatchStepper::set_points(const MemberPoints& points, std::span<const std::size_t> members) {
  check_member(members.size() - 1);
  filled_ = members.size();
  for (std::size_t j = 0; j < state_slots_.size(); ++j) {
    const std::span<const double> column = points.column(j);
    for_each_block([&](std::size_t first, std::size_t count) {
      std::byte* to = slot_bytes(first, state_slots_[j]);
      copy_doubles(column, members.subspan(std::min(first, filled_), count), to);
      for (std::size_t place = count; place < block_size(); ++place)
        std::memcpy(to + place * sizeof(double), &column[members.back()], sizeof(double));
    });
  }
  for (std::size_t i = 0; i < filled_; ++i) time_[i] = points.time(members[i]);
  std::ranges::fill(reports_, StepReport{});
}

void BatchStepper::get_points(MemberPoints& points, std::span<const std::size_t> members) const {
  for (std::size_t j = 0; j < state_slots_.size(); ++j) {
    const std::span<double> column = points.column(j);
    for_each_block([&](std::size_t first, std::size_t count) {
      const std::byte* from = slot_bytes(first, state_slots_[j]);
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&column[members[first + i]], from + i * sizeof(double), sizeof(double));
    });
  }
}

void BatchStepper::copy_points(const BatchStepper& other) {
  filled_ = other.filled_;
  for_each_block([&](std::size_t first, std::size_t) {
    for (const std::uint32_t slot : state_slots_)
      std::memcpy(slot_bytes(first, slot), other.slot_bytes(first, slot),
                  block_size() * sizeof(double));
  });
  time_ = other.time_;
  std::ranges::fill(reports_, StepReport{});
}

void BatchStepper::watch(bool on) { put_everywhere(program_->is_watching_slot(), on ? 1.0 : 0.0); }

void BatchStepper::set_bounds(std::size_t member, std::size_t quantity,
                              const Stepper::Range& bounds) {
  const WatchedEntry& entry = program_->watched()[quantity];
  put(member, entry.lower, bounds.lowest);
  put(member, entry.upper, bounds.highest);
  put(member, entry.lowest, 0.0);
}

bool BatchStepper::was_out_of_bounds(std::size_t member, std::size_t quantity) const {
  return get(member, program_->watched()[quantity].lowest) != 0.0;
}

void BatchStepper::switch_when_ready(std::shared_ptr<const LaterKernel> later) {
  later_ = std::move(later);
  is_waiting_ = later_ != nullptr;
  has_switched_ = false;
  // Nothing allocates later on.
  trial_ = aligned_zeros(is_waiting_ ? 2 * program_->slot_count() * block_size() : 0);
  trial_reports_.assign(is_waiting_ ? 2 * block_size() : 0, StepReport{});
}

void BatchStepper::try_kernel(const Kernel& kernel, std::byte* slots, std::span<StepReport> reports,
                              std::uint64_t first) {
  const StepView view = program_->view();
  std::memcpy(slots, block_slots(0), program_->slot_count() * block_size() * sizeof(double));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    reports[i] = {};
    reports[i].status = reports_[i].status;
  }
  kernel.set_up(view, slots, workspace_.get());
  kernel.advance(view, slots, workspace_.get(), first, steps_compared, reports.data());
}

/// Takes the later kernel, if it is there and agrees with the present one on steps from here on,
/// however few are asked for.
void BatchStepper::try_to_switch(std::uint64_t first) {
  const Kernel* kernel = later_->kernel();
  if (kernel == nullptr) {
    is_waiting_ = !later_->is_settled();
    return;
  }
  if (kernel->members != kernel_->members) {
    throw RequestError("a batch with blocks of " + std::to_string(kernel_->members) +
                       " members cannot change over to a kernel of " +
                       std::to_string(kernel->members));
  }
  is_waiting_ = false;
  const std::size_t size = block_size();
  std::byte* const theirs = trial_.get() + program_->slot_count() * size * sizeof(double);
  const std::span<StepReport> our_reports(trial_reports_.data(), size),
      their_reports(trial_reports_.data() + size, size);
  try_kernel(*kernel_, trial_.get(), our_reports, first);
  try_kernel(*kernel, theirs, their_reports, first);
  bool same = std::ranges::equal(our_reports, their_reports, same_report);
  const auto compare = [&](std::uint32_t slot) {
    const std::size_t from = std::size_t{slot} * size * sizeof(double);
    for (std::size_t i = 0; i < size; ++i)
      same = same && same_number(number_at(trial_.get() + from, i), number_at(theirs + from, i));
  };
  for (const std::uint32_t slot : state_slots_) compare(slot);
  for (const WatchedEntry& entry : program_->watched()) compare(entry.lowest);
  if (!same) return;
  kernel_ = kernel;
  ready_ = false;
  has_switched_ = true;
}

void BatchStepper::leave_out(std::size_t member) {
  for (std::size_t place = member; place < places_end(member); ++place)
    reports_[place].status = StepStatus::not_finite;
}

std::span<const StepReport> BatchStepper::advance(double start, std::uint64_t first,
                                                  std::uint64_t steps) {
  put_everywhere(program_->start_time_slot(), start);
  if (is_waiting_ && steps > 0) try_to_switch(first);
  for (StepReport& report : reports_) report.steps = report.iterations = 0;
  parallel_for(threads_, threads_,
               [&](std::size_t share, std::size_t) { advance_blocks(share, first, steps); });
  ready_ = true;
  for (std::size_t member = 0; member < size_; ++member) {
    const StepReport& report = reports_[member];
    if (report.steps == 0) continue;
    time_[member] = start + static_cast<double>(first + report.steps) * h_;
  }
  return std::span<const StepReport>(reports_).first(size_);
}

/// Every `threads_`-th block, from that of the thread's number on.
void BatchStepper::advance_blocks(std::size_t thread, std::uint64_t first, std::uint64_t steps) {
  const StepView view = program_->view();
  std::byte* workspace =
      workspace_.get() + thread * program_->workspace_size() * block_size() * sizeof(double);
  for (std::size_t block = thread; block < blocks_; block += threads_) {
    if (!ready_) kernel_->set_up(view, block_slots(block), workspace);
    kernel_->advance(view, block_slots(block), workspace, first, steps,
                     reports_.data() + block * block_size());
  }
}

}  // namespace dalembert
