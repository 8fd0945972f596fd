#include "dalembert/result/json_result.hpp"

#include <nlohmann/json.hpp>

#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "dalembert/version.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;

Json method_json(const MethodSpec& spec) {
  if (spec.name.empty()) return nullptr;
  Json json{{"name", spec.name}};
  for (const auto& [name, value] : spec.options) {
    if (const double* number = std::get_if<double>(&value)) {
      json[name] = *number;
    } else if (const std::string* word = std::get_if<std::string>(&value)) {
      json[name] = *word;
    } else {
      json[name] = method_json(*std::get<std::shared_ptr<const MethodSpec>>(value));
    }
  }
  return json;
}

Json state_json(const StateValues& state) {
  Json json{{"t", state.t}, {"q", state.q}, {"v", state.v}, {"lambda", state.lambda}};
  if (state.lambda_recomputed.size() == state.lambda.size())
    json["lambda_recomputed"] = state.lambda_recomputed;
  return json;
}

Json time_or_null(const std::optional<double>& t) { return t ? Json(*t) : Json(); }

Json error_json(const std::optional<ErrorEstimate>& error) {
  if (!error) return {};
  return {
      {"tolerance", error->asked}, {"largest", error->largest}, {"kept_until", error->kept_until}};
}

Json contacts_json(const RunPlan& plan, const std::vector<ContactHistory>& contacts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactHistory& contact = contacts[i];
    json[plan.contacts.names()[i]] = {
        {"ended", time_or_null(contact.ended)},
        {"how", contact.ended ? Json(contact_end_word(contact.how)) : Json()},
        {"gap_max", contact.gap.largest}};
  }
  return json;
}

Json events_json(const RunPlan& plan, const std::vector<EventResult>& events) {
  Json json = Json::object();
  for (std::size_t i = 0; i < events.size(); ++i) {
    Json t = Json::array(), q = Json::array(), v = Json::array(), rising = Json::array();
    Json q_after = Json::array(), v_after = Json::array();
    for (const EventOccurrence& occurrence : events[i].occurrences) {
      t.push_back(occurrence.t);
      q.push_back(occurrence.q);
      v.push_back(occurrence.v);
      q_after.push_back(occurrence.q_after);
      v_after.push_back(occurrence.v_after);
      rising.push_back(occurrence.rising);
    }
    Json& event = json[events[i].name];
    event = {{"count", t.size()}, {"t", t}, {"q", q}, {"v", v}, {"rising", rising}};
    if (!plan.events[i].acts()) continue;
    event["q_after"] = q_after;
    event["v_after"] = v_after;
  }
  return json;
}

Json diagnostics_json(const RunPlan& plan, const RunDiagnostics& diagnostics) {
  Json integrals = Json::object();
  for (const IntegralSummary& integral : diagnostics.integrals) {
    integrals[integral.name] = {{"initial", integral.initial},
                                {"final", integral.final},
                                {"max_error", integral.max_error}};
  }
  Json reports = Json::array();
  for (const DiagnosticReport& report : diagnostics.reports) {
    Json entry{{"kind", report.kind}, {"of", report.of}};
    for (const auto& [name, value] : report.numbers) entry[name] = value;
    if (!report.verdict.empty()) entry["verdict"] = report.verdict;
    if (!report.message.empty()) entry["message"] = report.message;
    reports.push_back(std::move(entry));
  }
  Json sections = Json::object();
  for (const SectionResult& section : diagnostics.sections) {
    Json t = Json::array(), q = Json::array(), v = Json::array(), rising = Json::array();
    for (const Crossing& crossing : section.crossings) {
      t.push_back(crossing.t);
      q.push_back(crossing.q);
      v.push_back(crossing.v);
      rising.push_back(crossing.rising);
    }
    sections[section.name] = {{"t", t}, {"q", q}, {"v", v}, {"rising", rising}};
  }
  Json json{{"energy", diagnostics.energy.initial},
            {"energy_final", diagnostics.energy.final},
            {"energy_error_max", diagnostics.energy.max_error},
            {"constraint_max", diagnostics.constraint_max},
            {"estimated_error", error_json(diagnostics.error)}};
  for (const CautionKind& kind : caution_kinds()) {
    if (kind.name == nullptr) continue;
    Json& group = *kind.group == '\0' ? json : json[kind.group];
    group[kind.name] = time_or_null(diagnostics.cautions[kind.caution]);
  }
  json.update({{"contacts", contacts_json(plan, diagnostics.contacts)},
               {"integrals", integrals},
               {"reports", reports},
               {"sections", sections},
               {"events", events_json(plan, diagnostics.events)}});
  return json;
}

