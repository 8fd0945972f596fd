#pragma once
// The program gnuplot, run as a child process. Only for the sources of this room.

#include <filesystem>
#include <string>

namespace dalembert::study::gnuplot {

/// Whether the program is on the search path.
bool is_available();
/// Runs a script; OutputError with the program's first complaint if it fails.
void run(const std::string& script);
/// The picture that a script draws, as the text of an SVG file of so many pixels; the script sets
/// no terminal and no output. `name` keeps the parts of several pictures on one page apart.
/// OutputError like `run`.
std::string svg(const std::string& script, const std::string& name, int width, int height);
/// The text in quotes that gnuplot takes literally.
std::string quoted(const std::string& text);

}  // namespace dalembert::study::gnuplot
