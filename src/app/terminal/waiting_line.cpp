#include "waiting_line.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include "verbosity.hpp"

namespace dalembert::app {

void start_if_possible(std::jthread& worker, std::function<void(const std::stop_token&)> show) {
  try {
    worker = std::jthread(std::move(show));
  } catch (const std::system_error&) {
    return;
  }
}

WaitingLine::WaitingLine(std::string what) : text_(std::move(what)) {
  if (isatty(STDERR_FILENO) == 1 && shows_tables_and_progress())
    start_if_possible(worker_, [this](const std::stop_token& stop) { show(stop); });
}

WaitingLine::~WaitingLine() {
  if (!worker_.joinable()) return;
  worker_.request_stop();
  worker_.join();
}

void WaitingLine::say(std::string what) {
  const std::scoped_lock lock(mutex_);
  text_ = std::move(what);
}

void WaitingLine::show(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  std::string shown;
  auto patience = std::chrono::milliseconds(1000);
  while (!wake_.wait_for(lock, stop, patience, [] { return false; }) && !stop.stop_requested()) {
    patience = std::chrono::milliseconds(200);
    if (text_ == shown) continue;
    shown = text_;
    const std::size_t width = terminal_width();
    fmt::print(stderr, "\r\033[K{}", width > 1 ? shown.substr(0, width - 1) : shown);
    std::fflush(stderr);
  }
  if (!shown.empty()) std::fputs("\r\033[K", stderr);
}

}  // namespace dalembert::app
