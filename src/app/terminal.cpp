#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>

#include "commands.hpp"

namespace dalembert::app {
namespace {

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void on_signal(int signal) {
  was_interrupted = true;
  std::signal(signal, SIG_DFL);
}

std::string number(double value) { return value == 0.0 ? "0" : fmt::format("{:.3g}", value); }

/// A line on a terminal that shows how far the runs are, while it exists.
class ProgressLine {
 public:
  ProgressLine(const std::atomic<std::uint64_t>& done, double total) : done_(done), total_(total) {
    if (isatty(STDERR_FILENO) == 1)
      worker_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
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

/// What the [[diagnostic]] tables of the study ask for; nothing if there are none.
std::string report_table(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  std::vector<std::vector<std::string>> rows{
      {"run", "method", "diagnostic", "of", "value", "interval", "verdict"}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    for (const DiagnosticReport& report : results[i].diagnostics.reports) {
      std::vector<std::string> row{plan.label.empty() ? plan.system.name() : plan.label,
                                   plan.method.label,
                                   report.kind,
                                   report.of,
                                   "-",
                                   "-",
                                   report.message.empty() ? report.verdict : report.message};
      std::string low;
      for (const auto& [name, value] : report.numbers) {
        const bool is_value =
            name == "slope" || name == "exponent" || name == "rate" || name == "largest";
        if (is_value) row[4] = fmt::format("{} {:.4g}", name, value);
        if (name == "low") low = fmt::format("{:.3g}", value);
        if (name == "high") row[5] = fmt::format("{} .. {:.3g}", low, value);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows.size() == 1 ? "" : "\n" + aligned(rows);
}

/// How often the sections of the study were passed; nothing if there are none.
std::string section_table(const std::vector<RunPlan>& plans,
                          const std::vector<RunResult>& results) {
  std::vector<std::vector<std::string>> rows{{"run", "method", "section", "passed"}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    for (const SectionResult& section : results[i].diagnostics.sections)
      rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                      section.name, std::to_string(section.crossings.size())});
  }
  return rows.size() == 1 ? "" : "\n" + aligned(rows);
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_text =
          i < 2 || i + 1 == row.size();  // run, method and status; the others are numbers
      line += is_text ? fmt::format("{:<{}}  ", row[i], widths[i])
                      : fmt::format("{:>{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

void complain(const std::string& sentence) { fmt::print(stderr, "dalembert: {}\n", sentence); }

void print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw OutputError("cannot write to standard output");
}

std::atomic<bool>& interrupt_flag() { return was_interrupted; }

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

std::string result_table(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  std::vector<std::vector<std::string>> rows{
      {"run", "method", "step", "steps", "energy error", "constraint"}};
  for (const std::string& name : plans.front().columns.integral_names()) rows[0].push_back(name);
  rows[0].insert(rows[0].end(), {"ns/step", "status"});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    const RunResult& result = results[i];
    const RunDiagnostics& errors = result.diagnostics;
    rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                    fmt::format("{:.6g}", plan.step), std::to_string(result.steps),
                    number(errors.energy.max_error), number(errors.constraint_max)});
    for (const IntegralSummary& integral : errors.integrals)
      rows.back().push_back(number(integral.max_error));
    rows.back().resize(rows[0].size() - 2);
    rows.back().insert(rows.back().end(), {fmt::format("{:.0f}", 1e9 * result.seconds_per_step),
                                           status_text(result.status)});
  }
  return aligned(rows) + report_table(plans, results) + section_table(plans, results);
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

int conclude(const std::vector<RunResult>& results, const std::string& file) {
  const auto count = [&](RunResult::Status status) {
    return std::count_if(results.begin(), results.end(),
                         [status](const RunResult& r) { return r.status == status; });
  };
  const auto with = [](RunResult::Status status) {
    return [status](const RunResult& r) { return r.status == status; };
  };
  if (count(RunResult::Status::interrupted) > 0) {
    complain(fmt::format("interrupted with {} of {} runs unfinished; {}",
                         count(RunResult::Status::interrupted), results.size(),
                         file.empty() ? "without --out nothing was kept to go on from"
                                      : "continue with: dalembert resume " + file));
    return interrupted;
  }
  const auto failed = std::find_if(results.begin(), results.end(), with(RunResult::Status::failed));
  if (failed == results.end()) return success;
  complain(fmt::format("{} of {} runs failed; {}", count(RunResult::Status::failed), results.size(),
                       failed->message));
  return numbers_refused;
}

void print_warnings(const std::vector<RunPlan>& plans) {
  std::set<std::string> warnings;
  for (const RunPlan& plan : plans) {
    const Method& method = plan.program->method();
    if (const auto warning = method.warning()) warnings.insert(*warning);
    if (plan.lambda && method.facts().carries_multiplier) {
      warnings.insert(fmt::format(
          "the start of method \"{}\" has a multiplier of its own: whatever it differs by from the "
          "exact one stays, with alternating sign, since the method does not damp this mode; leave "
          "lambda out for the exact one",
          method.name()));
    }
  }
  for (const std::string& warning : warnings) complain("warning: " + warning);
}

}  // namespace dalembert::app
