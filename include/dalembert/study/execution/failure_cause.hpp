#pragma once

#include <string>

#include "dalembert/step/point.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Likely cause that kept a method from a step that begins at `last`, seen from there, from what
/// was found on the way, and from the start of the run: a carried multiplier that has left that of
/// the motion, a wheel that lies almost flat, a mass or constraints that are nearly singular, a
/// switch between pieces of the equations that lies within the step, accelerations that have grown.
/// A part of a sentence; empty where nothing of that is seen.
std::string failure_cause(const RunPlan& plan, const Point& last, const RunDiagnostics& found);

}  // namespace dalembert::study
