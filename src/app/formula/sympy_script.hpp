#pragma once
// Problems and methods as Python scripts for SymPy.

#include <string>

#include "dalembert/method/method.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::app {

/// A script that builds the system as SymPy objects, derives its equations of motion by
/// d/dt dL/dv - dL/dq = A^T lambda + force, on groups with the terms of Hamel's equations, and
/// prints them.
std::string problem_script(const study::ProblemFile& problem);

/// A script that builds the equations of one step, see `step_equations`, and prints them.
std::string method_script(const Method& method);

/// The script of the problem or method of that name. RequestError for a study and for unknown
/// names; `option` is what asks for the script.
std::string sympy_script(const std::string& name, const std::string& option);

}  // namespace dalembert::app
