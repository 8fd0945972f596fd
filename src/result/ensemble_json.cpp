#include "dalembert/result/ensemble_json.hpp"

#include <nlohmann/json.hpp>

#include "dalembert/result/json_result.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
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

Json members_json(const std::vector<StateValues>& states, std::vector<double> StateValues::*part) {
  Json list = Json::array();
  for (const StateValues& state : states) list.push_back(state.*part);
  return list;
}

Json ensemble_object(const EnsemblePlan& plan, const EnsembleResult& result) {
  Json statistics = Json::object(), failures = Json::array(), t_final = Json::array();
  for (const QuantityStatistics& quantity : result.quantities)
    statistics[quantity.name] = statistics_json(quantity);
  for (const MemberFailure& failure : result.failures) {
    failures.push_back({{"member", failure.member},
                        {"step", failure.step},
                        {"t", failure.t},
                        {"residual", failure.residual},
                        {"message", failure.message}});
  }
  for (const StateValues& state : result.final) t_final.push_back(state.t);
  return {{"size", result.size()},
          {"seed", plan.seed},
          {"ok", result.size() - result.failures.size()},
          {"failed", result.failures.size()},
          {"failures", failures},
          {"t", result.t},
          {"alive", result.alive},
          {"statistics", statistics},
          {"growth",
           {{"variance", growth_json(result.variance)},
            {"mean_square", growth_json(result.mean_square)}}},
          {"initial",
           {{"q", members_json(result.initial, &StateValues::q)},
            {"v", members_json(result.initial, &StateValues::v)}}},
          {"final",
           {{"t", t_final},
            {"q", members_json(result.final, &StateValues::q)},
            {"v", members_json(result.final, &StateValues::v)},
            {"lambda", members_json(result.final, &StateValues::lambda)}}}};
}

Json run_json(const EnsemblePlan& plan, const EnsembleResult& result) {
  Json run = Json::parse(run_json_text(plan.run, as_run(plan, result)));
  run["initial"] = run["final"] = nullptr;  // each member has its own
  run["work"]["member_steps"] = result.member_steps;
  run["work"]["evaluations"] = result.member_steps + result.newton_iterations;
  run["ensemble"] = ensemble_object(plan, result);
  return run;
}

}  // namespace

std::string ensemble_json(const Study& study, const std::vector<EnsemblePlan>& plans,
                          const std::vector<EnsembleResult>& results) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) runs.push_back(run_json(plans[i], results[i]));
  const Json json{
      {"dalembert", version()}, {"study", study.text}, {"title", study.title}, {"runs", runs}};
  return json.dump() + "\n";
}

}  // namespace dalembert::study
