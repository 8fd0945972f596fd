#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/report/audit.hpp"
#include "dalembert/study/run_study.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

/// Exit codes that other programs rely on.
enum ExitCode : int {
  success = 0,
  check_failed = 1,
  bad_request = 2,
  numbers_refused = 3,
  input_output = 4,
  internal_error = 70,
  interrupted = 130
};

/// What a chosen subcommand does; returns the exit code.
using Action = std::function<int()>;

// Each adds one subcommand, whose callback sets `action`.
void add_list(CLI::App& app, Action& action);
void add_describe(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_ensemble(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_order(CLI::App& app, Action& action);
void add_audit(CLI::App& app, Action& action);
void add_resume(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);

/// Prints "dalembert: sentence" on standard error.
void complain(const std::string& sentence);
/// Says once on standard error what the methods of the runs warn of.
void print_warnings(const std::vector<RunPlan>& plans);
/// Prints on standard output; OutputError if that fails.
void print(const std::string& text);
/// Set by SIGINT and SIGTERM once `catch_interrupts` was called; a second signal ends the program.
std::atomic<bool>& interrupt_flag();
void catch_interrupts();

/// The table of results, one line per run.
std::string result_table(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results);

/// Rows of cells in columns as wide as they need: text in the first two and the last, else numbers.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// Catches interrupts and shows, on a terminal, which part of `total` the work has counted.
void show_progress(double total, const std::function<void(std::atomic<std::uint64_t>&)>& work);

/// Executes runs with a progress line on a terminal and interrupts caught.
std::vector<RunResult> execute_with_progress(const std::vector<RunPlan>& plans,
                                             ExecutionOptions options);

/// Audits with a progress line on a terminal and interrupts caught.
AuditReport audit_with_progress(std::vector<AuditMethod> methods, AuditSet set,
                                AuditOptions options);

/// The exit code for results, after one sentence about runs that failed or were interrupted. `file`
/// names the result to resume.
int conclude(const std::vector<RunResult>& results, const std::string& file);

}  // namespace dalembert::app
