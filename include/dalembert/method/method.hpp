#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dalembert/method/equations.hpp"

namespace dalembert {

/// What a method promises. Every field is a promise that the law tests measure.
struct Facts {
  int order = 1;             ///< in q and v
  int multiplier_order = 1;  ///< of the reported multiplier
  int holonomic_multiplier_order =
      0;  ///< of that of constraints on positions, where it is lower; 0 if it is not
  bool symmetric = false;   ///< equal to its adjoint
  bool reversible = false;  ///< its step map commutes with every linear time reversal of the system
  bool maps_constraint_set =
      true;  ///< the new velocity satisfies the constraints at the new position (D to D)
  bool exact_energy = false;        ///< keeps the energy to round-off
  bool carries_multiplier = false;  ///< the next step depends on lambda
  /// The drivers of a nonholonomically coupled system move independently of its passengers; see
  /// `Coupling` in measure/fibration.hpp.
  bool keeps_fibration = true;
  /// The most general Lagrangian for which the step map of (q, dL/dv) is symplectic where there are
  /// no constraints; nothing if it is not even for a constant mass matrix.
  std::optional<LagrangianKind> symplectic = {};
  /// The order of the error of one step from a state on the constraint with its exact multiplier,
  /// where it is not order + 1.
  std::optional<int> local_order = {};
};

/// The promised order of the multipliers of a system with these traits.
int multiplier_order(const Facts& facts, const SystemTraits& traits);

/// What a method needs of a system.
struct Requirements {
  LagrangianKind lagrangian = LagrangianKind::general;  ///< the most general form that it handles
  ConstraintKind constraints =
      ConstraintKind::nonlinear;       ///< the most general kind that it handles
  bool handles_time = false;           ///< explicit time in the equations
  bool handles_skew_gradient = false;  ///< systems in skew-gradient form
  bool handles_force = false;          ///< external forces
  bool handles_holonomic = false;      ///< constraints on positions
  bool handles_nonholonomic = true;    ///< constraints on velocities
  /// Why not, where something is not handled; a clause that follows "because".
  std::string reason = {};
};

struct MethodSpec;

/// The value of an option: a number, a word, or another method.
using OptionValue = std::variant<double, std::string, std::shared_ptr<const MethodSpec>>;

/// A method by name, with those options that differ from their defaults (or all of them).
struct MethodSpec {
  std::string name;
  std::map<std::string, OptionValue> options = {};
};

/// How an option is declared; `describe` prints it.
struct OptionInfo {
  std::string name, description;
  OptionValue default_value;
  double min = 0.0, max = 0.0;       ///< of numbers
  bool whole = false;                ///< of numbers: whole numbers only
  std::vector<std::string> choices;  ///< of words
};

/// A type that describes a one-step method: its equations, nothing else.
template <class M>
concept MethodType = requires(const M& method, const System& system, const State& before,
                              Unknowns& unknowns, const Expr& h) {
  { method.facts() } -> std::same_as<Facts>;
  { method.equations(system, before, unknowns, h) } -> std::same_as<Equations>;
};

/// Any one-step method, by value.
class Method {
 public:
  Method() = default;
  /// From a type: `Method(Dla{.alpha = 0.4})`, or a user's own. A type may also have static `name`,
  /// `requirements()`, `fit(system)` and options; see `method/registry.hpp`.
  template <class M>
  requires(!std::same_as<M, Method> && MethodType<M>) Method(M method);

  bool empty() const { return implementation_ == nullptr; }
  std::string name() const { return implementation_->spec().name; }
  MethodSpec spec() const { return implementation_->spec(); }
  Facts facts() const { return implementation_->facts(); }
  Requirements requirements() const { return implementation_->requirements(); }
  /// The equations of a step of size h from `before`.
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const {
    return implementation_->equations(system, before, unknowns, h);
  }
  /// The names of the extra quantities in the state, and their values at the start.
  std::vector<std::string> extra_names(const System& system) const {
    return implementation_->extra_names(system);
  }
  Vector extra_start(const System& system, const State& start) const {
    return implementation_->extra_start(system, start);
  }
  /// The equations in words, for methods whose equations have no short general form (static
  /// `formula()` of the type).
  std::vector<std::string> formula() const { return implementation_->formula(); }
  /// Where positive, the extra part of the state estimates the error of a step, and a run divides
  /// its steps until the
  /// estimate is below this, relative to 1 + size.
  double tolerance() const { return implementation_->tolerance(); }
  /// Fractions of the step, 0 and 1 among them, at which the extra part of the state gives
  /// positions (as increments), velocities and multipliers: see DenseOutput. Empty without dense
  /// output.
  std::vector<Constant> interpolation_nodes() const {
    return implementation_->interpolation_nodes();
  }
  /// A sentence on options that work badly; nothing where all is well.
  std::optional<std::string> warning() const { return implementation_->warning(); }
  /// Why the method cannot be used on the system, in words; nothing if it can.
  std::optional<std::string> misfit(const System& system) const;

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual MethodSpec spec() const = 0;
    virtual Facts facts() const = 0;
    virtual Requirements requirements() const = 0;
    virtual Equations equations(const System&, const State&, Unknowns&, const Expr&) const = 0;
    virtual std::vector<std::string> extra_names(const System&) const = 0;
    virtual Vector extra_start(const System&, const State&) const = 0;
    virtual std::optional<std::string> misfit(const System&) const = 0;
    virtual std::vector<std::string> formula() const = 0;
    virtual std::optional<std::string> warning() const = 0;
    virtual double tolerance() const = 0;
    virtual std::vector<Constant> interpolation_nodes() const = 0;
  };
  template <class M>
  struct Model;
  std::shared_ptr<const Interface> implementation_;
};

