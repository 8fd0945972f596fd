#pragma once

#include "app/arguments/reproduce_arguments.hpp"

namespace dalembert::app {

/// Reruns what the arguments name, writes its pages, and returns the exit code.
int reproduce_papers(const ReproduceArguments& arguments);

}  // namespace dalembert::app
