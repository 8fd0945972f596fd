#pragma once
// Completion of command lines in a shell.

#include "app/commands.hpp"

namespace dalembert::app {

/// The command `completion`: the script for a shell, and the words that may come next, which that
/// script asks for. To be added after all others.
void add_completion(CLI::App& program, Action& action);

}  // namespace dalembert::app
