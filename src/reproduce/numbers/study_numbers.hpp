#pragma once
// Experiments as data: a study and the numbers that claims ask of it. Only for the sources of this
// room.

#include "dalembert/document/node.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// What an entry [[experiment.study]] of a paper's file measures; its keys are explained in
/// doc/reproduce.md. Reads the entry at once and runs nothing before it is called.
/// RequestError with the place of what is wrong in it; when it is run, also for methods, runs and
/// columns that the study does not have.
ExperimentCode read_study_numbers(const study::DocumentNode& entry);

}  // namespace dalembert::reproduce
