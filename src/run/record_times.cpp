#include "dalembert/run/record_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert {
namespace {

/// Of a step: what is nearer to a node is that node.
constexpr double same = 1e-9;

double node(std::uint64_t step, double h) { return static_cast<double>(step) * h; }

}  // namespace

RecordTimes RecordTimes::every_steps(std::uint64_t steps) {
  if (steps == 0) throw RequestError("records every 0 steps are none; give a positive number");
  RecordTimes result;
  result.steps_ = steps;
  return result;
}

RecordTimes RecordTimes::at(std::vector<double> times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || times[i] < 0.0)
      throw RequestError("a record at t = " + to_string(times[i]) +
                         " is before the start of the run, at t = 0, or none");
    if (i > 0 && times[i] <= times[i - 1])
      throw RequestError("records must be at increasing times, and t = " + to_string(times[i]) +
                         " follows t = " + to_string(times[i - 1]));
  }
  RecordTimes result;
  result.kind_ = Kind::list;
  result.times_ = std::move(times);
  // The start is there in any case.
  if (result.times_.empty() || result.times_.front() > 0.0)
    result.times_.insert(result.times_.begin(), 0.0);
  return result;
}

RecordTimes RecordTimes::every_time(double time) {
  if (!(time > 0.0) || !std::isfinite(time))
    throw RequestError("records every " + to_string(time) +
                       " units of time are none; give a positive number");
  RecordTimes result;
  result.kind_ = Kind::spacing;
  result.spacing_ = time;
  return result;
}

std::uint64_t RecordTimes::count_to(double t) const {
  if (kind_ == Kind::list) {
    return static_cast<std::uint64_t>(std::upper_bound(times_.begin(), times_.end(), t) -
                                      times_.begin());
  }
  // The quotient is off by its round-off, the products decide.
  auto count = static_cast<std::uint64_t>(t / spacing_);
  while (node(count, spacing_) <= t) ++count;
  while (count > 0 && node(count - 1, spacing_) > t) --count;
  return count;
}

bool RecordTimes::has_node(std::uint64_t step, double h) const {
  if (kind_ == Kind::steps) return step % steps_ == 0;
  const double t = node(step, h);
  return step == 0 || count_to(t + same * h) > count_to(t - same * h);
}

std::span<const double> RecordTimes::after_node(std::uint64_t step, double h, double end) {
  between_.clear();
  if (kind_ == Kind::steps) return between_;
  const std::uint64_t first = count_to(node(step, h) + same * h),
                      last = count_to(node(step + 1, h) - same * h);
  for (std::uint64_t record = first; record < last; ++record) {
    const double t = time(record, h);
    if (t < end - same * h) between_.push_back(t);
  }
  return between_;
}

std::uint64_t RecordTimes::count(std::uint64_t steps, double h) const {
  return kind_ == Kind::steps ? steps / steps_ + 1 : count_to(node(steps, h) + same * h);
}

double RecordTimes::most_in_step(double h) const {
  if (kind_ == Kind::steps) return 1.0;
  if (kind_ == Kind::spacing) return std::ceil(h / spacing_);
  std::size_t most = 0;
  for (std::size_t first = 0, last = 0; last < times_.size(); ++last) {
    while (times_[last] - times_[first] > h) ++first;
    most = std::max<std::size_t>(most, last - first + 1);
  }
  return static_cast<double>(most);
}

std::uint64_t RecordTimes::passed_after(std::uint64_t record, double h) const {
  if (kind_ == Kind::steps) return record * steps_;
  auto step = static_cast<std::uint64_t>(time(record, h) / h);
  while (count(step, h) <= record) ++step;
  while (step > 0 && count(step - 1, h) > record) --step;
  return step;
}

double RecordTimes::time(std::uint64_t record, double h) const {
  switch (kind_) {
    case Kind::steps:
      return static_cast<double>(record * steps_) * h;
    case Kind::list:
      return times_.at(record);
    case Kind::spacing:
      break;
  }
  return node(record, spacing_);
}

}  // namespace dalembert
