#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/arguments/subject.hpp"
#include "app/formula/c_step_text.hpp"
#include "app/formula/formula_sheet.hpp"
#include "app/formula/latex_sheet.hpp"
#include "app/formula/sympy_script.hpp"
#include "app/stored/rows_at_times.hpp"
#include "app/stored/stored_outputs.hpp"
#include "app/terminal/message.hpp"
#include "commands.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct ExportArguments {
  std::string file;
  StoredRequest request;
  TimesRequest times;
  bool latex = false, sympy = false, c = false;
  CStepRequest steps;

  bool asks_for_formulas() const { return latex || sympy; }
};

bool is_result_file(const std::string& name) {
  if (name.ends_with(".toml") || is_named_problem(name)) return false;
  return name.ends_with(".h5") || std::filesystem::is_regular_file(name);
}

/// The equations of a problem or a method on standard output.
int export_formulas(const ExportArguments& arguments) {
  const std::string& name = arguments.file;
  const std::string option = arguments.latex ? "--latex" : "--sympy";
  if (arguments.latex && arguments.sympy)
    throw RequestError("--latex and --sympy both print equations; choose one of them");
  if (!arguments.request.is_empty() || !arguments.times.is_empty()) {
    throw RequestError(option +
                       " prints the equations of a problem or a method; --csv, --json, --plot, "
                       "--at and --every are for a result file");
  }
  if (is_result_file(name)) {
    throw RequestError(option + " prints the equations of a problem or a method; \"" + name +
                       "\" is a result file, for --csv, --json or --plot");
  }
  print(arguments.latex ? latex_equations(formula_sheet(name, option))
                        : sympy_script(name, option));
  return success;
}

/// A problem or a method where a result file belongs.
void refuse_formulas(const std::string& name) {
  if (std::filesystem::exists(name) && !name.ends_with(".toml")) return;
  const bool is_method = find_method(name).has_value();
  if (!is_method && !is_named_problem(name) && !name.ends_with(".toml")) return;
  throw RequestError("\"" + name + "\" is a " + (is_method ? "method" : "problem") +
                     ", whose equations --latex or --sympy print; --csv, --json and --plot are for "
                     "a result file");
}

/// The steps of a method on a problem as C on standard output.
int export_c(const ExportArguments& arguments) {
  if (arguments.asks_for_formulas())
    throw RequestError("--c prints steps, --latex and --sympy equations; choose one of them");
  if (!arguments.request.is_empty() || !arguments.times.is_empty()) {
    throw RequestError(
        "--c prints the steps of a method on a problem; --csv, --json, --plot, --at and --every "
        "are for a result file");
  }
  print(c_step_text(arguments.file, arguments.steps));
  return success;
}

int export_result(const ExportArguments& arguments) {
  if (arguments.c) return export_c(arguments);
  if (!arguments.steps.is_empty()) throw RequestError(arguments.steps.complaint_without_c());
  if (arguments.asks_for_formulas()) return export_formulas(arguments);
  refuse_formulas(arguments.file);
  const std::string& file = arguments.file;
  const StoredRequest& request = arguments.request;
  const TimesRequest& times = arguments.times;
  const Study study = read_study(parse_document(read_hdf5_study(file), file));
  if (request.is_empty() && times.is_empty())
    throw RequestError("say what to write: --csv DIR, --json FILE or --plot FILE");
  claim_stored_outputs(study, file, request);
  if (times.is_empty()) {
    write_stored_outputs(study, file, request);
  } else {
    write_rows_at_times(study, file, request, times);
  }
  return success;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand(
      "export", "Write a result file as CSV, JSON or a picture; print equations, or steps in C");
  command
      ->add_option(
          "file", arguments->file,
          "A result of dalembert run --out; with --latex or --sympy a problem or a method, "
          "as describe takes it; with --c a method")
      ->required();
  add_stored_outputs(*command, arguments->request);
  add_times(*command, arguments->times);
  command->add_flag("--latex", arguments->latex,
                    "Print the equations of a problem or a method in LaTeX");
  command->add_flag(
      "--sympy", arguments->sympy,
      "Print them as a Python script for SymPy, which derives the equations of motion");
  command->add_flag("--c", arguments->c,
                    "Print the steps of a method on a problem as a C header that needs nothing");
  add_c_step(*command, arguments->steps);
  command->footer(
      "Examples: dalembert export result.h5 --csv rows --json result.json\n"
      "          dalembert export result.h5 --at 12.34,20 --csv rows\n"
      "          dalembert export pendulum-cvt --sympy > pendulum_cvt.py\n"
      "          dalembert export leapfrog pendulum-cvt --c > step.h");
  command->callback(
      [arguments, &action] { action = [arguments] { return export_result(*arguments); }; });
}

}  // namespace dalembert::app
