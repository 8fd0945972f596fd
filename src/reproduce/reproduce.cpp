#include "dalembert/reproduce/reproduce.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/reproduce/claims.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "reproduce/paper/anahory_simoes_2022/anahory_simoes_2022.hpp"
#include "reproduce/paper/celledoni_2019/celledoni_2019.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/jimenez_scheurle_2015.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/martin_de_diego_sato_2018.hpp"
#include "reproduce/paper/modin_verdier_2020/modin_verdier_2020.hpp"
#include "reproduce/paper/open_problems/open_problems.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

const Paper& find_paper(const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : papers()) {
    if (paper.name == name || paper.number == name) return paper;
    names.push_back(paper.name);
  }
  throw RequestError("there is no paper \"" + name + "\" to reproduce" + suggestion(name, names));
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

/// Our own mistakes: claims measured but not recorded here, recorded here but not measured.
void check_complete(const ExperimentChoice& choice, const std::vector<ClaimRow>& rows,
                    const ClaimLibrary& library) {
  for (const ClaimRecord& record : library.claims) {
    if (record.paper != choice.paper->name || record.experiment != choice.experiment->name)
      continue;
    if (std::none_of(rows.begin(), rows.end(),
                     [&](const ClaimRow& row) { return row.record.id == record.id; }))
      throw std::logic_error("claim " + record.id + " was not measured");
  }
}

}  // namespace

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{modin_verdier_2020(),        celledoni_2019(),
                                      martin_de_diego_sato_2018(), anahory_simoes_2022(),
                                      jimenez_scheurle_2015(),     open_problems()};
  return all;
}

std::vector<ExperimentChoice> choose_experiments(const std::string& request) {
  std::vector<ExperimentChoice> choices;
  const std::size_t slash = request.find('/');
  if (slash != std::string::npos) {
    const Paper& paper = find_paper(request.substr(0, slash));
    return {{&paper, &find_experiment(paper, request.substr(slash + 1))}};
  }
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
      throw std::logic_error("claim " + finding.claim + " is not recorded for " +
                             choice.paper->name + "/" + choice.experiment->name);
    with_numbers(record->qualification, finding.evidence);  // each name is known
    result.claims.push_back({*record, finding.evidence, judge(finding.evidence), effort.quick});
  }
  check_complete(choice, result.claims, library);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace dalembert::reproduce
