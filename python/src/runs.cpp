#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "dalembert/document/output_file.hpp"
#include "dalembert/document/own_output.hpp"
#include "dalembert/picture/motion/motion_gif.hpp"
#include "dalembert/picture/motion/motion_page.hpp"
#include "dalembert/result/csv_result.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/result/run_table.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/execution/recorded_motion.hpp"
#include "dalembert/study/false_claims.hpp"
#include "document.hpp"
#include "execution.hpp"
#include "lock.hpp"
#include "module.hpp"
#include "tables.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// The runs of a study with what came of them. Nothing in it changes after it was made, so that
/// views of its records stay as they are.
struct Runs {
  Study study;
  PlannedRuns planned;
  std::vector<RunResult> results;

  const RunPlan& plan(std::size_t i) const { return planned.plans.at(i); }
};

double total_steps(const Runs& runs) {
  double total = 0.0;
  for (const RunPlan& plan : runs.planned.plans) total += static_cast<double>(plan.steps);
  for (const RunResult& result : runs.results) total -= static_cast<double>(result.steps);
  return total;
}

LabelledTable table_of(const Runs& runs) {
  return run_table(runs.study, runs.planned.plans, runs.results, runs.planned.refused);
}

/// Executes what is planned, from the results that are there, if any.
void execute(Runs& runs, Work& work, const Request& request) {
  work.total = total_steps(runs);
  work.say("running");
  ExecutionOptions options;
  options.threads = request.threads;
  options.keep_records = request.records;
  options.cancelled = &work.cancelled;
  options.steps_done = &work.done;
  options.resume_from = std::move(runs.results);
  std::optional<Hdf5Sink> file;
  if (!request.out.empty())
    options.sinks = {&file.emplace(request.out, runs.study, runs.planned.plans)};
  runs.results = execute_runs(runs.planned.plans, options);
  if (!file) return;
  file->write_table(table_of(runs));
  file->close();
}

std::shared_ptr<Runs> run(const Study& study, const Request& request) {
  check_replaceable(request.out, request.force);
  auto runs = std::make_shared<Runs>();
  runs->study = study;
  Work work;
  wait_for(work, request.progress, [&] {
    runs->planned = plan_fitting_runs(runs->study, shown_by(work));
    execute(*runs, work, request);
  });
  return runs;
}

void save(const Runs& runs, const std::string& path, bool force) {
  const Unlocked unlocked;
  check_replaceable(path, force);
  const std::vector<RunPlan>& plans = runs.planned.plans;
  Hdf5Sink file(path, runs.study, plans);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    file.append(plans[i], runs.results[i].records, runs.results[i]);
    file.finish(plans[i], runs.results[i]);
  }
  file.write_table(table_of(runs));
  file.close();
}

std::shared_ptr<Runs> open(const std::string& path, const std::vector<Method>& own_methods) {
  auto runs = std::make_shared<Runs>();
  Work work;
  wait_for(work, py::none(), [&] {
    runs->study = continued_study(read_hdf5_study(path), path, "", own_methods);
    runs->planned = plan_fitting_runs(runs->study, shown_by(work));
    runs->results =
        read_hdf5_results(path, runs->planned.plans, {.record_every = runs->study.record_every});
  });
  return runs;
}

/// The same runs to a later end. Records stay at the distance that they have.
std::shared_ptr<Runs> resume(const Runs& before, const std::string& until, const Request& request) {
  auto runs = std::make_shared<Runs>();
  Work work;
  wait_for(work, request.progress, [&] {
    runs->study = continued_study(before.study.text, "result", until, before.study.own_methods);
    runs->planned = plan_fitting_runs(runs->study, shown_by(work));
    runs->results = before.results;
    for (std::size_t i = 0; i < runs->results.size(); ++i) {
      RunPlan& plan = runs->planned.plans.at(i);
      plan.record_every = before.plan(i).record_every;
      RunResult& result = runs->results[i];
      if (!until.empty()) refuse_earlier_end(runs->study, plan, result.final.t);
      // The state at an end between two nodes is none that the run goes on from.
      if (goes_on(plan, result))
        result.records.resize(plan.regular_records(result.steps) * plan.columns.width());
    }
    execute(*runs, work, request);
  });
  return runs;
}