/// A method from its name and options; see `method/registry.hpp`.
Method make_method(const MethodSpec& spec);

/// One option of a method type: a member, and what is admissible.
template <class M>
struct Option {
  /// A number in [least, most].
  Option(std::string_view option_name, double M::*member, std::string_view text, double least,
         double most)
      : name(option_name), description(text), min(least), max(most) {
    get = [member](const M& method) -> OptionValue { return method.*member; };
    set = [member](M& method, const OptionValue& value) {
      method.*member = std::get<double>(value);
    };
  }
  /// A whole number in [least, most].
  Option(std::string_view option_name, int M::*member, std::string_view text, double least,
         double most)
      : name(option_name), description(text), min(least), max(most), whole(true) {
    get = [member](const M& method) -> OptionValue { return static_cast<double>(method.*member); };
    set = [member](M& method, const OptionValue& value) {
      method.*member = static_cast<int>(std::get<double>(value));
    };
  }
  /// One of several words, or any text if there are no `words`.
  Option(std::string_view option_name, std::string M::*member, std::string_view text,
         std::vector<std::string> words)
      : name(option_name), description(text), choices(std::move(words)) {
    get = [member](const M& method) -> OptionValue { return method.*member; };
    set = [member](M& method, const OptionValue& value) {
      method.*member = std::get<std::string>(value);
    };
  }
  /// Another method.
  Option(std::string_view option_name, Method M::*member, std::string_view text)
      : name(option_name), description(text) {
    get = [member](const M& method) -> OptionValue {
      const Method& base = method.*member;
      return std::make_shared<const MethodSpec>(base.empty() ? MethodSpec{} : base.spec());
    };
    set = [member](M& method, const OptionValue& value) {
      method.*member = make_method(*std::get<std::shared_ptr<const MethodSpec>>(value));
    };
  }

  std::string_view name, description;
  double min = 0.0, max = 0.0;
  bool whole = false;
  std::vector<std::string> choices = std::vector<std::string>();
  std::function<OptionValue(const M&)> get;
  std::function<void(M&, const OptionValue&)> set;
};

template <class M>
MethodSpec spec_of(const M& method) {
  MethodSpec spec;
  if constexpr (requires { M::name; }) {
    spec.name = M::name;
  } else {
    spec.name = "user-defined";
  }
  if constexpr (requires { M::options(); }) {
    for (const Option<M>& option : M::options())
      spec.options[std::string(option.name)] = option.get(method);
  }
  return spec;
}

template <class M>
struct Method::Model final : Method::Interface {
  explicit Model(M value) : method(std::move(value)) {}
  MethodSpec spec() const override { return spec_of(method); }
  Facts facts() const override { return method.facts(); }
  Requirements requirements() const override {
    if constexpr (requires { method.requirements(); }) {
      return method.requirements();
    } else {
      return {};
    }
  }
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const override {
    return method.equations(system, before, unknowns, h);
  }
  std::vector<std::string> extra_names(const System& system) const override {
    if constexpr (requires { method.extra_names(system); }) {
      return method.extra_names(system);
    } else {
      return {};
    }
  }
  Vector extra_start(const System& system, const State& start) const override {
    if constexpr (requires { method.extra_start(system, start); }) {
      return method.extra_start(system, start);
    } else {
      return zeros(extra_names(system).size());
    }
  }
  std::optional<std::string> misfit(const System& system) const override {
    if constexpr (requires { method.misfit(system); }) {
      return method.misfit(system);
    } else {
      return std::nullopt;
    }
  }
  std::vector<std::string> formula() const override {
    if constexpr (requires { M::formula(); }) {
      return M::formula();
    } else {
      return {};
    }
  }
  double tolerance() const override {
    if constexpr (requires { method.tolerance; }) {
      return method.tolerance;
    } else {
      return 0.0;
    }
  }
  std::vector<Constant> interpolation_nodes() const override {
    if constexpr (requires { method.interpolation_nodes(); }) {
      return method.interpolation_nodes();
    } else {
      return {};
    }
  }
  std::optional<std::string> warning() const override {
    if constexpr (requires { method.warning(); }) {
      return method.warning();
    } else {
      return std::nullopt;
    }
  }
  M method;
};

template <class M>
requires(!std::same_as<M, Method> && MethodType<M>) Method::Method(M method)
    : implementation_(std::make_shared<const Model<M>>(std::move(method))) {}

}  // namespace dalembert
