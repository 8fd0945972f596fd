#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "waiting.hpp"

namespace dalembert::python {

/// How runs and ensembles are executed, as Python says it.
struct Request {
  std::size_t threads = 1;
  int lanes = 0;              ///< of an ensemble; 0: the best of the machine
  std::string out;            ///< an HDF5 file that is written on the way, or ""
  bool force = false;         ///< replace a file that is no result, or one that took long
  pybind11::object progress;  ///< called with stage, done, total; or None
  bool records = true;        ///< of runs: in memory
};

/// Tells the waiting thread which run is planned; ends planning where it was cancelled.
study::PlanningWatch shown_by(Work& work);

/// Rows of numbers [rows, columns] as an array that cannot be written to and keeps `owner` alive.
pybind11::array_t<double> view_of(std::span<const double> values, std::size_t columns,
                                  const pybind11::object& owner);

/// RequestError where a file should not be replaced by a result without `force`; "" is no file.
void check_replaceable(const std::string& path, bool force);

}  // namespace dalembert::python