py::dict run_entry(const Runs& runs, std::size_t i) {
  const RunPlan& plan = runs.plan(i);
  const RecordColumns& columns = plan.columns;
  py::dict entry("label"_a = plan.label, "method"_a = plan.method.label, "start"_a = plan.start,
                 "step"_a = plan.step, "names"_a = columns.names, "positions"_a = columns.q_count,
                 "velocities"_a = columns.velocity_count, "multipliers"_a = columns.lambda_count,
                 "contacts"_a = columns.contact_count,
                 "status"_a = status_text(runs.results.at(i).status),
                 "message"_a = runs.results.at(i).message);
  py::list units;
  for (std::size_t column = 0; column < columns.width(); ++column)
    units.append(columns.unit(column));
  entry["units"] = units;
  py::dict parameters;
  const auto& known = plan.system.description().parameters;
  for (std::size_t k = 0; k < known.size(); ++k)
    parameters[py::str(known[k].name)] = plan.parameters[k];
  entry["parameters"] = parameters;
  py::dict swept;
  for (const SweptValue& value : plan.swept)
    swept[py::str(value.name)] = value.number ? py::cast(*value.number) : py::cast(value.text);
  entry["swept"] = swept;
  return entry;
}

std::vector<std::string> cautions(const Runs& runs, std::size_t i) {
  return run_cautions(runs.plan(i), runs.results.at(i));
}

/// What is said of the study and its runs together.
std::vector<std::string> common_cautions(const Runs& runs) {
  std::vector<std::string> all = runs.study.notes;
  for (const std::string& sentence : cautions_before(runs.planned.plans)) all.push_back(sentence);
  for (const std::string& sentence : false_claims(runs.study, runs.planned.plans, runs.results))
    all.push_back(sentence);
  return all;
}

py::list refused(const Runs& runs) {
  py::list entries;
  for (const RefusedRun& run : runs.planned.refused)
    entries.append(py::dict("label"_a = run.label, "method"_a = run.method.label,
                            "start"_a = run.start, "reason"_a = run.reason));
  return entries;
}

py::array_t<double> records(const py::object& self, std::size_t i) {
  const Runs& runs = self.cast<const Runs&>();
  return view_of(runs.results.at(i).records, runs.plan(i).columns.width(), self);
}

/// The motion of one run at any time up to its last record; see RecordedMotion. Threads take turns.
class Motion {
 public:
  Motion(const Runs& runs, std::size_t i) : motion_(runs.plan(i), runs.results.at(i).records) {}

  py::array_t<double> rows_at(const std::vector<double>& times) {
    std::vector<double> rows;
    {
      const Unlocked unlocked;
      const std::lock_guard lock(mutex_);
      rows = motion_.rows_at(times);
    }
    const std::size_t width = motion_.plan().columns.width();
    py::array_t<double> array({rows.size() / width, width});
    std::copy(rows.begin(), rows.end(), array.mutable_data());
    return array;
  }

 private:
  std::mutex mutex_;
  RecordedMotion motion_;
};

py::dict sections(const Runs& runs, std::size_t i) {
  py::dict all;
  for (const SectionResult& section : runs.results.at(i).diagnostics.sections) {
    const std::size_t count = section.crossings.size();
    const auto rows = [&](std::vector<double> Crossing::*part) {
      const std::size_t width = count == 0 ? 0 : (section.crossings.front().*part).size();
      py::array_t<double> array({count, width});
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t j = 0; j < width; ++j)
          array.mutable_at(k, j) = (section.crossings[k].*part)[j];
      return array;
    };
    py::array_t<double> t(static_cast<py::ssize_t>(count));
    for (std::size_t k = 0; k < count; ++k) t.mutable_at(k) = section.crossings[k].t;
    all[py::str(section.name)] =
        py::dict("t"_a = t, "q"_a = rows(&Crossing::q), "v"_a = rows(&Crossing::v));
  }
  return all;
}

/// Arrays by event: t [count], q and v before and after, rising.
py::dict events(const Runs& runs, std::size_t i) {
  py::dict all;
  for (const EventResult& event : runs.results.at(i).diagnostics.events) {
    const auto& found = event.occurrences;
    const auto rows = [&](std::vector<double> EventOccurrence::*part, std::size_t width) {
      py::array_t<double> array({found.size(), width});
      for (std::size_t k = 0; k < found.size(); ++k)
        std::copy((found[k].*part).begin(), (found[k].*part).end(), array.mutable_data(k, 0));
      return array;
    };
    const RecordColumns& columns = runs.plan(i).columns;
    const std::size_t q = columns.q_count, v = columns.velocity_count;
    py::array_t<double> t(static_cast<py::ssize_t>(found.size()));
    py::array_t<bool> rising(static_cast<py::ssize_t>(found.size()));
    for (std::size_t k = 0; k < found.size(); ++k) {
      t.mutable_at(k) = found[k].t;
      rising.mutable_at(k) = found[k].rising;
    }
    all[py::str(event.name)] = py::dict(
        "t"_a = t, "q"_a = rows(&EventOccurrence::q, q), "v"_a = rows(&EventOccurrence::v, v),
        "q_after"_a = rows(&EventOccurrence::q_after, q),
        "v_after"_a = rows(&EventOccurrence::v_after, v), "rising"_a = rising);
  }
  return all;
}

/// A run as it is seen: by the table [picture] of its problem, or by one that is given instead.
struct SeenRun {
  Scene scene;
  MotionFrames frames;

