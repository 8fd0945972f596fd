#pragma once
// The program gnuplot, run as a child process. Only for the sources of this room.

#include <filesystem>
#include <string>

namespace dalembert::gnuplot {

/// Whether the program is on the search path.
bool is_available();
/// Runs a script; OutputError with the program's first complaint if it fails.
void run(const std::string& script);
/// The text in quotes that gnuplot takes literally.
std::string quoted(const std::string& text);

}  // namespace dalembert::gnuplot
