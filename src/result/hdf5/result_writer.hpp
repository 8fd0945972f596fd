#pragma once
// Only for the sources of this room.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "result/copies/two_copies.hpp"
#include "result/hdf5/access/handle.hpp"

namespace dalembert::study {

/// What a result file is to be given. Rows of one key are one long row of numbers, for some tables;
/// of a state only the last of its key counts.
struct ResultChanges {
  using Write = std::function<void(hid_t file)>;
  using WriteRows = std::function<void(hid_t file, const std::vector<double>& rows)>;
  struct Rows {
    std::vector<double> values;
    std::vector<std::string> tables;
    WriteRows write;
  };

  void add_rows(const std::string& key, std::span<const double> values,
                std::vector<std::string> tables, WriteRows write);
  void set_state(const std::string& key, Write write) { states[key] = std::move(write); }
  void absorb(const ResultChanges& later);
  /// Takes the memory of rows that were written: fresh pages of the system cost as much as rows do.
  void reuse(std::vector<double> values);
  void apply_rows(hid_t file) const;

  std::map<std::string, Rows> rows = {};
  std::map<std::string, Write> states = {};
  std::size_t bytes = 0;                         ///< of rows
  std::vector<std::vector<double>> memory = {};  ///< for rows that come many at once
};

/// Writes a result file while runs go on: a flush about once a second, on a thread of its own, each
/// of which leaves a complete file that can be resumed (see TwoCopies). Every row is written twice,
/// once into each copy. A few rows are in memory until both have them; many are written at once and
/// later copied from one to the other. Runs that end before the first flush are written once.
/// Complaints name the file and come out of the next call.
class ResultWriter {
 public:
  /// `begin` writes what a new file has before any run.
  ResultWriter(const std::filesystem::path& path, ResultChanges::Write begin);
  /// `begin` changes a file that is extended.
  ResultWriter(ResultLock lock, ResultChanges::Write begin);
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;
  /// Without `close` keeps what was added, and is silent about what goes wrong.
  ~ResultWriter();

  /// Adds changes of one moment: a flush has all of them or none.
  void add(const std::function<void(ResultChanges&)>& change);
  /// Everything that was added is in the file, and one file is left.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  template <class Place>
  static TwoCopies copies_of(const std::filesystem::path& path, Place place);
  Clock::duration wait_after(Clock::duration flush) const;
  void work();
  template <class Action>
  void guarded(Action action);
  void open_copy();
  void spill(ResultChanges fresh);
  void check_copy() const;
  void flush(ResultChanges fresh);
  void start();
  void stop();
  void complain() const;

  std::filesystem::path path_;
  ResultChanges::Write begin_;
  TwoCopies copies_;
  Clock::duration interval_;
  std::mutex mutex_;
  std::condition_variable changed_, flushed_;
  hdf5::Handle copy_;                   ///< open while it holds rows that are not published
  ResultChanges fresh_, batch_, last_;  ///< in no copy yet; in the open one; in one of the two
  std::vector<std::vector<double>> written_;  ///< by the last spill
  std::set<std::string> spilled_,
      last_spilled_;  ///< tables with rows of these that only a copy has
  std::map<std::string, ResultChanges::Write> late_states_;  ///< of the last flush for the copy
  bool is_due_ = false, is_closing_ = false, is_writing_ = false;
  std::exception_ptr error_;
  std::thread worker_;
};

}  // namespace dalembert::study
