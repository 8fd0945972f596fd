#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/arguments/output_claims.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/verbosity.hpp"
#include "commands.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "dalembert/reproduce/paper_file.hpp"
#include "dalembert/reproduce/reproduce.hpp"
#include "dalembert/reproduce/reproduction_pages.hpp"
#include "dalembert/reproduce/reproduction_text.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace reproduce;

using namespace study;

namespace {

struct ReproduceArguments {
  std::string what, out = "reproduced", json;
  bool quick = false, check = false, force = false;
  std::size_t threads = 1;
};

/// The directory for the pages, made before anything is computed.
std::filesystem::path output_directory(const ReproduceArguments& arguments) {
  std::error_code error;
  std::filesystem::create_directories(arguments.out, error);
  if (error) throw OutputError("cannot make the directory \"" + arguments.out + "\"");
  check_picture_file(std::filesystem::path(arguments.out) / "picture.svg");
  return arguments.out;
}

std::vector<Reproduced> reproduce_all(const std::vector<ExperimentChoice>& choices,
                                      const ReproduceArguments& arguments,
                                      const ClaimLibrary& library) {
  catch_interrupts();
  const ReproductionEffort effort{arguments.quick, arguments.threads, &interrupt_flag()};
  const bool shows_line = isatty(STDERR_FILENO) == 1 && shows_tables_and_progress();
  std::vector<Reproduced> results;
  for (const ExperimentChoice& choice : choices) {
    if (shows_line) {
      fmt::print(stderr, "\r\033[K[{}/{}] {}/{}", results.size() + 1, choices.size(),
                 choice.paper->name, choice.experiment->name);
      std::fflush(stderr);
    }
    results.push_back(reproduce::reproduce(choice, effort, library));
    if (interrupt_flag()) break;
    if (shows_line) std::fputs("\r\033[K", stderr);
    tell_experiment(results.back());
  }
  if (shows_line) std::fputs("\r\033[K", stderr);
  return results;
}

std::size_t different_verdicts(const std::vector<Reproduced>& results) {
  std::size_t count = 0;
  for (const Reproduced& result : results) {
    for (const ClaimRow& row : result.claims) count += row.is_as_recorded() ? 0 : 1;
  }
  return count;
}

int reproduce_papers(const ReproduceArguments& arguments) {
  const std::vector<ExperimentChoice> choices = choose_experiments(arguments.what);
  const ClaimLibrary library = read_claims();
  OutputClaims claims({}, arguments.force);
  claims.claim_directory("--out", arguments.out);
  claims.claim("--json", arguments.json);
  const std::filesystem::path directory = output_directory(arguments);
  std::optional<OutputFile> json;
  if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);

  const std::vector<Reproduced> results = reproduce_all(choices, arguments, library);
  if (interrupt_flag()) {
    complain("interrupted; nothing was written");
    return interrupted;
  }
  write_reproduction(directory, results, library, arguments.quick);
  const std::string text =
      reproduction_text(results) + "pages: " + (directory / "index.html").string() + "\n";
  print_table(text, arguments.json == "-");
  if (arguments.json == "-") print(reproduction_json(results, arguments.quick));
  if (json) json->write(reproduction_json(results, arguments.quick));
  const std::size_t different = different_verdicts(results);
  if (!arguments.check || different == 0) return success;
  complain(fmt::format("{} verdict{} differ{} from the recorded ones", different,
                       different == 1 ? "" : "s", different == 1 ? "s" : ""));
  return check_failed;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "Rerun published experiments: pictures, data and a verdict on each claim");
  command->add_option("what", arguments->what,
                      "A paper, as modin-verdier-2020 (or its number, 000), one experiment of it, "
                      "as modin-verdier-2020/figure-6, or the experiment that measures a claim, as "
                      "000-D.2; everything if not given");
  command->add_flag("--quick", arguments->quick,
                    "Shorter runs and smaller ensembles, with bounds of their own");
  command->add_flag("--check", arguments->check,
                    "Exit with 1 if a verdict differs from the recorded one");
  command
      ->add_option("--out", arguments->out,
                   "Directory for index.html, a page per paper, pictures and data")
      ->capture_default_str();
  command->add_option("--json", arguments->json,
                      "Write the claims as JSON to a file, or to standard output with -");
  command->add_option("--threads", arguments->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024));
  add_force_option(*command, arguments->force);
  add_verbosity_options(*command, "each experiment with its time and verdicts");
  command->footer(
      "Examples: dalembert reproduce --quick\n"
      "          dalembert reproduce modin-verdier-2020/figure-6 --out pages --threads 2");
  command->callback(
      [arguments, &action] { action = [arguments] { return reproduce_papers(*arguments); }; });
}

}  // namespace dalembert::app
