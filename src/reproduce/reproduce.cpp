#include "reproduce/reproduce.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "dalembert/claims/paper_file.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/numbers/study_numbers.hpp"
#include "reproduce/paper/paper_code.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// The experiment that measures a claim; none where no claim has that number.
std::optional<ExperimentChoice> experiment_of_claim(const std::string& id) {
  const ClaimLibrary library = read_claims();
  const auto claim = std::ranges::find(library.claims, id, &ClaimRecord::id);
  if (claim == library.claims.end()) return std::nullopt;
  for (const Paper& paper : papers()) {
    for (const Experiment& experiment : paper.experiments) {
      if (paper.name == claim->paper && experiment.name == claim->experiment)
        return ExperimentChoice{&paper, &experiment};
    }
  }
  return std::nullopt;
}

const Paper& find_paper(const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : papers()) {
    if (paper.name == name || paper.number == name) return paper;
    names.push_back(paper.name);
  }
  throw RequestError("there is no paper and no claim \"" + name + "\" to reproduce" +
                     suggestion(name, names));
}

const Experiment& find_experiment(const Paper& paper, const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& experiment : paper.experiments) {
    if (experiment.name == name) return experiment;
    names.push_back(experiment.name);
  }
  throw RequestError("there is no experiment \"" + name + "\" of paper \"" + paper.name + "\"" +
                     suggestion(name, names));
}

/// Nothing may be recorded and not measured.
void check_complete(const ExperimentChoice& choice, const std::vector<ClaimRow>& rows,
                    const ClaimLibrary& library) {
  for (const ClaimRecord& record : library.claims) {
    if (record.paper != choice.paper->name || record.experiment != choice.experiment->name)
      continue;
    if (std::none_of(rows.begin(), rows.end(),
                     [&](const ClaimRow& row) { return row.record.id == record.id; }))
      throw RequestError("claim " + record.id + " of " + choice.paper->name +
                         " is not measured: no number of experiment \"" + choice.experiment->name +
                         "\" is one of its");
  }
}

/// All of what is measured for an experiment, a finding for each claim.
ExperimentOutcome run_all(const std::vector<ExperimentCode>& parts,
                          const ReproductionEffort& effort) {
  ExperimentOutcome all;
  for (const ExperimentCode& part : parts) {
    ExperimentOutcome outcome = part(effort);
    std::ranges::move(outcome.pictures, std::back_inserter(all.pictures));
    std::ranges::move(outcome.tables, std::back_inserter(all.tables));
    for (ClaimFinding& finding : outcome.findings) {
      const auto same = std::ranges::find(all.findings, finding.claim, &ClaimFinding::claim);
      if (same == all.findings.end()) {
        all.findings.push_back(std::move(finding));
      } else {
        std::ranges::move(finding.evidence, std::back_inserter(same->evidence));
      }
    }
  }
  return all;
}

/// What code measures comes first.
Experiment make_experiment(const ExperimentRecord& record, PaperCode& code) {
  std::vector<ExperimentCode> parts;
  std::erase_if(code, [&](auto& entry) {
    if (entry.first != record.name) return false;
    parts.push_back(std::move(entry.second));
    return true;
  });
  for (const DocumentNode& entry : record.studies) parts.push_back(read_study_numbers(entry));
  if (parts.empty())
    throw RequestError(record.place.text(), "nothing measures experiment \"" + record.name +
                                                "\"; give it an [[experiment.study]]");
  return {record.name, record.source, record.title, record.caption,
          [parts](const ReproductionEffort& effort) { return run_all(parts, effort); }};
}

std::vector<Paper> all_papers() {
  std::vector<Paper> all;
  for (const PaperFile& file : read_papers()) {
    PaperCode code = code_of_paper(file.name);
    all.push_back({file.number, file.name, file.citation, {}});
    for (const ExperimentRecord& record : file.experiments)
      all.back().experiments.push_back(make_experiment(record, code));
    if (!code.empty())
      throw std::logic_error("experiment \"" + code.front().first + "\" is not recorded for " +
                             file.name);
  }
  return all;
}

}  // namespace

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all = all_papers();
  return all;
}

std::vector<ExperimentChoice> choose_experiments(const std::string& request) {
  std::vector<ExperimentChoice> choices;
  const std::size_t slash = request.find('/');
  if (slash != std::string::npos) {
    const std::string name = request.substr(0, slash);
    const Paper& paper = find_paper(name);
    return {{&paper, &find_experiment(paper, request.substr(slash + 1))}};
  }
  if (const auto choice = request.empty() ? std::nullopt : experiment_of_claim(request))
    return {*choice};
  const Paper* only = request.empty() ? nullptr : &find_paper(request);
  for (const Paper& paper : papers()) {
    if (only != nullptr && only != &paper) continue;
    for (const Experiment& experiment : paper.experiments) choices.push_back({&paper, &experiment});
  }
  return choices;
}

std::string ClaimRow::qualification() const {
  const bool is_silent = verdict == Verdict::holds ||
                         (verdict == Verdict::undecided && record.verdict != Verdict::undecided);
  return is_silent ? "" : with_numbers(record.qualification, evidence);
}

Reproduced reproduce(const ExperimentChoice& choice, const ReproductionEffort& effort,
                     const ClaimLibrary& library) {
  const auto begin = std::chrono::steady_clock::now();
  ExperimentOutcome outcome = choice.experiment->run(effort);
  Reproduced result{.choice = choice,
                    .pictures = std::move(outcome.pictures),
                    .tables = std::move(outcome.tables)};
  for (const ClaimFinding& finding : outcome.findings) {
    const auto record =
        std::find_if(library.claims.begin(), library.claims.end(), [&](const ClaimRecord& claim) {
          return claim.id == finding.claim && claim.paper == choice.paper->name &&
                 claim.experiment == choice.experiment->name;
        });
    if (record == library.claims.end())
      throw RequestError("claim " + finding.claim + " is not recorded for " + choice.paper->name +
                         "/" + choice.experiment->name + ", which measures it");
    with_numbers(record->qualification, finding.evidence);  // each name is known
    result.claims.push_back({*record, finding.evidence, judge(finding.evidence), effort.quick});
  }
  std::ranges::stable_sort(result.claims, {}, [&](const ClaimRow& row) {
    return std::ranges::find(library.claims, row.record.id, &ClaimRecord::id) -
           library.claims.begin();
  });
  check_complete(choice, result.claims, library);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace dalembert::reproduce
