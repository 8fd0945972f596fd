#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/problem_values.hpp"
#include "app/arguments/report_outputs.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/report/audit_arrays.hpp"
#include "dalembert/report/audit_html.hpp"
#include "dalembert/report/audit_json.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/audit_text.hpp"
#include "dalembert/report/run_audit.hpp"
#include "dalembert/study/method_text.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct AuditArguments : ReportPaths {
  std::string method, set;
  std::vector<std::string> settings, problems;
  std::size_t threads = 0;
  bool force = false, all = false, full = false, quick = false, markdown = false, details = false;
};

std::string name_of(const std::string& setting) { return setting.substr(0, setting.find('=')); }

/// Takes from the settings those that are options of the method.
std::vector<std::string> method_settings(const AuditArguments& arguments,
                                         std::vector<std::string>& settings) {
  const std::vector<OptionInfo>& options =
      method_entry(parse_method(arguments.method).name).options;
  const auto is_own = [&](const std::string& setting) {
    return std::ranges::find(options, name_of(setting), &OptionInfo::name) != options.end();
  };
  const auto rest = std::stable_partition(settings.begin(), settings.end(), is_own);
  const std::vector<std::string> own(settings.begin(), rest);
  settings.erase(settings.begin(), rest);
  return own;
}

std::vector<AuditMethod> chosen_methods(const AuditArguments& arguments,
                                        std::vector<std::string>& settings) {
  if (arguments.all) {
    if (!arguments.method.empty()) throw RequestError("give either a method or --all, not both");
    return audit_methods(arguments.full);
  }
  if (arguments.method.empty())
    throw RequestError("give a method, as in \"dalembert audit dla01\", or --all");
  std::vector<std::string> own = method_settings(arguments, settings);
  // Settings without a problem are the method's, which says what it has.
  if (arguments.problems.empty()) own.insert(own.end(), settings.begin(), settings.end());
  const MethodSpec spec = parse_method(arguments.method, own);
  const Method method = make_method(spec);
  if (const auto warning = method.warning()) complain("warning: " + *warning);
  return {{method, label(spec)}};
}

/// Puts those of the settings that name parameters or sizes of the problem into it, and out of
/// `unknown`.
void set_values(AuditCase& problem, const std::vector<std::string>& settings,
                std::vector<std::string>& unknown) {
  const std::vector<std::string> names = problem.file.parameter_names();
  std::vector<std::string> own;
  for (const std::string& setting : settings) {
    const std::string name = name_of(setting);
    const bool is_size =
        std::ranges::find(problem.file.sizes, name, &SizeEntry::name) != problem.file.sizes.end();
    if (is_size || std::ranges::find(names, name) != names.end()) own.push_back(setting);
  }
  std::erase_if(unknown, [&](const std::string& setting) {
    return std::ranges::find(own, setting) != own.end();
  });
  const LoadOptions values = load_options(problem.file, own);
  for (const auto& [name, size] : values.sizes) problem.sizes[name] = size;
  for (const auto& [name, value] : values.parameters)
    problem.parameters[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())] =
        value;
  for (const std::string& setting : own) problem.label += ", " + setting;
}

AuditSet chosen_set(const AuditArguments& arguments, const std::vector<std::string>& settings) {
  if (!arguments.problems.empty() && !arguments.set.empty())
    throw RequestError("give either --problem or --set-file, not both");
  if (arguments.problems.empty() && !settings.empty())
    throw RequestError("--set " + settings.front() +
                       " is for a method or for a problem that is named with --problem");
  if (!arguments.set.empty()) return read_audit_set(arguments.set);
  if (arguments.problems.empty()) return standard_audit_set();
  AuditSet set = audit_set_of(arguments.problems);
  std::vector<std::string> unknown = settings;
  for (AuditCase& problem : set.problems) set_values(problem, settings, unknown);
  for (LongRunCase& run : set.long_runs) set_values(run.problem, settings, unknown);
  if (!unknown.empty()) {
    std::vector<std::string> names;
    if (!arguments.all)
      for (const OptionInfo& option : method_entry(parse_method(arguments.method).name).options)
        names.push_back(option.name);
    for (const AuditCase& problem : set.problems)
      for (const std::string& name : problem.file.parameter_names()) names.push_back(name);
    throw RequestError("--set " + unknown.front() + ": \"" + name_of(unknown.front()) +
                       "\" is neither an option of the method nor a parameter or size of a "
                       "problem" +
                       suggestion(name_of(unknown.front()), names));
  }
  return set;
}

