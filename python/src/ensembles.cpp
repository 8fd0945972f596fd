#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "dalembert/result/ensemble_json.hpp"
#include "dalembert/result/hdf5/ensemble_reader.hpp"
#include "dalembert/result/hdf5/ensemble_writer.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/ensemble/merge_parts.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "execution.hpp"
#include "lock.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// The ensembles of a study with what came of them.
struct Ensembles {
  Study study;
  std::vector<EnsemblePlan> plans;
  std::vector<EnsembleResult> results;
};

double member_steps(const Ensembles& ensembles) {
  double total = 0.0;
  for (std::size_t i = 0; i < ensembles.plans.size(); ++i) {
    const EnsemblePlan& plan = ensembles.plans[i];
    const double done =
        i < ensembles.results.size() ? static_cast<double>(ensembles.results[i].steps) : 0.0;
    total +=
        (static_cast<double>(plan.run.steps) - done) * static_cast<double>(plan.starts->size());
  }
  return total;
}

void add_to(EnsembleHdf5& file, const EnsemblePlan& plan, const EnsembleResult& result) {
  const bool is_over = result.status != RunResult::Status::interrupted;
  is_over ? file.finish(plan, result) : file.append(plan, result);
}

void finish(EnsembleHdf5& file, const Ensembles& ensembles) {
  for (std::size_t i = 0; i < ensembles.results.size(); ++i) {
    if (ensembles.results[i].status == RunResult::Status::interrupted)
      file.finish(ensembles.plans[i], ensembles.results[i]);
  }
  file.close();
}

void execute_all(Ensembles& ensembles, Work& work, const Request& request) {
  work.total = member_steps(ensembles);
  work.say("running");
  EnsembleExecution execution;
  execution.threads = request.threads;
  execution.lanes = request.lanes;
  execution.cancelled = &work.cancelled;
  execution.steps_done = &work.done;
  execution.resume_from = std::move(ensembles.results);
  std::optional<EnsembleHdf5> file;
  if (!request.out.empty()) {
    file.emplace(request.out, ensembles.study, ensembles.plans);
    execution.on_records = [&file](const EnsemblePlan& plan, const EnsembleResult& so_far) {
      add_to(*file, plan, so_far);
    };
  }
  ensembles.results = execute_ensembles(ensembles.plans, execution);
  if (file) finish(*file, ensembles);
}

std::shared_ptr<Ensembles> run_ensembles(const Study& study, const Request& request) {
  check_replaceable(request.out, request.force);
  auto ensembles = std::make_shared<Ensembles>();
  ensembles->study = study;
  Work work;
  wait_for(work, request.progress, [&] {
    ensembles->plans = plan_ensembles(ensembles->study, shown_by(work), request.threads);
    execute_all(*ensembles, work, request);
  });
  return ensembles;
}

void save_ensembles(const Ensembles& ensembles, const std::string& path, bool force) {
  const Unlocked unlocked;
  check_replaceable(path, force);
  EnsembleHdf5 file(path, ensembles.study, ensembles.plans);
  for (std::size_t i = 0; i < ensembles.results.size(); ++i)
    add_to(file, ensembles.plans[i], ensembles.results[i]);
  finish(file, ensembles);
}

/// What follows from the states and records: members, growth laws, failures.
void complete(Ensembles& ensembles) {
  std::atomic<bool> no_steps = true;
  EnsembleExecution execution;
  execution.cancelled = &no_steps;
  execution.resume_from = std::move(ensembles.results);
  ensembles.results = execute_ensembles(ensembles.plans, execution);
}

std::shared_ptr<Ensembles> open_ensembles(const std::string& path,
                                          const std::vector<Method>& own_methods) {
  auto ensembles = std::make_shared<Ensembles>();
  Work work;
  wait_for(work, py::none(), [&] {
    ensembles->study = continued_study(read_hdf5_study(path), path, "", own_methods);
    ensembles->plans = plan_ensembles(ensembles->study, shown_by(work));
    ensembles->results = read_hdf5_ensembles(path, ensembles->plans,
                                             {.record_every = ensembles->study.record_every});
    complete(*ensembles);
  });
  return ensembles;
}

