#pragma once

#include <optional>
#include <string>

#include "dalembert/expression/limits.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert {

/// Values to take instead of a problem file's defaults.
struct LoadOptions {
  NamedValues parameters = {};        ///< also instead of those that a start sets
  Sizes sizes = {};                   ///< by name; others have their defaults
  std::optional<Limits> limits = {};  ///< of what the file may ask for, instead of `limits()`
};

/// A problem of the library by name, as "pendulum-cvt", or a problem file by path (with a slash or
/// ending in .toml): its system, whose default parameters are the chosen ones, with the starts that
/// have the chosen sizes, evaluated at these parameters. RequestError with the nearest name if
/// there is no such problem, parameter or size, with file and line for what is wrong in the file,
/// for values out of range, and for files that ask for more than the limits; OutputError if the
/// file cannot be read.
Problem load_problem(const std::string& name_or_path, const LoadOptions& options = {});

}  // namespace dalembert
