#include "result_writer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/result/copies/flush_seconds.hpp"
#include "result/hdf5/access/table.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;
constexpr std::size_t most_in_memory = std::size_t{4} << 20;  // bytes of rows
constexpr std::size_t many_at_once = most_in_memory / 8, most_to_reuse = 2;
constexpr double shortest_wait = 0.5, share_of_time = 0.05;

std::chrono::steady_clock::duration to_clock(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

void ResultChanges::add_rows(const std::string& key, std::span<const double> values,
                             std::vector<std::string> tables, WriteRows write) {
  Rows& added = rows[key];
  if (added.values.capacity() == 0 && values.size_bytes() >= many_at_once) {
    if (memory.empty()) memory.emplace_back();
    added.values = std::move(memory.back());
    memory.pop_back();
    // Rows that come fast come until they are spilled.
    added.values.reserve(most_in_memory / sizeof(double) + values.size());
  }
  added.values.insert(added.values.end(), values.begin(), values.end());
  added.tables = std::move(tables);
  added.write = std::move(write);
  bytes += values.size_bytes();
}

void ResultChanges::reuse(std::vector<double> values) {
  if (memory.size() == most_to_reuse || values.capacity() * sizeof(double) < many_at_once) return;
  values.clear();
  memory.push_back(std::move(values));
}

void ResultChanges::absorb(const ResultChanges& later) {
  for (const auto& [key, added] : later.rows)
    add_rows(key, added.values, added.tables, added.write);
  for (const auto& [key, write] : later.states) states[key] = write;
}

void ResultChanges::apply_rows(hid_t file) const {
  for (const auto& [key, added] : rows) added.write(file, added.values);
}

/// The copies of a file, at a path or locked; complaints name it. That HDF5 is missing is said
/// before anything runs.
template <class Place>
TwoCopies ResultWriter::copies_of(const std::filesystem::path& path, Place place) {
  try {
    library();
    return TwoCopies(std::move(place));
  } catch (const OutputError& error) {
    throw OutputError("cannot write \"" + path.string() + "\": " + error.what());
  }
}

ResultWriter::ResultWriter(const std::filesystem::path& path, ResultChanges::Write begin)
    : path_(path),
      begin_(std::move(begin)),
      copies_(copies_of(path, path)),
      interval_(to_clock(flush_seconds())) {
  start();
}

ResultWriter::ResultWriter(ResultLock lock, ResultChanges::Write begin)
    : path_(lock.path()),
      begin_(std::move(begin)),
      copies_(copies_of(path_, std::move(lock))),
      interval_(to_clock(flush_seconds())) {
  // The empty key comes first.
  fresh_.add_rows("", {}, {}, [this](hid_t file, const auto&) { begin_(file); });
  start();
}

/// Where the system gives no thread, rows are written by the one that adds them.
void ResultWriter::start() {
  try {
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    return;
  }
}

ResultWriter::~ResultWriter() { stop(); }

void ResultWriter::stop() {
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
    changed_.notify_all();
  }
  if (worker_.joinable()) {
    worker_.join();
  } else if (!error_) {
    work();
  }
}

void ResultWriter::close() {
  {
    const std::scoped_lock lock(mutex_);
    is_due_ = true;
  }
  stop();
  complain();
}

void ResultWriter::complain() const {
  if (error_) std::rethrow_exception(error_);
}

void ResultWriter::add(const std::function<void(ResultChanges&)>& change) {
  std::unique_lock lock(mutex_);
  flushed_.wait(lock, [&] { return fresh_.bytes < 4 * most_in_memory || error_; });
  complain();
  change(fresh_);
  is_due_ = true;
  changed_.notify_all();
  if (!worker_.joinable()) {
    if (interval_ > Clock::duration::zero() && fresh_.bytes < most_in_memory) return;
    is_closing_ = true;  // writes what there is, and returns
    lock.unlock();
    work();
    lock.lock();
    is_closing_ = false;
    complain();
    return;
  }
  if (interval_ > Clock::duration::zero()) return;
  flushed_.wait(lock, [&] { return (!is_due_ && !is_writing_) || error_; });
  complain();
}