std::shared_ptr<Ensembles> resume_ensembles(const Ensembles& before, const std::string& until,
                                            const Request& request) {
  auto ensembles = std::make_shared<Ensembles>();
  Work work;
  wait_for(work, request.progress, [&] {
    ensembles->study =
        continued_study(before.study.text, "result", until, before.study.own_methods);
    ensembles->plans = plan_ensembles(ensembles->study, shown_by(work));
    ensembles->results = before.results;
    for (std::size_t i = 0; i < ensembles->plans.size(); ++i) {
      ensembles->plans[i].run.record_every = before.plans[i].run.record_every;
      const std::vector<double>& t = before.results[i].t;
      if (!until.empty() && !t.empty())
        refuse_earlier_end(ensembles->study, ensembles->plans[i].run, t.back());
    }
    execute_all(*ensembles, work, request);
  });
  return ensembles;
}

/// Parts of an ensemble that are there as files or as results, put together.
std::shared_ptr<Ensembles> merge_ensembles(
    const std::vector<std::pair<std::string, std::shared_ptr<Ensembles>>>& parts,
    const std::vector<Method>& own_methods, const Request& request) {
  check_replaceable(request.out, request.force);
  auto ensembles = std::make_shared<Ensembles>();
  Work work;
  wait_for(work, request.progress, [&] {
    std::vector<NamedStudy> studies;
    for (const auto& [name, part] : parts) studies.push_back({name, part->study.text});
    const WholeOfParts whole = whole_of_parts(studies, own_methods);
    ensembles->study = whole.study;
    ensembles->plans = plan_ensembles(ensembles->study, shown_by(work));
    for (std::size_t i = 0; i < ensembles->plans.size(); ++i) {
      std::vector<EnsembleResult> results;
      for (const NamedPart& part : whole.parts) {
        const auto found = std::ranges::find(
            parts, part.name, &std::pair<std::string, std::shared_ptr<Ensembles>>::first);
        ensembles->plans[i].run.record_every = found->second->plans.at(i).run.record_every;
        results.push_back(found->second->results.at(i));
      }
      ensembles->results.push_back(
          merge_parts(ensembles->plans[i], whole.parts, std::move(results)));
    }
    execute_all(*ensembles, work, request);
  });
  return ensembles;
}

/// row(i) for i = 0, ..., count - 1; nan where it is short.
template <class Row>
py::array_t<double> rows_of(std::size_t count, std::size_t width, const Row& row) {
  py::array_t<double> array({count, width});
  for (std::size_t i = 0; i < count; ++i) {
    const auto& values = row(i);
    for (std::size_t j = 0; j < width; ++j)
      array.mutable_at(i, j) =
          j < values.size() ? values[j] : std::numeric_limits<double>::quiet_NaN();
  }
  return array;
}

/// Members at the start or at the end; those without a start are nan.
py::dict states(const EnsemblePlan& plan, const MemberStates& members) {
  const RecordColumns& columns = plan.run.columns;
  py::array_t<double> t(static_cast<py::ssize_t>(members.size()));
  for (std::size_t i = 0; i < members.size(); ++i) t.mutable_at(i) = members.t(i);
  const auto part = [&](std::size_t width, MemberStates::Part values) {
    return rows_of(members.size(), width, [&](std::size_t i) { return (members.*values)(i); });
  };
  return py::dict("t"_a = t, "q"_a = part(columns.q_count, &MemberStates::q),
                  "v"_a = part(columns.velocity_count, &MemberStates::v),
                  "lam"_a = part(columns.lambda_count, &MemberStates::lambda));
}

py::dict statistics(const QuantityStatistics& quantity) {
  const auto column = [&](const auto& value) {
    py::array_t<double> array(static_cast<py::ssize_t>(quantity.records.size()));
    for (std::size_t i = 0; i < quantity.records.size(); ++i)
      array.mutable_at(i) = static_cast<double>(value(quantity.records[i]));
    return array;
  };
  using S = SampleStatistics;
  py::dict columns("count"_a = column([](const S& s) { return s.count; }),
                   "mean"_a = column([](const S& s) { return s.mean; }),
                   "mean_square"_a = column([](const S& s) { return s.mean_square; }),
                   "variance"_a = column([](const S& s) { return s.variance; }),
                   "min"_a = column([](const S& s) { return s.min; }),
                   "max"_a = column([](const S& s) { return s.max; }));
  columns["quantiles"] = rows_of(
      quantity.records.size(), quantile_levels.size(), [&](std::size_t i) -> const auto& {
        return quantity.records[i].quantiles;
      });
  return columns;
}

