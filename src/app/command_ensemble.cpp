#include "command_ensemble.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/ranks/ranked_commands.hpp"
#include "app/ranks/started_ranks.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "commands.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/picture/ensemble_plot.hpp"
#include "dalembert/result/ensemble_csv.hpp"
#include "dalembert/result/ensemble_json.hpp"
#include "dalembert/result/hdf5/ensemble_reader.hpp"
#include "dalembert/result/hdf5/ensemble_writer.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "exit_code.hpp"
#include "report/text_table.hpp"

namespace dalembert::app {

using namespace study;

namespace {

std::string three_digits(double value) { return value == 0.0 ? "0" : fmt::format("{:.3g}", value); }

double largest(const EnsembleResult& result, const std::string& quantity) {
  double value = 0.0;
  for (const SampleStatistics& record : result.find(quantity)->records)
    if (record.count > 0) value = std::max(value, record.max);
  return value;
}

std::string growth(const GrowthLaw& law) {
  return law.measured ? fmt::format("{:.2f} +- {:.2f}", law.exponent, law.uncertainty) : "-";
}

/// How many members events have ended, and when; nothing if no event has.
std::string ends_text(const std::vector<EnsemblePlan>& plans,
                      const std::vector<EnsembleResult>& results) {
  std::vector<std::vector<std::string>> rows{
      {"run", "method", "event", "members ended", "first at", "last at"}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunPlan& plan = plans[i].run;
    for (std::size_t k = 0; k < plan.events.size(); ++k) {
      std::size_t count = 0;
      double first = 0.0, last = 0.0;
      for (const MemberFailure& end : results[i].ends) {
        if (end.ended_by != k) continue;
        first = count == 0 ? end.t : numeric::smaller(first, end.t);
        last = count == 0 ? end.t : numeric::larger(last, end.t);
        ++count;
      }
      const auto time = [count](double t) {
        return count == 0 ? std::string("-") : fmt::format("t = {:.6g}", t);
      };
      rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                      plan.events[k].name, std::to_string(count), time(first), time(last)});
    }
  }
  return rows.size() == 1 ? "" : aligned(rows, 2);
}

std::string ensemble_table(const std::vector<EnsemblePlan>& plans,
                           const std::vector<EnsembleResult>& results) {
  std::vector<std::vector<std::string>> rows{{"run", "method", "step", "steps", "members", "failed",
                                              "mean |dH/H|", "var dH", "growth", "rate",
                                              "constraint", "ns/step", "status"}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunPlan& plan = plans[i].run;
    const EnsembleResult& result = results[i];
    const auto last = [&](const char* name) -> SampleStatistics {
      const auto& records = result.find(name)->records;
      return records.empty() ? SampleStatistics{} : records.back();
    };
    const double member_steps =
        static_cast<double>(std::max<std::uint64_t>(1, result.member_steps));
    rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                    fmt::format("{:.6g}", plan.step), std::to_string(result.steps),
                    std::to_string(result.size()), std::to_string(result.failures.size()),
                    three_digits(last("energy_error_relative").mean),
                    three_digits(last("energy_error").variance), growth(result.variance),
                    result.variance.measured ? three_digits(result.variance.rate) : "-",
                    three_digits(largest(result, "constraint")),
                    fmt::format("{:.0f}", 1e9 * result.stepper_seconds / member_steps),
                    status_text(result.status)});
  }
  return aligned(rows, 2) + ends_text(plans, results) +
         "mean |dH/H| and var dH: over the members at the end; growth: exponent of var dH in "
         "time; rate: of var dH = offset + rate t\n";
}

/// The outputs that were asked for, opened before anything is computed.
struct EnsembleOutputs {
  EnsembleOutputs(const StudyArguments& arguments, const Study& study,
                  const std::vector<EnsemblePlan>& plans) {
    if (!arguments.plot.empty()) check_ensemble_plot(arguments.plot, study.plot, plans);
    if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);
    if (!arguments.csv.empty()) csv.emplace(arguments.csv);
    if (!arguments.out.empty()) hdf5.emplace(arguments.out, study, plans);
  }

  std::optional<OutputFile> json;
  std::optional<EnsembleCsv> csv;
  std::optional<EnsembleHdf5> hdf5;
};

double remaining_steps(const std::vector<EnsemblePlan>& plans,
                       const std::vector<EnsembleResult>& before) {
  double total = 1.0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const double done = i < before.size() ? static_cast<double>(before[i].steps) : 0.0;
    total += (static_cast<double>(plans[i].run.steps) - done) *
             static_cast<double>(plans[i].starts->size());
  }
  return total;
}

