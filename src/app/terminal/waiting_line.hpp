#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace dalembert::app {

/// Starts a thread that shows how far something is; none where the system gives none.
void start_if_possible(std::jthread& worker, std::function<void(const std::stop_token&)> show);

/// A line on a terminal that says what the program is at, from a second on, while it exists.
/// Nothing else may be printed meanwhile.
class WaitingLine {
 public:
  explicit WaitingLine(std::string what = "");
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;
  ~WaitingLine();

  /// From now on the line says something else.
  void say(std::string what);

 private:
  void show(const std::stop_token& stop);

  std::string text_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread worker_;  // where there is a terminal
};

}  // namespace dalembert::app
