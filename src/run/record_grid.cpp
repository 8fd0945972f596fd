#include "record_grid.hpp"

namespace dalembert {

RecordGrid::RecordGrid(const EnsembleOptions& options, double h)
    : times_(options.record_times.are_given() ? options.record_times
                                              : RecordTimes::every_steps(options.record_every)),
      steps_(options.steps),
      start_(options.start_time),
      h_(h),
      records_end_(options.records_end) {}

std::uint64_t RecordGrid::passed(std::uint64_t steps) const {
  const bool is_end_beside = steps >= steps_ && records_end_ && !times_.has_node(steps_, h_);
  return times_.count(steps, h_) + (is_end_beside ? 1 : 0);
}

RecordGrid::Place RecordGrid::place(std::uint64_t record) const {
  if (record >= times_.count(steps_, h_)) return {steps_, true, node_time(steps_)};
  const std::uint64_t node = times_.passed_after(record, h_);
  const bool is_node = times_.has_node(node, h_) && times_.count(node, h_) == record + 1;
  return {node, is_node, is_node ? node_time(node) : start_ + times_.time(record, h_)};
}

}  // namespace dalembert
