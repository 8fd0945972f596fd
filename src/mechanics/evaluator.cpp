#include "dalembert/mechanics/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/consistent_start.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "mechanics/rank/regularity.hpp"
#include "mechanics/system_data.hpp"

namespace dalembert {
namespace {

std::vector<double> checked_parameters(const System& system, std::span<const double> given) {
  std::vector<double> values = parameter_values(system, given);
  check_parameter_ranges(system, values);
  return values;
}

bool is_finite(double value) { return std::isfinite(value); }

}  // namespace

struct EvaluatorFunctions {
  explicit EvaluatorFunctions(const System& system);

  StateFunction<double> energy, constraint, integrals, eliminated;
  StateFunction<double> reactions;  // rows of B^T, where they are not those of ideal constraints
  // The mass, the constraint matrix and the Lagrangian: entries that are not constant, and all.
  StateFunction<double> varying;
  std::vector<std::size_t> varying_at;
  std::vector<double> regular;

  void set_parameters(std::span<const double> parameters) {
    for (StateFunction<double>* function :
         {&energy, &constraint, &integrals, &eliminated, &reactions, &varying})
      if (function->output_count() > 0) function->set_parameters(parameters);
  }
};

EvaluatorFunctions::EvaluatorFunctions(const System& system) {
  const Symbols s = system.symbols();
  const auto compiled = [&](const Vector& outputs) {
    return StateFunction<double>(system, s, outputs);
  };
  energy = compiled({system.energy(s.q, s.v)});
  Vector values;
  for (const auto& [name, value] : system.mechanics().integrals) values.push_back(value);
  integrals = compiled(values);
  if (system.is_skew_gradient()) return;
  constraint =
      compiled(concatenate({system.constraint(s.q, s.v, s.t), system.holonomic(s.q, s.t)}));
  const System::Eliminated motion = system.eliminated(s.q, s.v, s.t);
  eliminated = compiled(concatenate({motion.acceleration, motion.lambda}));
  if (!system.traits().ideal) reactions = compiled(system.reaction_matrix(s.q, s.v, s.t).entries());
  const Vector entries = concatenate({system.mass(s.q, s.v).entries(),
                                      system.constraint_matrix(s.q, s.v, s.t).entries(),
                                      Vector{system.lagrangian(s.q, s.v)}});
  Vector changing;
  for (const Expr& entry : entries) {
    regular.push_back(entry.constant().high);  // of others meaningless until they are evaluated
    if (entry.is_constant()) continue;
    varying_at.push_back(regular.size() - 1);
    changing.push_back(entry);
  }
  varying = compiled(changing);
}

struct Evaluator::Parts : EvaluatorFunctions {
  Parts(System its_system, const EvaluatorFunctions& functions, std::span<const double> given)
      : EvaluatorFunctions(functions), system(std::move(its_system)) {
    use_parameters(given);
  }

  System system;
  std::vector<double> parameters;
  CheckedMatrices passed;
  // Made when first asked for.
  std::optional<ConsistentStart<double>> consistent_start;
  std::optional<StateFunction<double>> projection;

