#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/method/equations.hpp"
#include "dalembert/method/facts.hpp"
#include "dalembert/method/option.hpp"

namespace dalembert {

/// A one-step method as values: what a page says about one method with given options. Methods in
/// C++ are types with a page (method/page.hpp), from which this is made; other languages and
/// programs that put methods together while they run fill it in themselves.
struct MethodDefinition {
  Required<std::string> name;             ///< name as in studies; not empty
  std::string title = {};                 ///< one line
  std::string description = {};           ///< a paragraph
  std::string source = {};                ///< paper and equation
  std::vector<std::string> formula = {};  ///< the equations in words, where they say more
  Facts facts;                            ///< promises with these options
  Requirements requirements = {};         ///< requirements on a system with these options
  /// The equations of a step of size h from `before`.
  Required<std::function<Equations(const System& system, const State& before, Unknowns& unknowns,
                                   const Expr& h)>>
      equations;
  /// The pieces of a splitting, with their fractions, from the state before the step; no function
  /// where the step is no sequence of pieces.
  std::function<std::vector<SplittingPiece>(const System&, const State& before)> pieces = {};
  /// The names of what the method carries from step to step beside q, v and lambda; nothing if
  /// there is no function.
  std::function<std::vector<std::string>(const System&)> carries = {};
  /// Its values at the start, as expressions of the state there; zero if there is no function.
  std::function<Vector(const System&, const State& start)> start = {};
  /// The factor by which a step multiplies the volume of the passengers of a coupled system, from
  /// the states before and after it; no function, or nothing, where none is known.
  std::function<std::optional<VolumeFormula>(const System&, const State& before, const State& after,
                                             const Expr& h)>
      volume = {};
  /// An energy of the states, near that of the system, which steps of size h keep to round-off; no
  /// function, or nothing, where none is known.
  std::function<std::optional<Expr>(const System&, const State& state, const Expr& h)>
      discrete_energy = {};
  /// Largest State::error_estimate of a substep, relative to 1 + size: runs divide their steps
  /// until it is met. 0: fixed steps.
  double error_tolerance = 0.0;
  bool error_is_scaled = false;  ///< State::error_estimate has been compared with sizes already
  /// Fractions of the step, 0 and 1 among them, between which State::dense interpolates; see there.
  std::vector<Constant> dense_output = {};
  std::vector<OptionInfo> options = {};            ///< declarations of all options
  std::map<std::string, OptionValue> values = {};  ///< value of every option, by name
  std::vector<std::string> remarks = {};           ///< further facts, a line each
  /// Reason why the method cannot be used on a system, beyond its requirements; nothing if it can.
  std::function<std::optional<std::string>(const System&)> misfit = {};
  std::optional<std::string> warning = {};  ///< sentence on options that work badly
};

template <class M>
struct MethodPage;

/// A type that describes a one-step method: it has a page; see method/page.hpp.
template <class M>
concept MethodType = requires {
  { M::page() } -> std::same_as<MethodPage<M>>;
};

/// Any one-step method, by value. `definition()` of a temporary is a copy.
class Method {
 public:
  /// No method: `empty()` is true, and the other functions must not be called.
  Method() = default;
  /// Throws RequestError where the definition makes no sense: no name or equations, an order below
  /// 1, an option without a value or with one that it does not admit.
  explicit Method(MethodDefinition definition);
  /// From a type: `Method(Dla{.alpha = 0.4})`, or a user's own. Throws RequestError with the
  /// option, its value and what is admissible. Defined in method/page.hpp.
  template <MethodType M>
  Method(const M& method);

  bool empty() const { return definition_ == nullptr; }  ///< true if no method was given
  /// The method as values: a reference that lives as long as this, a copy of a temporary's.
  const MethodDefinition& definition() const& { return *definition_; }
  MethodDefinition definition() const&& { return *definition_; }  ///< a copy
  std::string name() const { return definition_->name.get(); }    ///< name as in studies
  /// Name and values of all options, with the definition, from which `make_method` makes it again.
  MethodSpec spec() const { return {name(), definition_->values, definition_}; }
  Facts facts() const { return definition_->facts; }  ///< promises with these options
  /// Requirements on a system, with these options.
  Requirements requirements() const { return definition_->requirements; }
  /// The equations of a step of size h from `before`. Throws RequestError where the new state does
  /// not have the parts and sizes that the method announced.
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  /// The pieces of a splitting with their fractions; none where the step is no sequence of pieces.
  std::vector<SplittingPiece> pieces(const System& system, const State& before) const;
  /// True if the step is a sequence of pieces.
  bool is_splitting() const { return static_cast<bool>(definition_->pieces); }
  /// The names of what is carried in the state beside q, v and lambda.
  std::vector<std::string> carried_names(const System& system) const;
  /// The values of these at the start, zeros unless the method says otherwise. Throws RequestError
  /// where their number is not that of the names.
  Vector carried_start(const System& system, const State& start) const;
  /// The factor by which a step multiplies the volume of the passengers of a coupled system: see
  /// VolumeFormula. Nothing where none is known.
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;
  /// An energy of the states, near that of the system, which steps of size h keep to round-off.
  /// Nothing where none is known.
  std::optional<Expr> discrete_energy(const System& system, const State& state,
                                      const Expr& h) const;
  /// The equations in words, for methods whose equations have no short general form.
  std::vector<std::string> formula() const { return definition_->formula; }
  /// Largest estimate of the error of a substep, relative to 1 + size; 0: fixed steps.
  double tolerance() const { return definition_->error_tolerance; }
  /// True if the estimates have been compared with sizes already; see `tolerance`.
  bool scales_error() const { return definition_->error_is_scaled; }
  /// Fractions of the step, 0 and 1 among them, between which the dense part of the state
  /// interpolates: see DenseOutput. Empty without dense output.
  std::vector<Constant> interpolation_nodes() const { return definition_->dense_output; }
  /// Further facts about the method with its options, a line each.
  std::vector<std::string> remarks() const { return definition_->remarks; }
  /// A sentence on options that work badly; nothing where all is well.
  std::optional<std::string> warning() const { return definition_->warning; }
  /// Reason why the method cannot be used on the system, in words; nothing if it can.
  std::optional<std::string> misfit(const System& system) const;
  /// Reason why no run can start with these velocities [dof], in words; nothing if one can.
  std::optional<std::string> start_misfit(std::span<const double> v) const;

 private:
  friend Method make_method(const MethodSpec& spec);
  explicit Method(std::shared_ptr<const MethodDefinition> definition)
      : definition_(std::move(definition)) {}

  std::shared_ptr<const MethodDefinition> definition_;
};

/// A method from its name and options: of the library, else the spec's own. Throws RequestError
/// with the name, what was given and what is admissible.
Method make_method(const MethodSpec& spec);

}  // namespace dalembert
