#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/analysis/analysis.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

/// What a chosen subcommand does; returns the exit code.
using Action = std::function<int()>;

/// A subcommand for an analysis, which must outlive it.
void add_analysis(CLI::App& app, Action& action, const study::Analysis& analysis);

// Each adds one subcommand, whose callback sets `action`.
void add_list(CLI::App& app, Action& action);
void add_describe(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_ensemble(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_reduce(CLI::App& app, Action& action);
void add_linearise(CLI::App& app, Action& action);
void add_audit(CLI::App& app, Action& action);
void add_animate(CLI::App& app, Action& action);
void add_resume(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);

}  // namespace dalembert::app