/// How long to wait after a flush that took so long: a small part of the time goes into flushes,
/// but where they are slow a kill costs more than a second.
ResultWriter::Clock::duration ResultWriter::wait_after(Clock::duration flush) const {
  const auto wanted = std::chrono::duration_cast<Clock::duration>(flush / share_of_time);
  return std::clamp(wanted, std::min(interval_, to_clock(shortest_wait)),
                    std::max(interval_, 2 * flush));
}

void ResultWriter::work() {
  Clock::time_point next = Clock::now() + interval_;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_due_ || is_closing_; });
    const bool is_full = changed_.wait_until(lock, next, [&] {
      return is_closing_ || fresh_.bytes >= most_in_memory;
    }) && !is_closing_ && Clock::now() < next;
    if (!is_due_) return;
    ResultChanges changes = std::exchange(fresh_, {});
    fresh_.memory = std::move(changes.memory);
    is_due_ = is_full;  // what is spilled is to be flushed
    is_writing_ = true;
    lock.unlock();
    const Clock::time_point begin = Clock::now();
    std::exception_ptr error;
    try {
      is_full ? spill(std::move(changes)) : flush(std::move(changes));
    } catch (...) {
      error = std::current_exception();
      const std::scoped_lock library(library_mutex());
      static_cast<void>(copy_.close_now());
    }
    if (!is_full) next = Clock::now() + wait_after(Clock::now() - begin);
    lock.lock();
    for (std::vector<double>& values : std::exchange(written_, {})) fresh_.reuse(std::move(values));
    is_writing_ = false;
    error_ = error;
    flushed_.notify_all();
    if (error_) return;
  }
}

template <class Action>
void ResultWriter::guarded(Action action) {
  try {
    action();
  } catch (const OutputError& error) {
    throw OutputError("cannot write \"" + path_.string() + "\": " + error.what());
  }
}

/// Opens the copy and brings it up to what the file has, but for states that the next flush writes.
void ResultWriter::open_copy() {
  if (copy_ >= 0) return;
  const TwoCopies::Holds held = copies_.prepare();
  if (held == TwoCopies::Holds::nothing) make_file(copies_.copy(), begin_);
  const std::scoped_lock lock(library_mutex());
  copy_ = open_file(copies_.copy(), true);
  if (held != TwoCopies::Holds::all_but_last) return;
  last_.apply_rows(copy_);
  if (!last_spilled_.empty()) {
    const Handle file = open_file(path_, false);
    for (const std::string& name : last_spilled_)
      copy_rows(open_table(file, name), open_table(copy_, name));
  }
  late_states_ = std::move(last_.states);
}

/// Writes rows that are too many for the memory. No one sees them before the next flush.
void ResultWriter::spill(ResultChanges fresh) {
  guarded([&] {
    forget_closes();
    open_copy();
    const std::scoped_lock lock(library_mutex());
    fresh.apply_rows(copy_);
    check_closes();
  });
  for (auto& [key, added] : fresh.rows) {
    spilled_.insert(added.tables.begin(), added.tables.end());
    written_.push_back(std::exchange(added.values, {}));
  }
  batch_.absorb(fresh);
}

/// Every table with new rows is read as far as its place in the file: all of it is there.
void ResultWriter::check_copy() const {
  const Handle file = open_file(copies_.copy(), false);
  std::set<std::string> tables = spilled_;
  tables.insert(last_spilled_.begin(), last_spilled_.end());
  for (const ResultChanges* changes : {&batch_, &last_})
    for (const auto& [key, added] : changes->rows)
      tables.insert(added.tables.begin(), added.tables.end());
  for (const std::string& name : tables) static_cast<void>(open_table(file, name));
}

void ResultWriter::flush(ResultChanges fresh) {
  guarded([&] {
    forget_closes();
    open_copy();
    {
      const std::scoped_lock lock(library_mutex());
      fresh.apply_rows(copy_);
      batch_.absorb(fresh);
      for (const auto& [key, write] : batch_.states) late_states_[key] = write;
      for (const auto& [key, write] : late_states_) write(copy_);
      late_states_.clear();
      check_closes();
      check(copy_.close_now(), "write to the disk");
      check_copy();
    }
    copies_.publish();
  });
  if (!spilled_.empty()) {
    for (auto& [key, added] : batch_.rows) {
      spilled_.insert(added.tables.begin(), added.tables.end());
      added.values.clear();
    }
  }
  last_ = std::exchange(batch_, {});
  last_spilled_ = std::exchange(spilled_, {});
}

}  // namespace dalembert::study
