#pragma once
// Parts of Python scripts. Only for `sympy_script`.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert::app {

/// The names of symbols and functions that expressions contain.
struct ExpressionNames {
  std::set<std::string> symbols, functions;  ///< functions without primes
};
ExpressionNames names_in(const Vector& expressions);

/// "from sympy import ..." of what the text of the script uses.
std::string import_text(const std::string& script);

/// `x = Symbol("x", real=True)`, with what else is known of the symbol.
std::string symbol_text(const std::string& name, const std::string& facts = "real=True");
/// `V = Function("V")`.
std::string function_text(const std::string& name);

/// `name = [` and one entry on a line.
std::string list_text(const std::string& name, const std::vector<std::string>& entries,
                      const std::string& comment = "");
std::vector<std::string> sympy_texts(const Vector& expressions);
/// Identifiers of Python.
std::vector<std::string> sympy_names(const std::vector<std::string>& names);

}  // namespace dalembert::app