  void use_parameters(std::span<const double> given) {
    parameters = checked_parameters(system, given);
    set_parameters(parameters);
    if (projection) projection->set_parameters(parameters);
    if (consistent_start) consistent_start->set_parameters(parameters);
  }
  ConsistentStart<double>& consistent() {
    if (!consistent_start) {
      using Functions = ConsistentStart<double>::Functions;
      const auto made = system.data_->consistent_start.get([&] { return Functions(system); });
      consistent_start.emplace(system, *made, parameters);
    }
    return *consistent_start;
  }
  StateFunction<double>& projected() {
    if (!projection) {
      projection = *system.data_->projection.get([&] {
        const Symbols s = system.symbols();
        return StateFunction<double>(system, s, system.projected_velocity(s.q, s.v, s.t));
      });
      projection->set_parameters(parameters);
    }
    return *projection;
  }
  /// The mass, the constraint matrix and the Lagrangian, until the next call.
  std::span<const double> regularity(double t, std::span<const double> q,
                                     std::span<const double> v) {
    const std::span<const double> values = varying(t, q, v);
    for (std::size_t i = 0; i < values.size(); ++i) regular[varying_at[i]] = values[i];
    return regular;
  }
  /// In skew-gradient form.
  void check_hamiltonian(double t, std::span<const double> q) {
    if (std::isfinite(energy(t, q, {}).front())) return;
    throw RequestError("the Hamiltonian of system \"" + system.name() + "\" at zeta = " +
                       point_text(q) + " is not a finite number; check for a division by zero");
  }
};

Evaluator::Evaluator(System system, std::span<const double> parameters) {
  const auto functions = system.data_->evaluator.get([&] { return EvaluatorFunctions(system); });
  parts_ = std::make_unique<Parts>(std::move(system), *functions, parameters);
}
Evaluator::Evaluator(const Evaluator& other) : parts_(std::make_unique<Parts>(*other.parts_)) {}
Evaluator& Evaluator::operator=(const Evaluator& other) {
  if (this != &other) parts_ = std::make_unique<Parts>(*other.parts_);
  return *this;
}
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;
Evaluator::~Evaluator() = default;

const System& Evaluator::system() const { return parts_->system; }
std::span<const double> Evaluator::parameters() const { return parts_->parameters; }

void Evaluator::set_parameters(std::span<const double> parameters) {
  parts_->use_parameters(parameters);
}

double Evaluator::energy(double t, std::span<const double> q, std::span<const double> v) {
  return parts_->energy(t, q, v).front();
}

double Evaluator::constraint_error(double t, std::span<const double> q, std::span<const double> v) {
  if (parts_->system.constraint_count() == 0) return 0.0;
  double largest = 0.0;
  for (const double value : parts_->constraint(t, q, v))
    largest = std::fabs(value) <= largest ? largest : std::fabs(value);
  return largest;
}

std::vector<double> Evaluator::constraint(double t, std::span<const double> q,
                                          std::span<const double> v) {
  if (parts_->system.constraint_count() == 0) return {};
  const std::span<const double> values = parts_->constraint(t, q, v);
  return {values.begin(), values.end()};
}

void Evaluator::integrals(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> values) {
  parts_->integrals.evaluate(t, q, v, {}, values);
}

void Evaluator::multiplier(double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> lambda) {
  if (lambda.size() != parts_->system.constraint_count())
    refuse_state_size("multipliers", lambda.size(), parts_->system.constraint_count());
  if (lambda.empty()) return;
  std::ranges::copy(parts_->eliminated(t, q, v).subspan(parts_->system.dof()), lambda.begin());
}

std::vector<double> Evaluator::acceleration(double t, std::span<const double> q,
                                            std::span<const double> v) {
  const std::span<const double> values = parts_->eliminated(t, q, v).first(parts_->system.dof());
  return {values.begin(), values.end()};
}

std::vector<double> Evaluator::projected_velocity(double t, std::span<const double> q,
                                                  std::span<const double> v) {
  const std::span<const double> values = parts_->projected()(t, q, v);
  return {values.begin(), values.end()};
}

std::pair<std::vector<double>, std::vector<double>> Evaluator::consistent_state(
    double t, std::span<const double> q, std::span<const double> v) {
  auto found = parts_->consistent()(t, {q.begin(), q.end()}, {v.begin(), v.end()});
  if (!found.found()) {
    throw RequestError("no " + std::string(found.found_q ? "velocity" : "position") +
                       " of system \"" + parts_->system.name() +
                       "\" that satisfies the constraints was found near q = " + point_text(q) +
                       ", v = " + point_text(v) + ": Newton's iteration ends with residual " +
                       to_string(found.residual) + "; start closer to the constraints");
  }
  return {std::move(found.q), std::move(found.v)};
}

std::vector<double> Evaluator::velocity_of_momentum(double t, std::span<const double> q,
                                                    std::span<const double> p) {
  auto found = parts_->consistent().with_momentum(t, {q.begin(), q.end()}, {p.begin(), p.end()});
  if (!found.found()) {
    throw RequestError("no velocity of system \"" + parts_->system.name() +
                       "\" with momentum p = " + point_text(p) + " was found at q = " +
                       point_text(q) + ": Newton's iteration ends with residual " +
                       to_string(found.residual) + "; give the velocity instead");
  }
  return std::move(found.v);
}

void Evaluator::check_position(double t, std::span<const double> q) {
  const System& system = parts_->system;
  if (system.is_skew_gradient()) return parts_->check_hamiltonian(t, q);
  const std::vector<double> rest(system.dof(), 0.0);
  // Constraints that are not linear or affine in v may be singular at rest and regular elsewhere.
  if (system.traits().constraints != ConstraintKind::nonlinear)
    return check_regular(t, q, rest, true);
  if (system.traits().lagrangian != LagrangianKind::general)
    check_mass({system, q, {}, parts_->regularity(t, q, rest)}, parts_->passed);
}

void Evaluator::check_regular(double t, std::span<const double> q, std::span<const double> v,
                              bool allow_violation) {
  const System& system = parts_->system;
  if (system.is_skew_gradient()) return parts_->check_hamiltonian(t, q);
  const Regularity at{system, q, v, parts_->regularity(t, q, v)};
  check_mass(at, parts_->passed);
  check_constraints(at, constraint(t, q, v), allow_violation, parts_->passed);
  constexpr double holds_nothing = 1e-8;
  if (!system.traits().ideal &&
      !(hold_of_reactions(at, parts_->reactions(t, q, v)) > holds_nothing))
    throw RequestError(
        "the reaction of \"" + system.nonideal_constraint() + "\"" + at.where() +
        " does not hold the constraints: A M^-1 B is singular there, where A are the "
        "derivatives of the constraints by the velocities, and B the reactions");
  if (!std::ranges::all_of(parts_->eliminated(t, q, v), is_finite)) {
    throw RequestError("the acceleration" + at.where() +
                       " is not finite; check for a division by zero");
  }
}

}  // namespace dalembert
