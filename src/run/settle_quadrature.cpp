#include "dalembert/run/settle_quadrature.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "dalembert/expression/limits.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {
namespace {

constexpr const char* option_name = "quadrature";
constexpr const char* open_choice = "auto";

/// The method with this many nodes wherever it leaves their number open; nothing where it does not.
std::optional<MethodSpec> with_nodes(const MethodSpec& spec, int nodes) {
  std::optional<MethodSpec> changed;
  for (const auto& [name, value] : spec.options) {
    OptionValue chosen = value;
    if (const auto* base = std::get_if<std::shared_ptr<const MethodSpec>>(&value)) {
      const std::optional<MethodSpec> inner = with_nodes(**base, nodes);
      if (!inner) continue;
      chosen = std::make_shared<const MethodSpec>(*inner);
    } else if (name == option_name && value == OptionValue(std::string(open_choice))) {
      chosen = double(nodes);
    } else {
      continue;
    }
    if (!changed) changed = spec;
    changed->options[name] = chosen;
  }
  return changed;
}

/// The same with another method; nothing where that is too large.
std::shared_ptr<const StepProgram> compiled(const StepProgram& like, const Method& method) {
  try {
    return StepProgram::compile(like.system(), method, like.options());
  } catch (const NodeLimitError&) {
    return nullptr;
  }
}

/// What a trial run shows of the energy.
struct EnergyError {
  double largest = 0.0, round_off = 0.0;

  bool is_round_off() const { return largest <= round_off; }
};

class TrialRun {
 public:
  TrialRun(const System& system, std::span<const double> parameters, std::span<const double> q,
           std::span<const double> v, double h)
      : parameters_(parameters), q_(q), v_(v), h_(h) {
    const Symbols symbols = system.symbols();
    energy_ =
        StateFunction<double>(system, symbols, {system.energy(symbols.q, symbols.v)}, parameters);
  }

  /// The largest change of the energy up to the end or a refused step. Round-off of some units in
  /// each step adds up like a random walk.
  EnergyError operator()(const std::shared_ptr<const StepProgram>& program) {
    Stepper stepper(program, h_, parameters_);
    Point point = stepper.make_point(q_, v_);
    const double start = energy(point), size = numeric::larger(1.0, std::fabs(start));
    EnergyError found;
    for (std::uint64_t k = 0; k < settling_steps; ++k) {
      if (stepper.advance(point, 0.0, k, 1).status != StepStatus::ok) break;
      found.largest = numeric::larger(found.largest, std::fabs(energy(point) - start));
    }
    found.round_off = 32.0 * std::numeric_limits<double>::epsilon() *
                      std::sqrt(static_cast<double>(settling_steps)) * size;
    return found;
  }

 private:
  double energy(const Point& point) { return energy_(point.t, point.q, point.v).front(); }

  std::span<const double> parameters_, q_, v_;
  double h_;
  StateFunction<double> energy_;
};

}  // namespace

std::shared_ptr<const StepProgram> settle_quadrature(std::shared_ptr<const StepProgram> program,
                                                     std::span<const double> parameters,
                                                     std::span<const double> q,
                                                     std::span<const double> v, double h) {
  constexpr std::array more_nodes{16, 24, 32, 48, 64};
  const MethodSpec open = program->method().spec();
  if (!with_nodes(open, more_nodes.front())) return program;
  TrialRun trial(program->system(), parameters, q, v, h);
  EnergyError error = trial(program);
  for (const int nodes : more_nodes) {
    if (error.is_round_off()) break;
    const auto finer = compiled(*program, make_method(*with_nodes(open, nodes)));
    if (finer == nullptr) break;
    const EnergyError finer_error = trial(finer);
    if (!(finer_error.largest < 0.5 * error.largest)) break;
    program = finer;
    error = finer_error;
  }
  return program;
}

Method settle_quadrature(const Method& method, const System& system,
                         std::span<const double> parameters, std::span<const double> q,
                         std::span<const double> v, double h) {
  if (!with_nodes(method.spec(), most_quadrature_nodes)) return method;
  return settle_quadrature(StepProgram::compile(system, method), parameters, q, v, h)->method();
}

}  // namespace dalembert