/// With a progress line; results go to the HDF5 file on the way.
std::vector<EnsembleResult> execute(const std::vector<EnsemblePlan>& plans,
                                    EnsembleExecution execution, EnsembleHdf5* hdf5,
                                    const EnsembleExecutor& executor) {
  execution.cancelled = &interrupt_flag();
  if (hdf5 != nullptr) {
    execution.on_records = [hdf5](const EnsemblePlan& plan, const EnsembleResult& so_far) {
      const bool is_over = so_far.status != RunResult::Status::interrupted;
      is_over ? hdf5->finish(plan, so_far) : hdf5->append(plan, so_far);
    };
  }
  std::vector<EnsembleResult> results;
  show_progress(remaining_steps(plans, execution.resume_from),
                [&](std::atomic<std::uint64_t>& done) {
                  execution.steps_done = &done;
                  results = executor ? executor(execution) : execute_ensembles(plans, execution);
                });
  for (std::size_t i = 0; i < results.size() && hdf5 != nullptr; ++i) {
    if (results[i].status == RunResult::Status::interrupted) hdf5->finish(plans[i], results[i]);
  }
  if (hdf5 != nullptr) hdf5->close();
  return results;
}

int exit_code(const std::vector<EnsemblePlan>& plans, const std::vector<EnsembleResult>& results,
              const std::string& file) {
  const auto is = [](RunResult::Status status) {
    return [status](const EnsembleResult& result) { return result.status == status; };
  };
  const auto unfinished =
      std::count_if(results.begin(), results.end(), is(RunResult::Status::interrupted));
  if (unfinished > 0) {
    complain(fmt::format("interrupted with {} of {} ensembles unfinished; {}", unfinished,
                         plans.size(),
                         file.empty() ? "without --out nothing was kept to go on from"
                                      : "continue with: dalembert resume " + file));
    return interrupted;
  }
  const auto failed = std::find_if(results.begin(), results.end(), is(RunResult::Status::failed));
  if (failed == results.end()) return success;
  const auto& plan = plans[static_cast<std::size_t>(failed - results.begin())];
  const auto count = std::count_if(results.begin(), results.end(), is(RunResult::Status::failed));
  complain(fmt::format("members failed in {} of {} ensembles; method {}: {}", count, results.size(),
                       plan.run.method.label, failed->message));
  return numbers_refused;
}

}  // namespace

void announce_ensembles(const Study& study, const StudyArguments& arguments,
                        const std::vector<EnsemblePlan>& plans, double seconds) {
  std::vector<RunPlan> runs;
  for (const EnsemblePlan& plan : plans) runs.push_back(plan.run);
  tell_plans(runs, seconds);
  print_warnings(runs);
  claim_outputs(arguments, study, runs);
  if (study.ensemble->part && arguments.out.empty())
    complain("warning: without --out a part leaves nothing that could be merged");
}

EnsembleExecution chosen_execution(const StudyArguments& arguments) {
  EnsembleExecution execution;
  execution.threads = arguments.threads;
  execution.lanes = arguments.lanes;
  execution.instruction_set = chosen_instruction_set(arguments.instruction_set);
  return execution;
}

int compute_ensembles(const Study& study, const std::vector<EnsemblePlan>& plans,
                      std::vector<EnsembleResult> before, const StudyArguments& arguments,
                      const EnsembleExecutor& executor) {
  EnsembleExecution execution = chosen_execution(arguments);
  execution.resume_from = std::move(before);
  EnsembleOutputs outputs(arguments, study, plans);
  const std::vector<EnsembleResult> results =
      execute(plans, execution, outputs.hdf5 ? &*outputs.hdf5 : nullptr, executor);
  tell_ensembles(plans, results);
  for (std::size_t i = 0; i < results.size() && outputs.csv; ++i)
    outputs.csv->write(plans[i], results[i]);
  print_table(ensemble_table(plans, results), arguments.json == "-");
  if (arguments.json == "-") print(ensemble_json(study, plans, results));
  if (outputs.json) {
    outputs.json->write(
        [&](std::ostream& out) { write_ensemble_json(out, study, plans, results); });
  }
  if (!arguments.plot.empty())
    write_ensemble_plot(arguments.plot, study.plot, study.title, plans, results);
  return exit_code(plans, results, arguments.out);
}

int run_ensemble(const Study& study, const StudyArguments& arguments) {
  const Stopwatch stopwatch;
  const std::vector<EnsemblePlan> plans = plan_ensembles_with_progress(study, arguments.threads);
  announce_ensembles(study, arguments, plans, stopwatch.seconds());
  return compute_ensembles(study, plans, {}, arguments);
}

