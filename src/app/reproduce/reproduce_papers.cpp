#include "reproduce_papers.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/claims/paper_file.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/error.hpp"
#include "dalembert/picture/picture.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/reproduce.hpp"
#include "reproduce/reproduction_pages.hpp"
#include "reproduce/reproduction_text.hpp"

namespace dalembert::app {

using namespace reproduce;
using namespace study;

namespace {

/// The directory for the pages, made before anything is computed.
std::filesystem::path output_directory(const ReproduceArguments& arguments) {
  std::error_code error;
  std::filesystem::create_directories(arguments.out, error);
  if (error) throw OutputError("cannot make the directory \"" + arguments.out + "\"");
  check_picture_file(std::filesystem::path(arguments.out) / "picture.svg");
  return arguments.out;
}

/// A line for an experiment: its time and how many verdicts are the recorded ones.
void tell_experiment(const Reproduced& result) {
  std::size_t as_recorded = 0;
  for (const ClaimRow& claim : result.claims) as_recorded += claim.is_as_recorded();
  tell(fmt::format("{}/{}: {:.3g} s, {} of {} verdicts as recorded", result.choice.paper->name,
                   result.choice.experiment->name, result.seconds, as_recorded,
                   result.claims.size()));
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

}  // namespace

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

}  // namespace dalembert::app
