#include "dalembert/result/ensemble_json.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <utility>

#include "dalembert/result/json_result.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "dalembert/version.hpp"
#include "study/ensemble/ensemble_summary.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;

Json growth_json(const GrowthLaw& law) {
  if (!law.measured) return nullptr;
  return {{"exponent", law.exponent},
          {"uncertainty", law.uncertainty},
          {"factor", law.factor},
          {"rate", law.rate},
          {"rate_uncertainty", law.rate_uncertainty},
          {"offset", law.offset},
          {"from", law.from},
          {"until", law.until}};
}

/// The columns of statistics of a quantity, each a list over the records.
Json statistics_json(const QuantityStatistics& quantity) {
  Json columns = Json::object();
  for (std::size_t column = 0; column < ensemble_columns.size(); ++column) {
    Json values = Json::array();
    for (const SampleStatistics& record : quantity.records)
      values.push_back(column_values(record)[column]);
    columns[ensemble_columns[column]] = std::move(values);
  }
  return columns;
}

/// An ensemble without the states of its members.
Json ensemble_object(const EnsemblePlan& plan, const EnsembleResult& result) {
  Json statistics = Json::object(), failures = Json::array();
  for (const QuantityStatistics& quantity : result.quantities)
    statistics[quantity.name] = statistics_json(quantity);
  for (const MemberFailure& failure : result.failures) {
    failures.push_back({{"member", failure.member},
                        {"step", failure.step},
                        {"t", failure.t},
                        {"residual", failure.residual},
                        {"message", failure.message}});
  }
  Json ends = Json::array();
  for (const MemberFailure& end : result.ends)
    ends.push_back({{"member", end.member},
                    {"step", end.step},
                    {"t", end.t},
                    {"event", plan.run.events[*end.ended_by].name}});
  Json object{{"size", result.size()},
              {"seed", plan.seed},
              {"ok", result.size() - result.failures.size()},
              {"failed", result.failures.size()},
              {"failures", failures},
              {"ended", result.ends.size()},
              {"ends", ends},
              {"t", result.t},
              {"alive", result.alive},
              {"statistics", statistics},
              {"growth",
               {{"variance", growth_json(result.variance)},
                {"mean_square", growth_json(result.mean_square)}}}};
  if (plan.part) {
    object["part"] = plan.part->text();
    object["first_member"] = plan.part->first;
    object["members_of_all"] = plan.part->members_of_all;
  }
  return object;
}

Json run_json(const EnsemblePlan& plan, const EnsembleResult& result) {
  Json run = Json::parse(run_json_text(plan.run, as_run(plan, result)));
  run["initial"] = run["final"] = nullptr;  // each member has its own
  run["work"]["member_steps"] = result.member_steps;
  run["work"]["evaluations"] = result.member_steps + result.newton_iterations;
  run["ensemble"] = ensemble_object(plan, result);
  return run;
}

/// Objects end with another entry.
void write_open(std::ostream& out, const Json& object, std::size_t open) {
  std::string text = object.dump();
  text.resize(text.size() - open);  // without the last braces
  out << text << ",";
}

/// A list with a row for each member, [] without a start.
void write_rows(std::ostream& out, const MemberStates& states, MemberStates::Part part) {
  out << "[";
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::span<const double> row = (states.*part)(i);
    out << (i == 0 ? "" : ",") << Json(std::vector<double>(row.begin(), row.end())).dump();
  }
  out << "]";
}

void write_run(std::ostream& out, const EnsemblePlan& plan, const EnsembleResult& result) {
  write_open(out, run_json(plan, result), 2);
  {
    const MemberStates initial = initial_states(plan);
    out << R"("initial":{"q":)";
    write_rows(out, initial, &MemberStates::q);
    out << R"(,"v":)";
    write_rows(out, initial, &MemberStates::v);
  }
  const MemberStates final = final_states(plan, result);
  out << R"(},"final":{"t":[)";
  for (std::size_t i = 0; i < final.size(); ++i)
    out << (i == 0 ? "" : ",") << Json(final.t(i)).dump();
  out << R"(],"q":)";
  write_rows(out, final, &MemberStates::q);
  out << R"(,"v":)";
  write_rows(out, final, &MemberStates::v);
  out << R"(,"lambda":)";
  write_rows(out, final, &MemberStates::lambda);
  out << "}}}";
}

}  // namespace

void write_ensemble_json(std::ostream& out, const Study& study,
                         const std::vector<EnsemblePlan>& plans,
                         const std::vector<EnsembleResult>& results) {
  write_open(out, {{"dalembert", version()}, {"study", study.text}, {"title", study.title}}, 1);
  out << R"("runs":[)";
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0) out << ",";
    write_run(out, plans[i], results[i]);
  }
  out << "]}\n";
}

std::string ensemble_json(const Study& study, const std::vector<EnsemblePlan>& plans,
                          const std::vector<EnsembleResult>& results) {
  std::ostringstream text;
  write_ensemble_json(text, study, plans, results);
  return std::move(text).str();
}

}  // namespace dalembert::study
