#pragma once
// What the compiled part of the Python package consists of. It stays thin: what is not per step is
// Python.

#include <pybind11/pybind11.h>

namespace dalembert::python {

/// The exceptions of dalembert.errors, for those of C++.
void add_errors(pybind11::module_& module);
/// Expressions with operators and functions.
void add_expressions(pybind11::module_& module);
/// Systems, made of equations, as equations see them.
void add_systems(pybind11::module_& module);
/// Methods, made of equations.
void add_methods(pybind11::module_& module);
/// What methods preserve, measured.
void add_audits(pybind11::module_& module);
/// Expressions as trees, equations of motion.
void add_notation(pybind11::module_& module);
/// Steps in a loop of one's own.
void add_steppers(pybind11::module_& module);
/// Problems as data.
void add_problems(pybind11::module_& module);
/// Studies as read, from documents, files and results.
void add_studies(pybind11::module_& module);
/// Runs of a study, results in files.
void add_runs(pybind11::module_& module);
/// The same of many starts.
void add_ensembles(pybind11::module_& module);
/// Analyses of studies, and what can be asked of them.
void add_analyses(pybind11::module_& module);
/// The program `dalembert`, for a process that is nothing else.
void add_program(pybind11::module_& module);

}  // namespace dalembert::python
