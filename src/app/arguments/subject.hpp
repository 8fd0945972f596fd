#pragma once
// What a name on the command line means, for the subcommands that take any.

#include <optional>
#include <string>

#include "dalembert/method/library.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::app {

/// A method of the library with its options.
struct MethodSubject {
  const MethodEntry* entry = nullptr;
  Method method;
};

/// The method that is meant, as lobatto or "lobatto(stages=4)"; nothing where the name is none.
/// RequestError for wrong options.
std::optional<MethodSubject> find_method(const std::string& name);

/// Whether the name is that of a study of the library, or the path of a file with a table [run].
bool is_study(const std::string& name);
/// Whether the name is that of a problem of the library.
bool is_named_problem(const std::string& name);
/// The same, or whether it can be the path of one.
bool may_be_problem(const std::string& name);

/// RequestError for the name of a study, which has no formulas of its own; `option` asks for them.
void refuse_study(const std::string& name, const std::string& option);

/// The problem of that name, whose equations make sense. RequestError for unknown names and for
/// what is wrong in the file, OutputError where it cannot be read.
study::ProblemFile read_problem_of(const std::string& name);

/// RequestError for a name that is neither a problem nor a method, with the nearest one.
[[noreturn]] void refuse_unknown_subject(const std::string& name);

}  // namespace dalembert::app
