// Steps in a loop of one's own.

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/native/c_step.hpp"
#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/integrate.hpp"
#include "lock.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// The state of one trajectory with the grid that it is on, so that t = start + steps h does not
/// gather round-off. One thread at a time steps it.
struct SteppedPoint {
  Point point;
  double start = 0.0, step_size = 0.0;
  std::uint64_t steps = 0;
  /// Of a method that divides its steps, with the stepper that it was last stepped by.
  std::shared_ptr<Stepper> stepper;
  std::unique_ptr<AdaptiveAdvance> divide;  ///< of a method that divides its steps
  std::mutex mutex;

  explicit SteppedPoint(Point given) : point(std::move(given)), start(point.t) {}

  /// Goes on from where it is, where time, step size or stepper have been changed.
  void settle(const std::shared_ptr<Stepper>& by) {
    const double h = by->step_size();
    const bool is_on_grid = h == step_size && point.t == start + static_cast<double>(steps) * h;
    if (is_on_grid && by == stepper) return;
    start = point.t;
    step_size = h;
    steps = 0;
    stepper = by;
    const bool divides = by->program().method().tolerance() > 0.0;
    divide = divides ? std::make_unique<AdaptiveAdvance>(*by) : nullptr;
  }

  StepReport advance(std::uint64_t count) {
    const StepReport report = divide ? (*divide)(point, start, steps, count)
                                     : stepper->advance(point, start, steps, count);
    steps += report.steps;
    return report;
  }
};

void check_time(double t) {
  if (!std::isfinite(t))
    throw RequestError("t is " + to_string(t) + "; it must be a finite number");
}

const char* status_word(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return "ok";
    case StepStatus::not_converged:
      return "not converged";
    default:
      return "not finite";
  }
}

/// A stepper with what evaluates the mechanics beside it. Threads take turns.
class SharedStepper {
 public:
  SharedStepper(const System& system, const Method& method, double step, const NamedValues& values,
                bool compensated, bool wrap_angles)
      : parameters_(named_parameter_values(system, values)),
        stepper_(std::make_shared<Stepper>(
            StepProgram::compile(system, method, {compensated, wrap_angles}), step, parameters_)),
        evaluator_(system, parameters_) {
    check_parameter_ranges(system, parameters_);
    check_step(step);
  }

  std::shared_ptr<SteppedPoint> start(const std::vector<double>& q, const std::vector<double>& v,
                                      const std::optional<std::vector<double>>& lambda, double t,
                                      bool project) {
    check_time(t);
    const std::scoped_lock lock(mutex_);
    const Start wanted =
        prepare_start(evaluator_, {.q = q, .v = v, .lambda = lambda, .project = project}, t);
    auto made =
        std::make_shared<SteppedPoint>(start_point(*stepper_, evaluator_, wanted.q, wanted.v, t));
    // A method that reports the multiplier of the motion has none of its own.
    if (wanted.lambda && !made->point.lambda.empty()) made->point.lambda = *wanted.lambda;
    return made;
  }

  /// Some steps, as many as the numbers admit.
  StepReport advance(SteppedPoint& at, std::uint64_t count) {
    const std::scoped_lock lock(mutex_, at.mutex);
    check_point(stepper_->program(), at.point);
    at.settle(stepper_);
    return at.advance(count);
  }

  std::string failure(const SteppedPoint& at, const StepReport& report) const {
    return failure_text(stepper_->program(), report, at.steps, at.point.t);
  }

  void set_parameters(const NamedValues& changed) {
    const std::scoped_lock lock(mutex_);
    const System& system = stepper_->program().system();
    const std::vector<Parameter>& known = system.description().parameters;
    NamedValues all = changed;
    for (std::size_t i = 0; i < known.size(); ++i) all.emplace(known[i].name, parameters_[i]);
    std::vector<double> values = named_parameter_values(system, all);
    evaluator_.set_parameters(values);
    stepper_->set_parameters(values);
    parameters_ = std::move(values);
  }
  NamedValues parameters() {
    const std::scoped_lock lock(mutex_);
    NamedValues named;
    const auto& known = stepper_->program().system().description().parameters;
    for (std::size_t i = 0; i < known.size(); ++i) named[known[i].name] = parameters_[i];
    return named;
  }
  double step_size() {
    const std::scoped_lock lock(mutex_);
    return stepper_->step_size();
  }
  void set_step_size(double step) {
    const std::scoped_lock lock(mutex_);
    check_step(step);
    stepper_->set_step(step);
  }

