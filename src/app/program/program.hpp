#pragma once
// The common part of dalembert and dalembert-reproduce.

#include <functional>

#include "app/commands.hpp"

namespace dalembert::app {

/// Adds subcommands, each of which sets the action when it is chosen.
using AddCommands = std::function<void(CLI::App&, Action&)>;

/// `main` of a program with these subcommands: reads the words, performs the action, and makes an
/// exit code and one sentence on standard error of what goes wrong.
int run_commands(int argc, char** argv, const AddCommands& add_commands);

}  // namespace dalembert::app
