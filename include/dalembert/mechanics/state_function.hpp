#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/expression/tape/number_function.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Throws the RequestError of a call with `given` where `expected` are needed.
[[noreturn]] void refuse_state_size(const char* what, std::size_t given, std::size_t expected);

/// Functions of the state of a system, compiled once: expressions in its symbols become numbers at
/// (t, q, v), for given parameters, in any number type. A call checks the sizes, does not allocate,
/// and returns nan or infinite entries where an expression is undefined. One per thread; copies are
/// independent.
template <class Number = double>
class StateFunction {
 public:
  /// A function without outputs.
  StateFunction() = default;
  /// `outputs` are expressions in `symbols`, which are those of the system, and in `further`
  /// symbols of the same graph: an acceleration, a multiplier. Parameters in the order of the
  /// description; the defaults if empty. RequestError if their number is wrong.
  StateFunction(const System& system, const Symbols& symbols, const Vector& outputs,
                std::span<const double> parameters = {}, const Vector& further = {})
      : parameter_count_(symbols.parameter_list.size()),
        dof_(symbols.q.size()),
        velocity_count_(symbols.v.size()),
        further_count_(further.size()),
        function_(compiled(symbols, in_stored_numbers(system, symbols, outputs), further)),
        arguments_(parameter_count_ + 1 + dof_ + velocity_count_ + further_count_, Number(0.0)),
        results_(outputs.size(), Number(0.0)) {
    set_parameters(parameter_values(system, parameters));
  }

  std::size_t output_count() const { return results_.size(); }  ///< number of outputs
  /// The parameters of the following calls; RequestError if their number is wrong.
  void set_parameters(std::span<const double> parameters) {
    check_size("parameters", parameters.size(), parameter_count_);
    for (std::size_t i = 0; i < parameter_count_; ++i) arguments_[i] = Number(parameters[i]);
  }

  /// The outputs at (t, q, v) and the values of the further symbols; valid until the next call.
  /// Shapes: q [storage_count], v [dof] (empty in skew-gradient form), further as declared.
  /// RequestError for others.
  std::span<const Number> operator()(const Number& t, std::span<const Number> q,
                                     std::span<const Number> v,
                                     std::span<const Number> further = {}) {
    evaluate(t, q, v, further, results_);
    return results_;
  }
  /// Writes the outputs into `values`, [output_count()].
  void evaluate(const Number& t, std::span<const Number> q, std::span<const Number> v,
                std::span<const Number> further, std::span<Number> values) {
    check_size("entries of q", q.size(), dof_);
    check_size("entries of v", v.size(), velocity_count_);
    check_size("further arguments", further.size(), further_count_);
    check_size("results", values.size(), results_.size());
    if (results_.empty()) return;
    Number* next = arguments_.data() + parameter_count_;
    *next++ = t;
    for (const std::span<const Number> part : {q, v, further}) {
      for (const Number& value : part) *next++ = value;
    }
    if constexpr (std::is_same_v<Number, double>) {
      function_(arguments_, values);
    } else {
      function_({std::span<const Number>(arguments_)}, values);
    }
  }

 private:
  /// Doubles go through the kernel that the library was compiled with.
  using Function =
      std::conditional_t<std::is_same_v<Number, double>, CompiledFunction, NumberFunction<Number>>;

  static Vector in_stored_numbers(const System& system, const Symbols& symbols,
                                  const Vector& outputs) {
    return system.traits().has_groups ? system.at(outputs, symbols.q, symbols.v, symbols.t)
                                      : outputs;
  }
  static Function compiled(const Symbols& symbols, const Vector& outputs, const Vector& further) {
    return Function(
        concatenate({symbols.parameter_list, Vector{symbols.t}, symbols.q, symbols.v, further}),
        outputs);
  }
  static void check_size(const char* what, std::size_t given, std::size_t expected) {
    if (given != expected) refuse_state_size(what, given, expected);
  }

  std::size_t parameter_count_ = 0, dof_ = 0, velocity_count_ = 0, further_count_ = 0;
  Function function_;
  std::vector<Number> arguments_, results_;
};

/// Doubles are the library's: what a user compiles does not replace it.
extern template class StateFunction<double>;

}  // namespace dalembert
