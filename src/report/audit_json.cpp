#include "dalembert/report/audit_json.hpp"

#include <nlohmann/json.hpp>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/run_audit.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;

const char* lagrangian_text(LagrangianKind kind) {
  switch (kind) {
    case LagrangianKind::constant_mass:
      return "constant mass";
    case LagrangianKind::configuration_mass:
      return "configuration mass";
    default:
      return "general";
  }
}

Json passenger_volume_text(PassengerVolume volume) {
  switch (volume) {
    case PassengerVolume::every_step:
      return "every step";
    case PassengerVolume::every_step_of_springs:
      return "every step, of passengers on springs";
    case PassengerVolume::over_turns:
      return "over turns";
    case PassengerVolume::lost:
      return "lost";
    default:
      return nullptr;
  }
}

Json facts_json(const Facts& facts) {
  return {
      {"order", facts.order.get()},
      {"multiplier_order", facts.multiplier_order},
      {"local_order", facts.local_order.value_or(facts.order + 1)},
      {"maps_constraint_set", facts.maps_constraint_set},
      {"symmetric", facts.symmetric},
      {"asymmetric_on_groups", facts.asymmetric_on_groups},
      {"reversible", facts.reversible},
      {"reflects_multiplier", facts.reflects_multiplier},
      {"exact_energy", facts.exact_energy},
      {"keeps_fibration", facts.keeps_fibration},
      {"passenger_volume", passenger_volume_text(facts.passenger_volume)},
      {"symplectic", facts.symplectic ? Json(lagrangian_text(*facts.symplectic)) : Json(nullptr)}};
}

Json finding_json(const AuditFinding& finding) {
  Json json{{"property", finding.property}};
  if (finding.is_order()) {
    json["promised"] = finding.promised_order;
  } else {
    json["promised"] =
        finding.promise == Promise::none ? Json(nullptr) : Json(finding.promise == Promise::yes);
  }
  const bool is_measured = finding.verdict != AuditVerdict::not_measured;
  json["measured"] = is_measured ? Json(finding.value) : Json(nullptr);
  if (finding.is_order())
    json["uncertainty"] = is_measured ? Json(finding.uncertainty) : Json(nullptr);
  if (!finding.words.empty()) json["words"] = finding.words;
  json["verdict"] = verdict_text(finding.verdict);
  return json;
}

Json prediction_json(const DriftFinding& finding) {
  if (!finding.predicted) return nullptr;
  return {{"slope", finding.predicted->slope},
          {"error", finding.predicted->error},
          {"by", finding.predicted->by_modes ? "modes" : "window"},
          {"beyond_low", finding.predicted->rest.low},
          {"beyond_high", finding.predicted->rest.high},
          {"agrees", finding.agrees()}};
}

Json drift_json(const DriftFinding& finding) {
  const bool ran = finding.verdict != LongRunVerdict::stopped;
  return {{"quantity", finding.quantity},
          {"initial", finding.initial},
          {"largest_error", ran ? Json(finding.largest_error) : Json(nullptr)},
          {"slope", ran ? Json(finding.drift.slope.value) : Json(nullptr)},
          {"slope_low", ran ? Json(finding.drift.slope.low) : Json(nullptr)},
          {"slope_high", ran ? Json(finding.drift.slope.high) : Json(nullptr)},
          {"confidence", finding.drift.slope.confidence},
          {"predicted", prediction_json(finding)},
          {"oscillation", ran ? Json(finding.drift.oscillation) : Json(nullptr)},
          {"verdict", verdict_text(finding.verdict)},
          {"message", finding.failure},
          {"mean_error", {{"t", finding.mean_error.t}, {"value", finding.mean_error.y}}}};
}

Json problem_json(const AuditCase& problem) {
  Json parameters = Json::object();
  for (std::size_t i = 0; i < problem.parameters.size(); ++i)
    parameters[problem.file.parameters[i].name] = problem.parameters[i];
  return {{"label", problem.label},      {"problem", problem.file.name},
          {"start", problem.start.name}, {"parameters", parameters},
          {"kind", problem.kind},        {"witness", problem.is_witness}};
}

/// Up to when and in which steps a problem was measured, so that `run` can repeat it.
void add_grids(Json& json, const Facts& facts, double time) {
  const bool is_measured = time > 0.0;
  json["until"] = is_measured ? Json(time) : Json(nullptr);
  json["order_steps"] = Json::array();
  for (int k = 0; is_measured && k < OrderGrid::runs; ++k)
    json["order_steps"].push_back(OrderGrid::first_steps(facts) << k);
  json["defect_step"] = is_measured ? Json(time / DefectGrid::steps_per_time) : Json(nullptr);
  json["defect_steps"] = DefectGrid::steps;
}

template <class Audit, class Convert>
Json result_json(Json json, const Audit& audit, Convert convert) {
  json["misfit"] = audit.misfit.empty() ? Json(nullptr) : Json(audit.misfit);
  json["findings"] = Json::array();
  for (const auto& finding : audit.findings) json["findings"].push_back(convert(finding));
  return json;
}

Json method_json(const MethodAudit& method, const AuditReport& report) {
  Json json{{"label", method.label},
            {"method", Json::parse(method_json_text(method.method.spec()))},
            {"promises", facts_json(method.method.facts())},
            {"holds", !method.is_broken()},
            {"as_predicted", !method.has_surprises()},
            {"problems", Json::array()},
            {"long_runs", Json::array()}};
  for (std::size_t i = 0; i < method.problems.size(); ++i) {
    const ProblemAudit& problem = method.problems[i];
    Json head = problem_json(report.set.problems[i]);
    add_grids(head, method.method.facts(), problem.time);
    head["not_measured"] = problem.unmeasured.empty() ? Json(nullptr) : Json(problem.unmeasured);
    json["problems"].push_back(result_json(std::move(head), problem, finding_json));
  }
  for (std::size_t i = 0; i < method.long_runs.size(); ++i) {
    const LongRunCase& run = report.set.long_runs[i];
    Json head = problem_json(run.problem);
    const LongRunAudit& audit = method.long_runs[i];
    head["step"] = run.step;
    head["until"] = report.options.full ? run.full_until : run.quick_until;
    head["steps"] = audit.steps;
    json["long_runs"].push_back(
        result_json(std::move(head), audit, [&](const DriftFinding& finding) {
          Json found = drift_json(finding);
          found["breaks_promise"] = audit.breaks_promise(finding);
          return found;
        }));
  }
  return json;
}

}  // namespace

std::string audit_json(const AuditReport& report) {
  Json methods = Json::array();
  for (const MethodAudit& method : report.methods) methods.push_back(method_json(method, report));
  const Json json{{"dalembert", version()},
                  {"audit", report.set.title},
                  {"precision", audit_precision_name()},
                  {"full", report.options.full},
                  {"methods", methods}};
  return json.dump(2) + "\n";
}

}  // namespace dalembert::study
