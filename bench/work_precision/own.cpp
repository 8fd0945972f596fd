#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "dalembert/method/library.hpp"
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

/// A method at the start of a task. `method` is a text as on the command line.
struct Prepared {
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
  return std::make_shared<Prepared>(Prepared{std::move(stepper), std::move(start)});
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
