#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "dalembert/method/library.hpp"
#include "dalembert/native/native_code.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study.hpp"
#include "dalembert/study/method_text.hpp"
#include "work_precision.hpp"

namespace work_precision {
namespace {

using namespace dalembert;

/// The problem of a task, its start and parameters.
struct Loaded {
  Problem problem;
  Start start;
};

Loaded load(Task task) {
  if (task == Task::transmission) {
    Problem problem = load_problem("pendulum-cvt-inverted", {.parameters = {{"epsilon", 0.1}}});
    Start start = problem.start("newmark-high");
    return {std::move(problem), std::move(start)};
  }
  Problem problem = load_problem("chaotic", {.sizes = {{"n", 3}}});
  Start start = problem.start("ensemble");
  return {std::move(problem), std::move(start)};
}

std::vector<double> unwrapped(const Point& point) {
  std::vector<double> q = point.q;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += 2.0 * std::numbers::pi * point.turns[i];
  return q;
}

/// A method at the start of a task, with compiled steps. `method` is a text as on the command line.
struct Prepared {
  std::shared_ptr<const StepProgram> program;
  std::shared_ptr<const NativeCode> code;
  std::unique_ptr<Stepper> stepper;
  Point start;
};

std::shared_ptr<Prepared> prepare(Task task, const std::string& method, double h) {
  const Loaded loaded = load(task);
  const auto program =
      StepProgram::compile(loaded.problem.system, make_method(study::parse_method(method)));
  Evaluator evaluator(loaded.problem.system);
  auto stepper = std::make_unique<Stepper>(program, h);
  Point start = start_point(*stepper, evaluator, loaded.start.q, loaded.start.v);
  const auto code = std::make_shared<const NativeCode>(
      program, NativeOptions{.instruction_set = available_instruction_sets().back()});
  code->wait();
  if (code->kernel() == nullptr) throw std::runtime_error(code->refusal());
  stepper->set_kernel(*code->kernel());
  return std::make_shared<Prepared>(Prepared{program, code, std::move(stepper), std::move(start)});
}

/// All steps of a task, of equal size.
Run run_of_steps(Task task, const std::string& method, std::uint64_t steps) {
  const auto prepared = prepare(task, method, end_of(task) / static_cast<double>(steps));
  return [prepared, steps] {
    Point point = prepared->start;
    if (prepared->stepper->advance(point, 0.0, 0, steps).steps != steps)
      throw std::runtime_error("a step was refused");
    return unwrapped(point);
  };
}

/// One step of a task, divided by the method's tolerance.
Run run_to_tolerance(Task task, const std::string& method) {
  const auto prepared = prepare(task, method, end_of(task));
  return [prepared] {
    Point point = prepared->start;
    AdaptiveAdvance advance(*prepared->stepper);
    if (advance(point, 0.0, 0, 1).steps != 1) throw std::runtime_error("a substep was refused");
    return unwrapped(point);
  };
}

/// The largest error of the energy after equal parts of a long run. A step is taken as often as
/// fits into a part.
Run run_for_energy(Task task, const std::string& method, std::uint64_t steps) {
  const auto prepared = prepare(task, method, long_time / long_parts / static_cast<double>(steps));
  const auto evaluator = std::make_shared<Evaluator>(load(task).problem.system);
  return [prepared, evaluator, steps] {
    Point point = prepared->start;
    const double first = evaluator->energy(0.0, point.q, point.v);
    double worst = 0.0;
    for (std::uint64_t part = 0; part < long_parts; ++part) {
      if (prepared->stepper->advance(point, 0.0, part * steps, steps).steps != steps)
        throw std::runtime_error("a step was refused");
      worst = numeric::larger(std::fabs(evaluator->energy(0.0, point.q, point.v) - first), worst);
    }
    return std::vector{worst};
  };
}

std::string coordinates_text(Form form) {
  return form == Form::coordinates_of_d ? ", coordinates=quasi-velocity" : "";
}

/// A method in steps from the largest down, each smaller by the root of two.
void add_steps(std::vector<Entry>& entries, Task task, Form form, const std::string& name,
               double largest) {
  const std::string method = name.substr(0, name.size() - 1) + coordinates_text(form) + ")";
  for (int k = 0; k < 10; ++k) {
    const double h = largest * std::pow(2.0, -0.5 * k);
    const auto steps = static_cast<std::uint64_t>(std::lround(end_of(task) / h));
    char text[32];
    static_cast<void>(
        std::snprintf(text, sizeof text, "h = %.3g", end_of(task) / static_cast<double>(steps)));
    entries.push_back({.method = name,
                       .form = form,
                       .parameter = text,
                       .run = run_of_steps(task, method, steps)});
  }
}

void add_tolerances(std::vector<Entry>& entries, Task task, Form form) {
  for (const double tolerance : tolerances) {
    char text[16];
    static_cast<void>(std::snprintf(text, sizeof text, "%.0e", tolerance));
    const std::string method =
        "fehlberg-78(tolerance=" + std::string(text) + coordinates_text(form) + ")";
    entries.push_back({.method = "fehlberg-78",
                       .form = form,
                       .parameter = text,
                       .run = run_to_tolerance(task, method)});
  }
}

}  // namespace

std::string title_of(Task task) {
  return task == Task::transmission ? "pendulum-cvt-inverted, epsilon = 0.1, newmark-high, T = 100"
                                    : "chaotic, n = 3, ensemble, T = 20";
}

std::string long_title_of(Task task) {
  const std::string title = title_of(task);
  return title.substr(0, title.rfind('=') + 1) + " 30000, energy";
}

double end_of(Task task) { return task == Task::transmission ? 100.0 : 20.0; }

std::vector<Entry> own_entries(Task task) {
  std::vector<Entry> entries;
  for (const Form form : {Form::positions_and_velocities, Form::coordinates_of_d}) {
    add_steps(entries, task, form, "gauss(stages=4)", 0.5);
    add_steps(entries, task, form, "gauss(stages=8)", 1.4);
    add_steps(entries, task, form, "gauss(stages=12)", 2.0);
    add_steps(entries, task, form, "gauss(stages=16)", 2.0);
    add_tolerances(entries, task, form);
  }
  add_steps(entries, task, Form::positions_and_velocities, "lobatto(stages=4)", 0.25);
  return entries;
}

std::vector<Entry> own_long_runs(Task task) {
  std::vector<Entry> entries;
  const auto add = [&](const std::string& method, double largest, int count) {
    const bool has_sweeps = method.starts_with("gauss");
    for (int k = 0; k < count; ++k) {
      constexpr double part = long_time / long_parts;
      const auto steps =
          static_cast<std::uint64_t>(std::lround(part / largest * std::pow(2.0, 0.5 * k)));
      char text[32];
      static_cast<void>(
          std::snprintf(text, sizeof text, "h = %.3g", part / static_cast<double>(steps)));
      entries.push_back(
          {.method = method, .parameter = text, .run = run_for_energy(task, method, steps)});
      if (!has_sweeps) continue;
      const std::string other =
          method.substr(0, method.size() - 1) + coordinates_text(Form::coordinates_of_d) + ")";
      entries.push_back({.method = method,
                         .form = Form::coordinates_of_d,
                         .parameter = text,
                         .run = run_for_energy(task, other, steps)});
    }
  };
  for (const char* method : {"leapfrog", "leapfrog(first=drift)", "dla01"}) add(method, 0.28, 10);
  // Exact with any step: one with which the motion is right.
  for (const char* method :
       {"discrete-derivative", "reduced-gradient(frame=given)", "frame-splitting"})
    add(method, 0.1, 1);
  add("gauss(stages=8)", 0.5, 5);
  add("gauss(stages=16)", task == Task::transmission ? 1.4 : 0.5, 5);
  std::ranges::stable_sort(entries, {}, &Entry::form);
  return entries;
}

Reference reference_of(Task task) {
  const auto steps = static_cast<std::uint64_t>(end_of(task));
  Reference reference{
      run_of_steps(task, "gauss(stages=16, coordinates=quasi-velocity)", 4 * steps)(), 0.0};
  const std::vector<double> other = run_of_steps(task, "gauss(stages=12)", 7 * steps)();
  for (std::size_t i = 0; i < other.size(); ++i)
    reference.uncertainty =
        numeric::larger(std::fabs(other[i] - reference.q[i]), reference.uncertainty);
  return reference;
}

}  // namespace work_precision
