// What a page asks of dalembert: problems, their equations, runs and motions, each as a text. It
// reads and runs them as the program does; problems of the reader lie in the current directory of
// an own file system.

#include <emscripten/bind.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/formula/formula_sheet.hpp"
#include "app/formula/html_sheet.hpp"
#include "dalembert/document/file_text.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/picture/motion/motion_page.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/result/csv_result.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/choice/asked_study.hpp"
#include "dalembert/study/choice/method_advice.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/false_claims.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/version.hpp"

namespace dalembert::browser {
namespace {

using emscripten::val;
using Json = nlohmann::ordered_json;
using namespace study;

constexpr const char* own_folder = "/own";
constexpr std::size_t most_frames = 600;

/// What `answer` gives, as a text in JSON; or {"error": sentence}.
template <class Answer>
std::string told(const Answer& answer) {
  try {
    return Json(answer()).dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const std::bad_alloc&) {
    return R"({"error": "there is not enough memory in the browser for this"})";
  } catch (const std::exception& problem) {
    return Json{{"error", problem.what()}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

std::string library() {
  return told([] { return Json{{"version", version()}, {"problems", problem_names()}}; });
}

std::string problem_text(const std::string& name) {
  return told([&] { return Json{{"text", file_text(find_problem(name))}}; });
}

/// A problem of the reader, by the name of its file.
std::string describe(const std::string& file) {
  return told([&] {
    const ProblemFile problem = read_problem_file(file);
    const Problem made = make_problem(problem);
    Json starts = Json::array(), advice = Json::array();
    for (const StartEntry& start : problem.starts) starts.push_back(start.name);
    for (const MethodAdvice& advised : advise_methods(made))
      advice.push_back({{"method", advised.method}, {"reason", advised.reason}});
    return Json{{"starts", starts},
                {"advice", advice},
                {"fitting", fitting_methods(made.system)},
                {"warnings", false_claims(problem, made)},
                {"page", app::html_page(app::problem_sheet(problem))}};
  });
}

AskedStudy asked(const Json& words) {
  const auto text = [&](const char* key) { return words.value(key, std::string()); };
  AskedStudy asked{.study = text("problem"),
                   .settings = words.value("settings", std::vector<std::string>()),
                   .methods = words.value("methods", std::vector<std::string>()),
                   .start = text("start")};
  for (const std::string key : {"step", "tolerance", "until", "every"})
    asked.give("run." + key, "--" + key, text(key.c_str()));
  asked.give("run.native", "--native", "off");
  return asked;
}

/// What is shown: the runs that were asked for last.
struct Runs {
  Study study;
  PlannedRuns planned;
  std::vector<RunResult> results = {};
};

std::optional<Runs>& runs() {
  static std::optional<Runs> last;
  return last;
}

Json plan_json(const RunPlan& plan) {
  Json columns = Json::array();
  for (std::size_t i = 0; i < plan.columns.width(); ++i)
    columns.push_back({{"name", plan.columns.names[i]}, {"unit", plan.columns.unit(i)}});
  Json integrals = Json::array();
  for (const std::string& name : plan.columns.integral_names()) integrals.push_back(name);
  return {{"title", run_title(plan)}, {"method", plan.method.label}, {"start", plan.start},
          {"steps", plan.steps},      {"end", plan.end()},           {"step", plan.step},
          {"columns", columns},       {"integrals", integrals}};
}

/// Gives records to the page, and after some time asks for a rest in which the page can say that it
/// has seen enough.
class PageSink final : public RecordSink {
 public:
  PageSink(const val& rows, std::atomic<bool>& rest) : rows_(rows), rest_(rest) {}
  void append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) override {
    const val view(emscripten::typed_memory_view(rows.size(), rows.data()));
    rows_(plan.index, val::global("Float64Array").new_(view), static_cast<double>(so_far.steps));
    rest_ = true;
  }
  void finish(const RunPlan&, const RunResult&) override {}

 private:
  val rows_;
  std::atomic<bool>& rest_;
};

/// What `words` ask for, as a list of runs.
std::string plan(const std::string& words) {
  return told([&] {
    runs().reset();
    Study study = asked_study(asked(Json::parse(words)));
    if (study.ensemble) throw RequestError("an ensemble is run by the program, not on this page");
    PlannedRuns planned = plan_fitting_runs(study);
    const Runs& all = runs().emplace(Runs{std::move(study), std::move(planned)});
    Json announced = Json::array();
    for (const RunPlan& run : all.planned.plans) announced.push_back(plan_json(run));
    return Json{{"runs", announced}};
  });
}

Runs& last_runs() {
  if (!runs()) throw RequestError("nothing has been run");
  return *runs();
}

bool is_over(const RunPlan& plan, const RunResult& result) {
  return result.status == RunResult::Status::failed ||
         (result.status == RunResult::Status::ok && !goes_on(plan, result));
}

/// Goes on with the runs for a while: {"over": whether nothing is left to be done}. `on_rows` gets
/// the number of a run, records and the steps done. That the runs rest changes no bit of them.
std::string advance(const val& on_rows) {
  return told([&] {
    Runs& all = last_runs();
    std::atomic<bool> rest = false;
    PageSink sink(on_rows, rest);
    ExecutionOptions options;
    options.keep_records = true;
    options.sinks = {&sink};
    options.cancelled = &rest;
    options.resume_from = std::move(all.results);
    all.results = execute_runs(all.planned.plans, options);
    bool over = true;
    for (std::size_t i = 0; i < all.results.size(); ++i)
      over = over && is_over(all.planned.plans[i], all.results[i]);
    return Json{{"over", over}};
  });
}

/// What came of the runs, as the program writes it, and what is to be said of them.
std::string outcome() {
  return told([&] {
    const Runs& all = last_runs();
    const std::vector<RunPlan>& plans = all.planned.plans;
    Json warnings = Json::array();
    for (const std::string& note : all.study.notes) warnings.push_back(note);
    for (const std::string& sentence : cautions_before(plans)) warnings.push_back(sentence);
    for (std::size_t i = 0; i < all.results.size(); ++i)
      for (const std::string& sentence : run_cautions(plans[i], all.results[i]))
        warnings.push_back(run_title(plans[i]) + ": " + sentence);
    for (const std::string& sentence : false_claims(all.study, plans, all.results))
      warnings.push_back(sentence);
    return Json{{"warnings", warnings},
                {"result", json_text(all.study, plans, all.results, all.planned.refused)}};
  });
}

/// One of the last runs as a page that plays.
std::string motion(std::size_t i) {
  return told([&] {
    const Runs& all = last_runs();
    const RunPlan& plan = all.planned.plans.at(i);
    Scene scene(all.study.problem, plan.system, plan.sizes, plan.parameters);
    const MotionFrames frames = motion_frames(scene, plan, all.results.at(i).records, most_frames);
    return Json{{"page", motion_page(scene, frames, motion_title(plan, all.study.title))}};
  });
}

/// The records of one of the last runs, as the program writes them.
std::string records(std::size_t i) {
  return told([&] {
    const Runs& all = last_runs();
    RunPlan plan = all.planned.plans.at(i);
    const std::filesystem::path folder = std::filesystem::path(own_folder) / "records";
    std::filesystem::remove_all(folder);
    plan.index = 0;
    {
      CsvSink file(folder, {plan});
      file.append(plan, all.results.at(i).records, all.results[i]);
      file.finish(plan, all.results[i]);
    }
    return Json{{"text", file_text(csv_files(folder, plan).front())}};
  });
}

/// Keeps a problem of the reader under the name of its file, "pendulum.toml".
std::string keep(const std::string& file, const std::string& text) {
  return told([&] {
    if (!is_name_for_files(file)) throw RequestError("\"" + file + "\" " + name_for_files_rule);
    std::filesystem::create_directories(own_folder);
    if (chdir(own_folder) != 0) throw OutputError("there is no folder for problems");
    OutputFile(file).write(text);
    return Json{{"file", file}};
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(dalembert) {
  emscripten::function("library", &library);
  emscripten::function("problemText", &problem_text);
  emscripten::function("keep", &keep);
  emscripten::function("describe", &describe);
  emscripten::function("plan", &plan);
  emscripten::function("advance", &advance);
  emscripten::function("outcome", &outcome);
  emscripten::function("motion", &motion);
  emscripten::function("records", &records);
}

}  // namespace dalembert::browser
