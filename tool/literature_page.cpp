#include "literature_page.hpp"

#include <string_view>
#include <vector>

#include "dalembert/claims/paper_file.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::pages {

using namespace study;

namespace {

/// Text for a cell of a table: nothing in it is Markdown.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += ' ';
      continue;
    }
    if (std::string_view("*|<>_[]`$").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// A line below an entry of a list for each verdict.
std::string verdicts_list(const ClaimLibrary& library, const std::string& name) {
  std::string text;
  for (const std::string& line : verdict_lines(claims_about(library, name)))
    text += "  - " + line + "\n";
  return text;
}

/// ", also `i-dla` (Celledoni2019)", or nothing.
std::string other_names(const MethodEntry& entry) {
  std::string text;
  for (const Alias& alias : entry.aliases)
    text += (text.empty() ? ", also `" : ", `") + alias.name + "` (" + alias.source + ")";
  return text;
}

/// The qualification with its numbers' names in the places of the numbers.
std::string qualification_cell(const ClaimRecord& claim) {
  return with_each_name(cell(claim.qualification),
                        [](const std::string& name) { return "*" + name + "*"; });
}

bool has_source(const ProblemFile& problem) {
  return !problem.source.empty() && !problem.source.starts_with("made for this library");
}

}  // namespace

std::string literature_methods() {
  const ClaimLibrary library = read_claims();
  std::string text;
  for (const MethodEntry& entry : methods()) {
    text += "- [`" + entry.name + "`](methods.md#" + entry.name + ")" + other_names(entry) + ": " +
            cell(entry.source) + "\n" + verdicts_list(library, entry.name);
  }
  return text;
}

std::string literature_problems() {
  const ClaimLibrary library = read_claims();
  std::string text;
  for (const std::string& name : problem_names()) {
    const ProblemFile problem = read_problem_file(find_problem(name));
    if (!has_source(problem)) continue;
    text += "- `" + name + "`: " + cell(problem.source) + "\n" + verdicts_list(library, name);
  }
  return text;
}

std::string literature_claims() {
  std::string text;
  for (const PaperFile& paper : read_papers()) {
    text += (text.empty() ? "### " : "\n### ") + cell(paper.citation) + "\n\n" +
            "| claim | what was claimed | measured |\n"
            "|---|---|---|\n";
    for (const ClaimRecord& claim : paper.claims) {
      const std::string left = qualification_cell(claim);
      text += "| " + claim.id + " | " + cell(claim.statement + " (" + claim.source + ")") +
              " | **" + verdict_text(claim.verdict) + "**" + (left.empty() ? "" : ": " + left) +
              " (`" + paper.name + "/" + claim.experiment + "`) |\n";
    }
  }
  return text;
}

}  // namespace dalembert::pages
