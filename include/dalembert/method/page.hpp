#pragma once
// A method is written as a type with its options as members, one function for the equations, and a
// page that says everything else. See doc/how-to-add-a-method.md.

#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/method/option.hpp"

namespace dalembert {

template <class M>
Option<M>::Option(std::string name, Method M::*member, std::string description)
    : Option(std::move(name), std::move(description)) {
  get_ = [member](const M& method) -> OptionValue {
    const Method& base = method.*member;
    return std::make_shared<const MethodSpec>(base.empty() ? MethodSpec{} : base.spec());
  };
  set_ = [member](M& method, const OptionValue& value) {
    method.*member = make_method(*std::get<std::shared_ptr<const MethodSpec>>(value));
  };
}

/// Value of a page for a method M: the same for all values of its options, or from a const member.
template <class M, class T>
class Said {
 public:
  Said(T value) : say_([value = std::move(value)](const M&) { return value; }) {}
  Said(T (M::*function)() const) : say_([function](const M& m) { return (m.*function)(); }) {}
  Said(T M::*member) : say_([member](const M& m) { return m.*member; }) {}
  /// The value for that method.
  T operator()(const M& method) const { return say_(method); }

 private:
  std::function<T(const M&)> say_;
};

/// Another name in the literature, of a method or of it with certain options.
struct Alias {
  std::string name;                                 ///< name in studies and on the command line
  std::string source = {};                          ///< key of doc/references.bib
  std::map<std::string, OptionValue> options = {};  ///< values of options that the name stands for
  /// The most general Lagrangian on R^n for which both are the same, and the name is not refused;
  /// nothing: wherever the method runs.
  std::optional<LagrangianKind> lagrangian = {};
};

/// Advice on when a method is the right one and when not: clauses that follow "when", without a
/// capital letter and a full stop.
struct Usage {
  std::string when = {}, otherwise = {};  ///< when to use it, and when not; empty: not said

  /// "Use it when ..." and "Do not use it when ..."; nothing where nothing is said.
  std::vector<std::string> sentences() const;
};

/// The page of a method type M, which its static function `page()` returns: all that there is to
/// say about it. `name`, `facts` and `equations` are required. Fields that depend on options are
/// pointers to const members: a name with a slip, a member that is not const or has other arguments
/// does not compile.
template <class M>
struct MethodPage {
  Required<std::string> name;             ///< name in studies and on the command line
  std::vector<Alias> aliases = {};        ///< other names in the literature
  std::string title = {};                 ///< one line
  Usage use = {};                         ///< advice on when to use it, and when not
  std::string description = {};           ///< a paragraph
  std::string source = {};                ///< paper and equation, keyed to doc/references.bib
  std::vector<std::string> formula = {};  ///< the equations in words, where printing says little
  Required<Said<M, Facts>> facts;         ///< promises
  Said<M, Requirements> requirements = Requirements{};  ///< requirements on a system
  /// The equations of a step: of a system, the state before, the unknowns and the step size h.
  Required<Equations (M::*)(const System&, const State&, Unknowns&, const Expr&) const> equations;
  /// The pieces of a splitting, whose equations are apply_pieces() of them, or those of the same
  /// map in another form.
  std::vector<SplittingPiece> (M::*pieces)(const System&, const State&) const = nullptr;
  /// Names of what the next step needs, or the method reports, beside q, v and lambda:
  /// State::carried.
  std::vector<std::string> (M::*carries)(const System&) const = nullptr;
  /// Values of these at the start, as expressions of the state there; nullptr: zeros.
  Vector (M::*start)(const System&, const State&) const = nullptr;
  /// The factor by which a step multiplies the volume of the passengers of a coupled system.
  std::optional<VolumeFormula> (M::*volume)(const System&, const State& before, const State& after,
                                            const Expr& h) const = nullptr;
  /// An energy of the states, near that of the system, which steps of size h keep.
  std::optional<Expr> (M::*discrete_energy)(const System&, const State& state,
                                            const Expr& h) const = nullptr;
  /// The largest State::error_estimate of a substep, relative to 1 + size; 0: fixed steps.
  Said<M, double> error_tolerance = 0.0;
  bool error_is_scaled = false;  ///< estimates are relative to sizes of the method's own instead
  /// Fractions of the step, 0 and 1 among them, between which State::dense interpolates.
  Said<M, std::vector<Constant>> dense_output = std::vector<Constant>{};
  std::vector<Option<M>> options = {};  ///< options, in the order in which they are listed
  /// Reason why options that are admissible one by one do not go together, as the end of a sentence
  /// that begins with the method; nothing if they do.
  Said<M, std::optional<std::string>> conflict = std::optional<std::string>{};
  /// Reason why the method cannot be used on a system, beyond its requirements; nothing if it can.
  std::optional<std::string> (M::*misfit)(const System&) const = nullptr;
  /// Further facts about the method with its options, a line each.
  Said<M, std::vector<std::string>> remarks = std::vector<std::string>{};
  /// A sentence on options that work badly; nothing where all is well.
  Said<M, std::optional<std::string>> warning = std::optional<std::string>{};
};

/// Definition of one method, from the page of its type. Throws RequestError where an option has a
/// value that is not admissible, or options do not go together.
template <MethodType M>
MethodDefinition definition_of(const M& method) {
  const MethodPage<M> page = M::page();
  std::vector<OptionInfo> options;
  std::map<std::string, OptionValue> values;
  for (const Option<M>& option : page.options) {
    options.push_back(option.info());
    const OptionValue value = option.get(method);
    check_option(page.name, options.back(), value);
    values[options.back().name] = value;
  }
  if (const std::optional<std::string> conflict = page.conflict(method))
    throw RequestError("method \"" + page.name.get() + "\" " + *conflict);
  MethodDefinition definition{.name = page.name,
                              .title = page.title,
                              .description = page.description,
                              .source = page.source,
                              .formula = page.formula,
                              .facts = page.facts.get()(method),
                              .requirements = page.requirements(method),
                              .equations = std::bind_front(page.equations.get(), method),
                              .error_tolerance = page.error_tolerance(method),
                              .error_is_scaled = page.error_is_scaled,
                              .dense_output = page.dense_output(method),
                              .options = std::move(options),
                              .values = std::move(values),
                              .remarks = page.remarks(method),
                              .warning = page.warning(method)};
  if (page.pieces != nullptr) definition.pieces = std::bind_front(page.pieces, method);
  if (page.carries != nullptr) definition.carries = std::bind_front(page.carries, method);
  if (page.start != nullptr) definition.start = std::bind_front(page.start, method);
  if (page.volume != nullptr) definition.volume = std::bind_front(page.volume, method);
  if (page.discrete_energy != nullptr)
    definition.discrete_energy = std::bind_front(page.discrete_energy, method);
  if (page.misfit != nullptr) definition.misfit = std::bind_front(page.misfit, method);
  return definition;
}

template <MethodType M>
Method::Method(const M& method) : Method(definition_of(method)) {}

}  // namespace dalembert
