#pragma once
// Misspelt commands and options.

#include <CLI/CLI.hpp>
#include <span>

namespace dalembert::app {

/// RequestError with the nearest valid name for a command that the program does not have and for an
/// option that the chosen command does not have; what else is wrong with them is left to CLI11.
void refuse_unknown_words(const CLI::App& program, std::span<char* const> arguments);

}  // namespace dalembert::app
