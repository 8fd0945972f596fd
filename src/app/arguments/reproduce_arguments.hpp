#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "app/commands.hpp"

namespace dalembert::app {

/// Arguments of `reproduce`.
struct ReproduceArguments {
  std::string what, out = "reproduced", json;
  bool quick = false, check = false, force = false;
  std::size_t threads = 1;
};

/// Adds the subcommand `reproduce`. The program dalembert-reproduce performs it; dalembert, which
/// has the same words, help and completion, starts that program.
void add_reproduce(CLI::App& app, Action& action,
                   const std::function<int(const ReproduceArguments&)>& perform);

}  // namespace dalembert::app