  double energy(SteppedPoint& at) {
    const std::scoped_lock lock(mutex_, at.mutex);
    check_point(stepper_->program(), at.point);
    return evaluator_.energy(at.point.t, at.point.q, at.point.v);
  }
  double constraint_error(SteppedPoint& at) {
    const std::scoped_lock lock(mutex_, at.mutex);
    check_point(stepper_->program(), at.point);
    return evaluator_.constraint_error(at.point.t, at.point.q, at.point.v);
  }
  NamedValues integrals(SteppedPoint& at) {
    const std::scoped_lock lock(mutex_, at.mutex);
    check_point(stepper_->program(), at.point);
    const auto& known = evaluator_.system().mechanics().integrals;
    std::vector<double> values(known.size());
    evaluator_.integrals(at.point.t, at.point.q, at.point.v, values);
    NamedValues named;
    for (std::size_t i = 0; i < known.size(); ++i) named[known[i].first] = values[i];
    return named;
  }
  std::vector<double> multiplier(SteppedPoint& at) {
    const std::scoped_lock lock(mutex_, at.mutex);
    check_point(stepper_->program(), at.point);
    std::vector<double> lambda(evaluator_.system().constraint_count());
    evaluator_.multiplier(at.point.t, at.point.q, at.point.v, lambda);
    return lambda;
  }

 private:
  static void check_step(double step) {
    if (!(step != 0.0 && std::isfinite(step)))
      throw RequestError("a step size must be a finite number that is not zero");
  }

  std::vector<double> parameters_;
  std::shared_ptr<Stepper> stepper_;
  Evaluator evaluator_;
  std::mutex mutex_;
};

void set_time(SteppedPoint& at, py::handle t) {
  const Expr time = expression_of(t, "t");
  if (!time.is_constant()) throw RequestError("t must be a number");
  check_time(time.constant().high);
  const std::scoped_lock lock(at.mutex);
  at.point.t = time.constant().high;
}

std::string text_of(const SteppedPoint& at) {
  const auto list = [](const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + to_string(value);
    return "[" + text + "]";
  };
  return "<dalembert.Point t = " + to_string(at.point.t) + ", q = " + list(at.point.q) +
         ", v = " + list(at.point.v) + ">";
}

/// A view of numbers of a point, which it keeps alive.
py::array_t<double> numbers_in(std::vector<double>& values, const py::object& owner) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data(), owner);
}

template <std::vector<double> Point::*part>
py::array_t<double> view_of_part(const py::object& self) {
  return numbers_in(self.cast<SteppedPoint&>().point.*part, self);
}

/// What came of some steps: status, residual, steps, iterations and a sentence.
py::tuple report_entry(const SharedStepper& stepper, const SteppedPoint& at,
                       const StepReport& report) {
  const bool ok = report.status == StepStatus::ok;
  return py::make_tuple(status_word(report.status), report.residual, report.steps,
                        report.iterations, ok ? std::string() : stepper.failure(at, report));
}

/// Steps without the interpreter's lock. Twenty times a second the calling thread looks for
/// signals, after whose exceptions the point stays where it has got to.
py::tuple advance(SharedStepper& stepper, SteppedPoint& at, std::uint64_t steps) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between_looks{50};
  StepReport all;
  std::uint64_t portion = 16;
  auto looked = Clock::now();
  while (all.steps < steps && all.status == StepStatus::ok) {
    StepReport report;
    bool is_time_to_look = false;
    {
      const Unlocked unlocked;
      while (!is_time_to_look && all.steps < steps && all.status == StepStatus::ok) {
        const auto begin = Clock::now();
        report = stepper.advance(at, std::min(steps - all.steps, portion));
        all = {.status = report.status,
               .steps = all.steps + report.steps,
               .iterations = all.iterations + report.iterations,
               .residual = report.residual};
        const auto end = Clock::now();
        if (end - begin < between_looks / 4) portion *= 2;
        is_time_to_look = end - looked > between_looks;
      }
    }
    looked = Clock::now();
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return report_entry(stepper, at, all);
}

