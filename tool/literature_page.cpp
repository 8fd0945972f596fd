#include "literature_page.hpp"

#include <string_view>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/reproduce/paper_file.hpp"

namespace dalembert::pages {

using namespace reproduce;
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

std::string verdicts_cell(const ClaimLibrary& library, const std::string& name) {
  std::string text;
  for (const std::string& line : verdict_lines(claims_about(library, name)))
    text += (text.empty() ? "" : "; ") + line;
  return text;
}

std::string names_cell(const MethodEntry& entry) {
  std::string text;
  for (const Alias& alias : entry.aliases)
    text += (text.empty() ? "`" : ", `") + alias.name + "` (" + alias.source + ")";
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
  std::string text =
      "| method | other names | source | claims about it |\n"
      "|---|---|---|---|\n";
  for (const MethodEntry& entry : methods()) {
    text += "| [`" + entry.name + "`](methods.md#" + entry.name + ") | " + names_cell(entry) +
            " | " + cell(entry.source) + " | " + verdicts_cell(library, entry.name) + " |\n";
  }
  return text;
}

std::string literature_problems() {
  const ClaimLibrary library = read_claims();
  std::string text =
      "| problem | source | claims about it |\n"
      "|---|---|---|\n";
  for (const std::string& name : problem_names()) {
    const ProblemFile problem = read_problem_file(find_problem(name));
    if (!has_source(problem)) continue;
    text += "| `" + name + "` | " + cell(problem.source) + " | " + verdicts_cell(library, name) +
            " |\n";
  }
  return text;
}

std::string literature_claims() {
  std::string text;
  for (const PaperFile& paper : read_papers()) {
    text += (text.empty() ? "### " : "\n### ") + cell(paper.citation) + "\n\n" +
            "| claim | what was claimed | measured | what is left of it | by which run |\n"
            "|---|---|---|---|---|\n";
    for (const ClaimRecord& claim : paper.claims) {
      text += "| " + claim.id + " | " + cell(claim.statement + " (" + claim.source + ")") + " | " +
              verdict_text(claim.verdict) + " | " + qualification_cell(claim) + " | `" +
              paper.name + "/" + claim.experiment + "` |\n";
    }
  }
  return text;
}

}  // namespace dalembert::pages