/// What the entries of q, v and lambda are called, in the order in which states list them.
Json names_json(const RecordColumns& columns) {
  const std::vector<std::string>& names = columns.names;
  const auto part = [&](std::size_t begin, std::size_t end) {
    return std::vector<std::string>(names.begin() + static_cast<std::ptrdiff_t>(begin),
                                    names.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {{"q", part(columns.q_begin(), columns.v_begin())},
          {"v", part(columns.v_begin(), columns.lambda_begin())},
          {"lambda", part(columns.lambda_begin(), columns.energy())}};
}

/// The units of the same entries, of time and of the energy; null where unknown.
Json units_json(const RecordColumns& columns) {
  const auto part = [&](std::size_t begin, std::size_t end) {
    Json list = Json::array();
    for (std::size_t i = begin; i < end; ++i)
      list.push_back(columns.unit(i).empty() ? Json() : Json(columns.unit(i)));
    return list;
  };
  const std::string energy = columns.unit(columns.energy()), time = columns.unit(0);
  return {{"t", time.empty() ? Json() : Json(time)},
          {"q", part(columns.q_begin(), columns.v_begin())},
          {"v", part(columns.v_begin(), columns.lambda_begin())},
          {"lambda", part(columns.lambda_begin(), columns.energy())},
          {"energy", energy.empty() ? Json() : Json(energy)}};
}

Json swept_json(const std::vector<SweptValue>& values) {
  Json json = Json::object();
  for (const SweptValue& value : values)
    json[value.name] = value.number ? Json(*value.number) : Json(value.text);
  return json;
}

Json run_json(const RunPlan& plan, const RunOutcome& result) {
  Json parameters = Json::object(), sizes = Json::object();
  const auto& described = plan.system.description().parameters;
  for (std::size_t i = 0; i < described.size(); ++i)
    parameters[described[i].name] = plan.parameters[i];
  for (const auto& [name, value] : plan.sizes) sizes[name] = value;
  Json json{{"problem", plan.system.name()},
            {"start", plan.start},
            {"parameters", parameters},
            {"sizes", sizes},
            {"method", method_json(plan.method.spec)},
            {"label", plan.method.label},
            {"step", plan.step},
            {"steps", result.steps},
            {"steps_requested", plan.steps},
            {"last_step", plan.last_step > 0.0 ? Json(plan.last_step) : Json()},
            {"record_every", plan.record_every},
            {"status", status_text(result.status)},
            {"message", result.message},
            {"ended_by", result.ended_by.empty() ? Json() : Json(result.ended_by)},
            {"names", names_json(plan.columns)},
            {"initial", state_json(result.initial)},
            {"final", state_json(result.final)},
            {"cautions", run_cautions(plan, result)},
            {"diagnostics", diagnostics_json(plan, result.diagnostics)},
            {"work",
             {{"newton_iterations", result.newton_iterations},
              {"evaluations", result.evaluations()},
              {"rejected_substeps", result.rejected_substeps},
              {"code", code_text(result.native)},
              {"seconds", result.seconds},
              {"seconds_per_step", result.seconds_per_step}}}};
  if (plan.redundancy)
    json["redundancy"] = {{"left_out", plan.redundancy->left_out_names()},
                          {"shared", plan.redundancy->shared_names()}};
  if (!plan.columns.units.empty()) json["units"] = units_json(plan.columns);
  if (!plan.swept.empty()) json["swept"] = swept_json(plan.swept);
  return json;
}

Json refused_json(const RefusedRun& run) {
  Json json{{"problem", run.system.name()},
            {"start", run.start},
            {"method", method_json(run.method.spec)},
            {"label", run.method.label},
            {"step", run.step},
            {"steps", 0},
            {"status", "failed"},
            {"message", run.reason},
            {"cautions", Json::array()},
            {"initial", nullptr},
            {"final", nullptr},
            {"diagnostics", nullptr}};
  if (!run.swept.empty()) json["swept"] = swept_json(run.swept);
  return json;
}

}  // namespace

namespace {

std::string study_json_text(const Study& study, const Json& runs) {
  const Json json{
      {"dalembert", version()}, {"study", study.text}, {"title", study.title}, {"runs", runs}};
  return json.dump(2) + "\n";
}

}  // namespace

std::string json_text(const Study& study, const std::vector<RunPlan>& plans,
                      const std::vector<RunResult>& results,
                      const std::vector<RefusedRun>& refused) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < plans.size(); ++i) runs.push_back(run_json(plans[i], results[i]));
  for (const RefusedRun& run : refused) runs.push_back(refused_json(run));
  return study_json_text(study, runs);
}

std::string json_text(const Study& study, const std::vector<std::string>& runs) {
  Json list = Json::array();
  for (const std::string& run : runs) list.push_back(Json::parse(run));
  return study_json_text(study, list);
}

std::string run_json_text(const RunPlan& plan, const RunOutcome& result) {
  return run_json(plan, result).dump();
}

std::string method_json_text(const MethodSpec& spec) { return method_json(spec).dump(); }

}  // namespace dalembert::study