py::object growth(const GrowthLaw& law) {
  if (!law.measured) return py::none();
  return py::dict("exponent"_a = law.exponent, "uncertainty"_a = law.uncertainty,
                  "factor"_a = law.factor, "rate"_a = law.rate,
                  "rate_uncertainty"_a = law.rate_uncertainty, "offset"_a = law.offset,
                  "begin"_a = law.from, "end"_a = law.until);
}

py::list failures(const EnsembleResult& result) {
  py::list entries;
  for (const MemberFailure& failure : result.failures)
    entries.append(py::dict("member"_a = failure.member, "step"_a = failure.step, "t"_a = failure.t,
                            "residual"_a = failure.residual, "message"_a = failure.message));
  return entries;
}

py::list ends(const EnsemblePlan& plan, const EnsembleResult& result) {
  py::list entries;
  for (const MemberFailure& end : result.ends)
    entries.append(py::dict("member"_a = end.member, "step"_a = end.step, "t"_a = end.t,
                            "event"_a = plan.run.events.at(*end.ended_by).name));
  return entries;
}

py::dict ensemble_entry(const Ensembles& ensembles, std::size_t i) {
  const EnsemblePlan& plan = ensembles.plans.at(i);
  const EnsembleResult& result = ensembles.results.at(i);
  py::dict quantities;
  for (const QuantityStatistics& quantity : result.quantities)
    quantities[py::str(quantity.name)] = statistics(quantity);
  py::dict all("label"_a = plan.run.label, "method"_a = plan.run.method.label,
               "step"_a = plan.run.step, "seed"_a = plan.seed, "size"_a = result.size(),
               "steps"_a = result.steps, "status"_a = status_text(result.status),
               "message"_a = result.message, "member_steps"_a = result.member_steps,
               "seconds"_a = result.seconds);
  all["t"] = py::array_t<double>(static_cast<py::ssize_t>(result.t.size()), result.t.data());
  all["alive"] = py::array_t<std::uint64_t>(static_cast<py::ssize_t>(result.alive.size()),
                                            result.alive.data());
  all["statistics"] = quantities;
  all["initial"] = states(plan, initial_states(plan));
  all["final"] = states(plan, final_states(plan, result));
  all["variance"] = growth(result.variance);
  all["mean_square"] = growth(result.mean_square);
  all["failures"] = failures(result);
  all["ends"] = ends(plan, result);
  return all;
}

std::vector<std::string> ensemble_cautions(const Ensembles& ensembles) {
  std::vector<RunPlan> runs;
  for (const EnsemblePlan& plan : ensembles.plans) runs.push_back(plan.run);
  std::vector<std::string> all = ensembles.study.notes;
  for (const std::string& sentence : cautions_before(runs)) all.push_back(sentence);
  return all;
}

}  // namespace

void add_ensembles(py::module_& module) {
  py::class_<Ensembles, std::shared_ptr<Ensembles>>(module, "Ensembles")
      .def("__len__", [](const Ensembles& ensembles) { return ensembles.results.size(); })
      .def("entry", &ensemble_entry)
      .def("cautions", &ensemble_cautions)
      .def("text", [](const Ensembles& ensembles) { return ensembles.study.text; })
      .def("json",
           [](const Ensembles& ensembles) {
             return ensemble_json(ensembles.study, ensembles.plans, ensembles.results);
           })
      .def("save", &save_ensembles)
      .def("resume", &resume_ensembles);
  module.def("ensemble", &run_ensembles, "study"_a, "request"_a);
  module.def("merge", &merge_ensembles, "parts"_a, "own_methods"_a, "request"_a);
  module.def("open_ensemble", &open_ensembles, "path"_a, "own_methods"_a);
}

}  // namespace dalembert::python
