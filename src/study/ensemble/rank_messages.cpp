#include "rank_messages.hpp"

#include <algorithm>
#include <cassert>

namespace dalembert::study {
namespace {

template <class Row>
void put_rows(MessageWriter& message, const std::vector<std::vector<Row>>& rows, std::size_t from) {
  message.put(static_cast<std::uint64_t>(rows.size() - std::min<std::size_t>(from, rows.size())));
  for (std::size_t i = from; i < rows.size(); ++i) message.put_all(std::span<const Row>(rows[i]));
}

template <class Row>
std::vector<std::vector<Row>> get_rows(MessageReader& message) {
  std::vector<std::vector<Row>> rows(message.get<std::uint64_t>());
  for (std::vector<Row>& row : rows) row = message.get_all<Row>();
  return rows;
}

template <class T>
std::span<const T> from(const std::vector<T>& values, std::size_t first) {
  return std::span<const T>(values).subspan(std::min<std::size_t>(first, values.size()));
}

}  // namespace

void MessageReader::take(void* to, std::size_t size) {
  assert(size <= rest_.size());
  if (size > 0) std::memcpy(to, rest_.data(), size);
  rest_ = rest_.subspan(size);
}

void put_records(MessageWriter& message, const EnsembleResult& result, std::size_t from_record,
                 std::size_t from_growth) {
  message.put(result.steps);
  message.put_all(from(result.t, from_record));
  message.put_all(from(result.alive, from_record));
  message.put(static_cast<std::uint64_t>(result.quantities.size()));
  for (const QuantityStatistics& quantity : result.quantities) {
    message.put_text(quantity.name);
    put_rows(message, quantity.moments, from_record);
  }
  message.put_all(from(result.growth_t, from_growth));
  put_rows(message, result.growth_errors, from_growth);
}

EnsembleResult get_records(MessageReader& message) {
  EnsembleResult result;
  result.steps = message.get<std::uint64_t>();
  result.t = message.get_all<double>();
  result.alive = message.get_all<std::uint64_t>();
  result.quantities.resize(message.get<std::uint64_t>());
  for (QuantityStatistics& quantity : result.quantities) {
    quantity.name = message.get_text();
    quantity.moments = get_rows<SampleMoments>(message);
  }
  result.growth_t = message.get_all<double>();
  result.growth_errors = get_rows<double>(message);
  return result;
}

void put_state(MessageWriter& message, const EnsembleState& state) {
  const MemberPoints& points = state.points;
  message.put(state.step);
  std::vector<double> t(points.size());
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = points.time(i);
  message.put_all(std::span<const double>(t));
  for (std::size_t j = 0; j < points.column_count(); ++j) message.put_all(points.column(j));
  message.put(static_cast<std::uint64_t>(state.failures.size()));
  for (const MemberFailure& failure : state.failures) {
    message.put(static_cast<std::uint64_t>(failure.member));
    message.put(failure.step);
    message.put(failure.t);
    message.put(failure.residual);
    message.put(failure.status);
    message.put_text(failure.message);
    message.put(static_cast<std::uint64_t>(failure.ended_by ? *failure.ended_by + 1 : 0));
  }
}

EnsembleState get_state(MessageReader& message, const std::shared_ptr<const StepProgram>& program) {
  EnsembleState state;
  state.step = message.get<std::uint64_t>();
  const std::vector<double> t = message.get_all<double>();
  state.points = MemberPoints(program, t.size());
  for (std::size_t i = 0; i < t.size(); ++i) state.points.set_time(i, t[i]);
  for (std::size_t j = 0; j < state.points.column_count(); ++j)
    std::ranges::copy(message.get_all<double>(), state.points.column(j).begin());
  state.failures.resize(message.get<std::uint64_t>());
  for (MemberFailure& failure : state.failures) {
    failure.member = static_cast<std::size_t>(message.get<std::uint64_t>());
    failure.step = message.get<std::uint64_t>();
    failure.t = message.get<double>();
    failure.residual = message.get<double>();
    failure.status = message.get<StepStatus>();
    failure.message = message.get_text();
    const auto ended = static_cast<std::size_t>(message.get<std::uint64_t>());
    if (ended > 0) failure.ended_by = ended - 1;
  }
  return state;
}

void put_starts(MessageWriter& message, const MemberStarts& starts) {
  message.put(static_cast<std::uint64_t>(starts.size()));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const MemberStart start = starts[i];
    message.put_all(std::span<const double>(start.q));
    message.put_all(std::span<const double>(start.v));
    message.put_text(start.failure);
  }
}

void append_starts(MessageReader& message, MemberStarts& starts) {
  const auto count = message.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    MemberStart start;
    start.q = message.get_all<double>();
    start.v = message.get_all<double>();
    start.failure = message.get_text();
    starts.push_back(start);
  }
}

}  // namespace dalembert::study