std::vector<EnsembleResult> ensembles_to_resume(const Study& study, const std::string& file,
                                                bool has_other_end,
                                                std::vector<EnsemblePlan>& plans) {
  std::vector<EnsembleResult> results = read_hdf5_ensembles(
      file, plans, {.has_other_end = has_other_end, .record_every = study.record_every});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::vector<double>& t = results[i].t;
    if (!t.empty()) refuse_earlier_end(study, plans[i].run, t.back());
  }
  return results;
}

int go_on_with_ensembles(const Study& study, const std::vector<EnsemblePlan>& plans,
                         ResultLock lock, const EnsembleExecution& execution,
                         const EnsembleExecutor& executor) {
  const std::string file = lock.path().string();
  EnsembleHdf5 hdf5(std::move(lock), study, plans);
  const std::vector<EnsembleResult> results = execute(plans, execution, &hdf5, executor);
  tell_ensembles(plans, results);
  print_table(ensemble_table(plans, results), false);
  return exit_code(plans, results, file);
}

int resume_ensemble(const Study& study, ResultLock lock, bool has_other_end, std::size_t threads,
                    std::optional<InstructionSet> instruction_set) {
  std::vector<EnsemblePlan> plans = plan_ensembles_with_progress(study, threads);
  EnsembleExecution execution;
  execution.threads = threads;
  execution.instruction_set = instruction_set;
  execution.resume_from = ensembles_to_resume(study, lock.path().string(), has_other_end, plans);
  return go_on_with_ensembles(study, plans, std::move(lock), execution);
}

void plot_ensemble(const Study& study, const std::string& file, const std::string& plot,
                   const PlotRequest& request) {
  std::vector<EnsemblePlan> plans = plan_ensembles_with_progress(study);
  check_ensemble_plot(plot, request, plans);
  std::vector<EnsembleResult> results =
      read_hdf5_ensembles(file, plans, {.record_every = study.record_every});
  // What has no records yet has no curve.
  std::vector<EnsemblePlan> begun;
  std::vector<EnsembleResult> shown;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (results[i].t.empty()) continue;
    begun.push_back(plans[i]);
    shown.push_back(std::move(results[i]));
  }
  if (begun.empty()) throw OutputError("\"" + file + "\" holds no records yet");
  write_ensemble_plot(plot, request, study.title, begun, shown);
}

void add_ensemble(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand(
      "ensemble", "Run many random starts, with statistics over them: a study with [ensemble]");
  add_study_options(*command, *arguments);
  const auto add = [&](const std::string& option, const std::string& key, const char* sentence) {
    command->add_option_function<std::string>(
        option,
        [arguments, option, key](const std::string& words) {
          // A part is a text, also where it looks like a number.
          arguments->give(key, option, key == "ensemble.part" ? toml_text(words) : words);
        },
        sentence);
  };
  add("--members", "ensemble.size", "Number of members: ensemble.size");
  add("--seed", "ensemble.seed",
      "Which random starts: ensemble.seed. A member depends on the seed and its number alone");
  add("--energy", "ensemble.energy", "Draw starts on this level of energy: ensemble.energy");
  add("--part", "ensemble.part",
      "Run a part of the members, as 3/64, for a result that dalembert merge puts together with "
      "the others: ensemble.part");
  command->footer(
      "Starts: with an energy, velocities are drawn isotropically (in the metric of the mass) "
      "within "
      "the constraints and scaled onto the level; positions are uniform in a box, or expressions "
      "of "
      "random variables, or spread around a start. The page doc/ensembles.md says it in full.\n"
      "Examples: dalembert ensemble celledoni-2019/figure-2-ensemble --threads 2 --plot "
      "variance.svg\n"
      "          dalembert ensemble chaotic --method dla01 --step 0.1 --until 100 --members 50 "
      "--energy 3.06\n"
      "          dalembert ensemble study.toml --part 3/64 --out part-03.h5\n"
      "          mpirun -np 4 dalembert ensemble study.toml --out result.h5");
  command->callback([arguments, &action] {
    action = [arguments] {
      if (const std::unique_ptr<Ranks> ranks = started_ranks())
        return on_ranks(*ranks, [&] { return run_on_ranks(*ranks, *arguments); });
      const Study study = chosen_study(*arguments);
      if (!study.ensemble) {
        throw RequestError("the study \"" + arguments->study +
                           "\" has no table [ensemble]; add one, or --members N with --energy E");
      }
      return run_ensemble(study, *arguments);
    };
  });
}

}  // namespace dalembert::app
