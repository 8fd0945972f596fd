#include "dalembert/claims/paper_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <tuple>
#include <utility>

#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/method/library.hpp"

namespace dalembert::study {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::pair<const char*, Verdict>, 5> verdict_names{
    {{"holds", Verdict::holds},
     {"qualified", Verdict::qualified},
     {"fails", Verdict::fails},
     {"undecided", Verdict::undecided},
     {"undecidable", Verdict::undecidable}}};

Verdict read_verdict(const DocumentNode& node) {
  for (const auto& [name, verdict] : verdict_names) {
    if (as_text(node) == name) return verdict;
  }
  node.refuse(node.found() +
              " is no verdict; known are holds, qualified, fails, undecided, undecidable");
}

ExperimentRecord read_experiment(const DocumentNode& node) {
  TableReader table(node);
  ExperimentRecord experiment{.name = as_text(table.require("name")),
                              .source = as_text(table.require("source")),
                              .title = as_text(table.require("title")),
                              .caption = as_text(table.require("caption")),
                              .place = node.place};
  if (const DocumentNode* studies = table.find("study")) experiment.studies = as_list(*studies);
  table.finish();
  return experiment;
}

/// Names of methods and problems of the library.
std::vector<std::string> read_subjects(const DocumentNode& list) {
  std::vector<std::string> names, known = problem_names();
  for (const MethodEntry& entry : methods()) known.push_back(entry.name);
  for (const DocumentNode& node : as_list(list)) {
    names.push_back(as_text(node));
    if (std::ranges::find(known, names.back()) == known.end())
      node.refuse("is " + node.found() + ", which is no method and no problem of the library" +
                  suggestion(names.back(), known));
  }
  return names;
}

ClaimRecord read_claim(const DocumentNode& node, const PaperFile& paper) {
  TableReader table(node);
  ClaimRecord claim{.id = as_text(table.require("id")),
                    .paper = paper.name,
                    .experiment = as_text(table.require("experiment")),
                    .source = as_text(table.require("source")),
                    .statement = as_text(table.require("statement")),
                    .verdict = read_verdict(table.require("verdict")),
                    .qualification = table.text("qualification")};
  if (const DocumentNode* about = table.find("about")) claim.about = read_subjects(*about);
  if (const DocumentNode* quick = table.find("quick")) claim.quick = read_verdict(*quick);
  if (std::ranges::none_of(paper.experiments, [&](const ExperimentRecord& experiment) {
        return experiment.name == claim.experiment;
      })) {
    std::vector<std::string> names;
    for (const ExperimentRecord& experiment : paper.experiments) names.push_back(experiment.name);
    table.require("experiment")
        .refuse("is " + table.require("experiment").found() +
                ", which is no experiment of this paper" + suggestion(claim.experiment, names));
  }
  if (claim.verdict != Verdict::holds && claim.qualification.empty())
    node.refuse("claim " + claim.id + " does not hold as it stands and needs a qualification");
  table.finish();
  return claim;
}

Misprint read_misprint(const DocumentNode& node, const std::string& paper) {
  TableReader table(node);
  Misprint misprint{paper, as_text(table.require("where")), as_text(table.require("text"))};
  table.finish();
  return misprint;
}

}  // namespace

PaperFile read_paper(const DocumentNode& document, const std::string& name) {
  TableReader table(document);
  PaperFile paper{.number = as_text(table.require("number")),
                  .name = name,
                  .citation = as_text(table.require("citation"))};
  for (const DocumentNode& node : as_list(table.require("experiment")))
    paper.experiments.push_back(read_experiment(node));
  for (const DocumentNode& node : as_list(table.require("claim"))) {
    paper.claims.push_back(read_claim(node, paper));
    const auto same = [&](const ClaimRecord& other) { return other.id == paper.claims.back().id; };
    if (std::ranges::count_if(paper.claims, same) > 1)
      node.refuse("claim " + paper.claims.back().id + " is recorded twice");
  }
  if (const DocumentNode* misprints = table.find("misprint")) {
    for (const DocumentNode& node : as_list(*misprints))
      paper.misprints.push_back(read_misprint(node, name));
  }
  table.finish();
  return paper;
}

std::vector<PaperFile> read_papers() {
  const fs::path studies = data_directory() / "studies";
  std::error_code reason;
  std::vector<PaperFile> papers;
  for (const auto& folder : fs::directory_iterator(studies, reason)) {
    const fs::path file = folder.path() / "paper.toml";
    if (fs::exists(file))
      papers.push_back(read_paper(read_document(file), folder.path().filename().string()));
  }
  if (reason) throw OutputError("cannot read \"" + studies.string() + "\": " + reason.message());
  std::ranges::sort(papers, {},
                    [](const PaperFile& paper) { return std::tie(paper.number, paper.name); });
  return papers;
}

ClaimLibrary read_claims() {
  ClaimLibrary library;
  for (const PaperFile& paper : read_papers()) {
    library.claims.insert(library.claims.end(), paper.claims.begin(), paper.claims.end());
    library.misprints.insert(library.misprints.end(), paper.misprints.begin(),
                             paper.misprints.end());
  }
  return library;
}

std::vector<ClaimRecord> claims_about(const ClaimLibrary& library, const std::string& name) {
  std::vector<ClaimRecord> claims;
  std::ranges::copy_if(library.claims, std::back_inserter(claims), [&](const ClaimRecord& claim) {
    return std::ranges::find(claim.about, name) != claim.about.end();
  });
  return claims;
}

std::vector<std::string> verdict_lines(const std::vector<ClaimRecord>& claims) {
  std::vector<std::string> lines;
  for (const auto& [key, verdict] : verdict_names) {
    std::string ids;
    for (const ClaimRecord& claim : claims) {
      if (claim.verdict == verdict) ids += (ids.empty() ? "" : ", ") + claim.id;
    }
    if (!ids.empty()) lines.push_back(verdict_text(verdict) + ": " + ids);
  }
  return lines;
}

}  // namespace dalembert::study
