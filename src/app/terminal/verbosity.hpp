#pragma once
// How much the program says.

#include <cstddef>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace dalembert::app {

/// Adds --quiet and --verbose to a subcommand; `told` is what the latter says in it.
void add_verbosity_options(CLI::App& command, const std::string& told);

/// Characters in a line of the terminal on standard output; 0 if it is none.
std::size_t terminal_width();

/// Without --quiet. Warnings and errors are said in any case.
bool shows_tables_and_progress();
/// With --verbose.
bool tells_what_is_done();
/// A line on standard error about what is done, with --verbose.
void tell(const std::string& text);
/// A table, as long as --quiet was not given: on standard error where standard output is taken by
/// JSON.
void print_table(const std::string& text, bool is_output_taken);

}  // namespace dalembert::app