std::shared_ptr<SteppedPoint> copy_of(SteppedPoint& at) {
  const std::scoped_lock lock(at.mutex);
  auto copy = std::make_shared<SteppedPoint>(at.point);
  copy->start = at.start;
  copy->step_size = at.step_size;
  copy->steps = at.steps;
  copy->stepper = at.stepper;
  if (at.divide) copy->divide = std::make_unique<AdaptiveAdvance>(*at.divide);
  return copy;
}

/// Steps as a C header; `starts` are names with q, v and parameters.
using NamedStart = std::tuple<std::string, std::vector<double>, std::vector<double>, NamedValues>;
std::string steps_in_c(const System& system, const Method& method,
                       const std::vector<NamedStart>& starts, const std::string& prefix,
                       bool compensated) {
  const Unlocked unlocked;
  Problem problem{system};
  for (const auto& [name, q, v, parameters] : starts) {
    problem.starts.emplace_back();
    Start& start = problem.starts.back();
    start.name = name;
    start.q = q;
    start.v = v;
    start.parameters = parameters;
  }
  return c_step(problem, method, {.prefix = prefix, .step = {.compensated = compensated}});
}

py::list blocks(const System& system, const Method& method) {
  const auto program = StepProgram::compile(system, method);
  py::list entries;
  for (const StepProgram::Block& block : program->blocks()) {
    const char* kind = block.kind == StepProgram::Block::Kind::newton   ? "Newton iteration"
                       : block.kind == StepProgram::Block::Kind::linear ? "linear"
                                                                        : "explicit";
    entries.append(py::make_tuple(kind, block.unknowns, block.system_size));
  }
  return entries;
}

/// Without the interpreter's lock: threads that hold it do not wait for a stepper, and a stepper's
/// method may ask for it.
using WithoutLock = py::call_guard<Unlocked>;

void add_points(py::module_& module) {
  py::class_<SteppedPoint, std::shared_ptr<SteppedPoint>>(
      module, "Point",
      "The state of one trajectory between steps. Arrays are views, without a copy, and may be "
      "written to; angles in q lie in [-pi, pi], with whole turns beside them.")
      .def_property(
          "t", [](const SteppedPoint& at) { return at.point.t; }, &set_time, "Time.")
      .def("__repr__", &text_of)
      .def("__copy__", &copy_of)
      .def("__deepcopy__", [](SteppedPoint& at, const py::dict& /* memo */) { return copy_of(at); })
      .def_property_readonly("q", &view_of_part<&Point::q>, "Positions, [stored numbers].")
      .def_property_readonly("v", &view_of_part<&Point::v>, "Velocities, [dof].")
      .def_property_readonly("lam", &view_of_part<&Point::lambda>,
                             "Multipliers of a method that has its own, else empty.")
      .def_property_readonly("carried", &view_of_part<&Point::carried>,
                             "What else the next step needs.")
      .def_property_readonly("turns", &view_of_part<&Point::turns>,
                             "Whole turns of each coordinate.")
      .def("copy", &copy_of, "A point of its own in the same state.");
}

}  // namespace

void add_steppers(py::module_& module) {
  add_points(module);
  py::class_<SharedStepper>(module, "Stepper")
      .def(py::init<const System&, const Method&, double, const NamedValues&, bool, bool>(),
           "system"_a, "method"_a, "step"_a, "parameters"_a, "compensated"_a, "wrap_angles"_a,
           WithoutLock())
      .def("start", &SharedStepper::start, "q"_a, "v"_a, "lam"_a, "t"_a, "project"_a, WithoutLock())
      .def("advance", &advance, "point"_a, "steps"_a)
      .def("energy", &SharedStepper::energy, "point"_a, WithoutLock())
      .def("constraint_error", &SharedStepper::constraint_error, "point"_a, WithoutLock())
      .def("integrals", &SharedStepper::integrals, "point"_a, WithoutLock())
      .def("multiplier", &SharedStepper::multiplier, "point"_a, WithoutLock())
      .def("parameters", &SharedStepper::parameters, WithoutLock())
      .def("set_parameters", &SharedStepper::set_parameters, "parameters"_a, WithoutLock())
      .def("step_size", &SharedStepper::step_size)
      .def("set_step_size", &SharedStepper::set_step_size, "step"_a, WithoutLock());
  module.def("blocks", &blocks, "system"_a, "method"_a);
  module.def("c_step", &steps_in_c, "system"_a, "method"_a, "starts"_a, "prefix"_a,
             "compensated"_a);
}

}  // namespace dalembert::python