  SeenRun(const Runs& runs, std::size_t i, const std::optional<DocumentNode>& picture,
          std::size_t frames_at_most)
      : scene(problem_of(runs, picture), runs.plan(i).system, runs.plan(i).sizes,
              runs.plan(i).parameters),
        frames(motion_frames(scene, runs.plan(i), runs.results.at(i).records, frames_at_most)) {}

 private:
  static ProblemFile problem_of(const Runs& runs, const std::optional<DocumentNode>& picture) {
    ProblemFile problem = runs.study.problem;
    if (picture) problem.scene = read_scene(*picture);
    return problem;
  }
};

std::optional<DocumentNode> picture_node(const py::object& picture) {
  if (picture.is_none()) return std::nullopt;
  return document_of(picture, "picture");
}

std::string page_of_motion(const Runs& runs, std::size_t i, const py::object& picture,
                           std::size_t frames) {
  const std::optional<DocumentNode> node = picture_node(picture);
  const Unlocked unlocked;
  const SeenRun seen(runs, i, node, frames);
  return motion_page(seen.scene, seen.frames, motion_title(runs.plan(i), runs.study.title));
}

/// A page that is there already, or a GIF: to a file.
void write_motion(const Runs& runs, std::size_t i, const py::object& picture, std::size_t frames,
                  const std::string& path, const std::tuple<int, int>& size, double seconds,
                  bool force) {
  const std::optional<DocumentNode> node = picture_node(picture);
  const Unlocked unlocked;
  if (!force && !is_own_output(path))
    throw RequestError("\"" + path +
                       "\" exists and was not made by dalembert; name another file, or replace it "
                       "with overwrite=True");
  const SeenRun seen(runs, i, node, frames);
  if (path.ends_with(".gif")) {
    write_motion_gif(path, seen.scene, seen.frames,
                     {.width = std::get<0>(size), .height = std::get<1>(size), .seconds = seconds});
  } else {
    OutputFile(path).write(
        motion_page(seen.scene, seen.frames, motion_title(runs.plan(i), runs.study.title)));
  }
}

py::dict table_entries(const Runs& runs) { return labelled_entry(table_of(runs)); }

void write_csv(const Runs& runs, const std::string& directory, bool force) {
  const Unlocked unlocked;
  for (const RunPlan& plan : runs.planned.plans) {
    for (const std::filesystem::path& path : csv_files(directory, plan)) {
      if (force || is_own_output(path)) continue;
      throw RequestError("\"" + path.string() +
                         "\" exists and was not made by dalembert; name another directory, or "
                         "replace it with overwrite=True");
    }
  }
  CsvSink csv(directory, runs.planned.plans);
  for (std::size_t i = 0; i < runs.results.size(); ++i) {
    csv.append(runs.plan(i), runs.results[i].records, runs.results[i]);
    csv.finish(runs.plan(i), runs.results[i]);
  }
}

}  // namespace

void add_runs(py::module_& module) {
  py::class_<Request>(module, "Request")
      .def(py::init([](std::size_t threads, int lanes, std::string out, bool force,
                       py::object progress, bool records) {
             return Request{threads, lanes, std::move(out), force, std::move(progress), records};
           }),
           "threads"_a = 1, "lanes"_a = 0, "out"_a = "", "force"_a = false,
           "progress"_a = py::none(), "records"_a = true);
  py::class_<Runs, std::shared_ptr<Runs>>(module, "Runs")
      .def("__len__", [](const Runs& runs) { return runs.results.size(); })
      .def("entry", &run_entry)
      .def("cautions", &cautions)
      .def("common_cautions", &common_cautions)
      .def("refused", &refused)
      .def("records", &records)
      .def("table", &table_entries)
      .def("sections", &sections)
      .def("events", &events)
      .def("ended_by", [](const Runs& runs, std::size_t i) { return runs.results.at(i).ended_by; })
      .def("outcome", [](const Runs& runs,
                         std::size_t i) { return run_json_text(runs.plan(i), runs.results.at(i)); })
      .def("json",
           [](const Runs& runs) {
             return json_text(runs.study, runs.planned.plans, runs.results, runs.planned.refused);
           })
      .def("text", [](const Runs& runs) { return runs.study.text; })
      .def("title", [](const Runs& runs) { return runs.study.title; })
      .def("motion_page", &page_of_motion)
      .def("write_motion", &write_motion)
      .def("write_csv", &write_csv)
      .def("save", &save)
      .def("resume", &resume);
  py::class_<Motion>(module, "Motion")
      .def(py::init<const Runs&, std::size_t>(), py::keep_alive<1, 2>())
      .def("rows_at", &Motion::rows_at);
  module.def("run", &run, "study"_a, "request"_a);
  module.def("open", &open, "path"_a, "own_methods"_a);
}

}  // namespace dalembert::python
