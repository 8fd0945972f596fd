#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/run_audit.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "interrupt.hpp"
#include "message.hpp"
#include "verbosity.hpp"
#include "waiting_line.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// A line on a terminal that shows how far the runs are, while it exists.
class ProgressLine {
 public:
  ProgressLine(const std::atomic<std::uint64_t>& done, double total) : done_(done), total_(total) {
    if (isatty(STDERR_FILENO) == 1 && shows_tables_and_progress())
      start_if_possible(worker_, [this](const std::stop_token& stop) { show(stop); });
  }
  ~ProgressLine() {
    if (!worker_.joinable()) return;
    worker_.request_stop();
    worker_.join();
    std::fputs("\r\033[K", stderr);
  }

 private:
  void show(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto begin = std::chrono::steady_clock::now();
    while (!wake_.wait_for(lock, stop, std::chrono::milliseconds(200), [] { return false; }) &&
           !stop.stop_requested()) {
      const double part = std::min(1.0, static_cast<double>(done_.load()) / total_);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      const std::string rest =
          part > 0.01 ? fmt::format(", {:.0f} s left", seconds / part * (1.0 - part)) : "";
      const auto bars = static_cast<std::size_t>(part * 40.0);
      fmt::print(stderr, "\r\033[K[{}{}] {:3.0f} %{}", std::string(bars, '#'),
                 std::string(40 - bars, '.'), 100.0 * part, rest);
      std::fflush(stderr);
    }
  }

  const std::atomic<std::uint64_t>& done_;
  double total_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread worker_;
};

}  // namespace

PlanningWatch shown_by(WaitingLine& line) {
  return [&line](std::size_t index, std::size_t count, const std::string& what) {
    line.say(fmt::format("planning run {} of {}: {}", index + 1, count, what));
  };
}

std::vector<RunPlan> plan_with_progress(const Study& study) {
  WaitingLine line("planning runs of " + study.problem.name);
  return plan_runs(study, shown_by(line));
}

PlannedRuns plan_fitting_with_progress(const Study& study) {
  WaitingLine line("planning runs of " + study.problem.name);
  return plan_fitting_runs(study, shown_by(line));
}

std::vector<EnsemblePlan> plan_ensembles_with_progress(const Study& study, std::size_t threads) {
  WaitingLine line("planning ensembles of " + study.problem.name);
  return plan_ensembles(study, shown_by(line), threads);
}

void show_progress(double total, const std::function<void(std::atomic<std::uint64_t>&)>& work) {
  catch_interrupts();
  std::atomic<std::uint64_t> done = 0;
  const ProgressLine line(done, total);
  work(done);
}

std::vector<RunResult> execute_with_progress(const std::vector<RunPlan>& plans,
                                             ExecutionOptions options) {
  double total = 1.0;
  for (const RunPlan& plan : plans) total += static_cast<double>(plan.steps);
  for (const RunResult& result : options.resume_from) total -= static_cast<double>(result.steps);
  options.cancelled = &interrupt_flag();
  std::vector<RunResult> results;
  show_progress(total, [&](std::atomic<std::uint64_t>& done) {
    options.steps_done = &done;
    results = execute_runs(plans, options);
  });
  return results;
}

AuditReport audit_with_progress(std::vector<AuditMethod> methods, AuditSet set,
                                AuditOptions options) {
  catch_interrupts();
  std::atomic<std::uint64_t> done = 0;
  options.cancelled = &interrupt_flag();
  options.done = &done;
  const ProgressLine line(done, static_cast<double>(audit_size(methods.size(), set)));
  return run_audit(std::move(methods), std::move(set), options);
}

}  // namespace dalembert::app
