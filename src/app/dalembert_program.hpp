#pragma once
// The program `dalembert`, as a function.

namespace dalembert::app {

/// `main` of the program: reads the words after the first and does what they ask; the exit code.
/// For a process of its own, which it may replace by another program (`reproduce`).
int run_dalembert(int argc, char** argv);

}  // namespace dalembert::app