/// A method that fits nothing measures nothing: that is a wrong request, not a good result.
void refuse_misfits(const AuditReport& report) {
  for (const MethodAudit& method : report.methods) {
    std::string reason;
    bool fits = method.problems.empty() && method.long_runs.empty();
    for (const ProblemAudit& problem : method.problems) {
      fits = fits || problem.misfit.empty();
      if (reason.empty()) reason = problem.misfit;
    }
    for (const LongRunAudit& run : method.long_runs) {
      fits = fits || run.misfit.empty();
      if (reason.empty()) reason = run.misfit;
    }
    if (!fits && report.methods.size() == 1)
      throw RequestError("method \"" + method.label +
                         "\" fits no problem of this audit: " + reason);
  }
}

/// Problems that were named as files are read.
std::vector<std::filesystem::path> inputs_of(const AuditArguments& arguments) {
  std::vector<std::filesystem::path> inputs;
  if (!arguments.set.empty()) inputs.emplace_back(arguments.set);
  for (const std::string& problem : arguments.problems) {
    inputs.emplace_back(problem);
    inputs.emplace_back(problem.substr(0, problem.rfind(':')));
  }
  return inputs;
}

int audit(const AuditArguments& arguments) {
  std::vector<std::string> settings = arguments.settings;
  std::vector<AuditMethod> methods = chosen_methods(arguments, settings);
  AuditSet set = chosen_set(arguments, settings);
  ReportOutputs outputs(arguments, inputs_of(arguments), arguments.force);
  AuditOptions options{.full = arguments.full};
  options.threads = arguments.threads > 0
                        ? arguments.threads
                        : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  const Stopwatch stopwatch;
  const AuditReport report = audit_with_progress(std::move(methods), std::move(set), options);
  if (!report.is_complete) {
    complain("interrupted; an audit cannot be resumed");
    return interrupted;
  }
  tell_audit(report, stopwatch.seconds());
  refuse_misfits(report);
  const bool is_markdown = arguments.markdown && arguments.json != "-";
  outputs.write(
      {.text = is_markdown ? audit_markdown(report) : audit_text(report, arguments.details),
       .json = [&] { return audit_json(report); },
       .csv = [&] { return audit_csv(report); },
       .html = [&] { return audit_html(report); },
       .out = [&](auto& path) { write_table_file(path, "audit", audit_arrays(report)); }});
  if (report.is_broken()) complain("a promise is broken");
  if (report.has_surprises())
    complain("a long run drifts otherwise than predicted; the list at the end says where");
  return report.is_broken() || report.has_surprises() ? check_failed : success;
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<AuditArguments>();
  CLI::App* command = app.add_subcommand(
      "audit", "What a method really preserves: every property measured against its promise");
  command->add_option("method", arguments->method,
                      "A method, with options as in \"dla(alpha=0.4)\"");
  command
      ->add_option(
          "--set", arguments->settings,
          "An option of the method, as alpha=0.4, or a parameter or size of what --problem "
          "names, as m=2")
      ->allow_extra_args(false);
  command->add_flag("--all", arguments->all,
                    "All methods; with --full also with other values of their options");
  command
      ->add_option("--problem", arguments->problems,
                   "A problem or problem file, as NAME or NAME:START, instead of the standard set "
                   "(may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--set-file", arguments->set,
                      "A file that lists the problems, like studies/audit.toml");
  CLI::Option* full =
      command->add_flag("--full", arguments->full, "Long runs as in the papers and beyond");
  command->add_flag("--quick", arguments->quick, "Short long runs (the default)")->excludes(full);
  add_report_options(*command, *arguments,
                     {.json = "results",
                      .csv = "a line for each measurement",
                      .html = "a page with tables and pictures",
                      .out = "all measurements"});
  command->add_flag("--markdown", arguments->markdown, "Print the table of methods in Markdown");
  command->add_flag("--details", arguments->details, "Print every single measurement");
  command->add_option("--threads", arguments->threads, "Measurements at the same time")
      ->check(CLI::Range(1, 1024));
  add_force_option(*command, arguments->force);
  add_verbosity_options(*command,
                        "what is measured on each problem, and why a method does not fit one");
  command->footer(
      "Examples: dalembert audit dla01\n"
      "          dalembert audit 'dla(alpha=0.4)' --problem my-problem.toml --details\n"
      "          dalembert audit --all --html audit.html\n"
      "Exit code 1: a promise is broken.");
  command->callback([arguments, &action] { action = [arguments] { return audit(*arguments); }; });
}

}  // namespace dalembert::app
