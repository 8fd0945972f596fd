#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "dalembert/study/ensemble_output.hpp"
#include "dalembert/study/output_file.hpp"
#include "study_arguments.hpp"

namespace dalembert::app {
namespace {

std::string number(double value) { return value == 0.0 ? "0" : fmt::format("{:.3g}", value); }

double largest(const EnsembleResult& result, const std::string& quantity) {
  double value = 0.0;
  for (const SampleStatistics& record : result.find(quantity)->records)
    if (record.count > 0) value = std::max(value, record.max);
  return value;
}

std::string growth(const GrowthLaw& law) {
  return law.measured ? fmt::format("{:.2f} +- {:.2f}", law.exponent, law.uncertainty) : "-";
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
                    number(last("energy_error_relative").mean),
                    number(last("energy_error").variance), growth(result.variance),
                    result.variance.measured ? number(result.variance.rate) : "-",
                    number(largest(result, "constraint")),
                    fmt::format("{:.0f}", 1e9 * result.stepper_seconds / member_steps),
                    status_text(result.status)});
  }
  return aligned(rows) +
         "mean |dH/H| and var dH: over the members at the end; growth: exponent of var dH in "
         "time; rate: of var dH = offset + rate t\n";
}

/// The outputs that were asked for, opened before anything is computed.
struct Outputs {
  Outputs(const StudyArguments& arguments, const Study& study,
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

std::vector<EnsembleResult> execute(const std::vector<EnsemblePlan>& plans,
                                    const StudyArguments& arguments, Outputs& outputs) {
  EnsembleExecution execution{arguments.threads, arguments.lanes, &interrupt_flag(), nullptr, {}};
  if (outputs.hdf5) {
    execution.on_records = [&](const EnsemblePlan& plan, const EnsembleResult& so_far) {
      outputs.hdf5->append(plan, so_far);
    };
  }
  double total = 1.0;
  for (const EnsemblePlan& plan : plans)
    total += static_cast<double>(plan.run.steps) * static_cast<double>(plan.starts->size());
  std::vector<EnsembleResult> results;
  show_progress(total, [&](std::atomic<std::uint64_t>& done) {
    execution.steps_done = &done;
    results = execute_ensembles(plans, execution);
  });
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (outputs.hdf5) outputs.hdf5->finish(plans[i], results[i]);
    if (outputs.csv) outputs.csv->write(plans[i], results[i]);
  }
  return results;
}

int exit_code(const std::vector<EnsemblePlan>& plans, const std::vector<EnsembleResult>& results,
              bool kept) {
  const auto is = [](RunResult::Status status) {
    return [status](const EnsembleResult& result) { return result.status == status; };
  };
  const auto unfinished =
      std::count_if(results.begin(), results.end(), is(RunResult::Status::interrupted));
  if (unfinished > 0) {
    complain(fmt::format(
        "interrupted with {} of {} ensembles unfinished; {}", unfinished, plans.size(),
        kept ? "what they had recorded is saved" : "what they had recorded is in the table above"));
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

int run_ensemble(const Study& study, const StudyArguments& arguments) {
  const std::vector<EnsemblePlan> plans = plan_ensembles(study);
  std::vector<RunPlan> runs;
  for (const EnsemblePlan& plan : plans) runs.push_back(plan.run);
  print_warnings(runs);
  Outputs outputs(arguments, study, plans);
  const std::vector<EnsembleResult> results = execute(plans, arguments, outputs);
  const std::string table = ensemble_table(plans, results);
  if (arguments.json == "-") {
    std::fputs(table.c_str(), stderr);
    print(ensemble_json(study, plans, results));
  } else {
    print(table);
  }
  if (outputs.json) outputs.json->write(ensemble_json(study, plans, results));
  if (!arguments.plot.empty())
    write_ensemble_plot(arguments.plot, study.plot, study.title, plans, results);
  return exit_code(plans, results, outputs.hdf5 || outputs.json || outputs.csv);
}

void add_ensemble(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand(
      "ensemble", "Run many random starts, with statistics over them: a study with [ensemble]");
  add_study_options(*command, *arguments);
  command->add_option("--members", arguments->members, "Number of members: ensemble.size");
  command->add_option("--seed", arguments->seed,
                      "Which random starts: ensemble.seed. A member depends on the seed and its "
                      "number alone");
  command->add_option("--energy", arguments->energy,
                      "Draw starts on this level of energy: ensemble.energy");
  command->footer(
      "Starts: with an energy, velocities are drawn isotropically (in the metric of the mass) "
      "within "
      "the constraints and scaled onto the level; positions are uniform in a box, or expressions "
      "of "
      "random variables, or spread around a start. The page doc/ensembles.md says it in full.\n"
      "Examples: dalembert ensemble celledoni-2019/figure-2-ensemble --threads 2 --plot "
      "variance.svg\n"
      "          dalembert ensemble chaotic --method dla01 --step 0.1 --until 100 --members 50 "
      "--energy 3.06");
  command->callback([arguments, &action] {
    action = [arguments] {
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
