#include "dalembert/step/point.hpp"

#include <string>

#include "dalembert/error.hpp"

namespace dalembert {
namespace {

void check_size(const StepProgram& program, const std::string& name, std::size_t given,
                std::size_t expected) {
  if (given == expected) return;
  throw RequestError("a point of method \"" + program.method().name() + "\" on system \"" +
                     program.system().name() + "\" has " + std::to_string(expected) +
                     " entries of " + name + ", not " + std::to_string(given));
}

}  // namespace

void check_parameters(const StepProgram& program, std::span<const double> parameters) {
  const std::size_t expected = program.parameter_slots().size();
  if (parameters.size() == expected) return;
  throw RequestError("system \"" + program.system().name() + "\" has " + std::to_string(expected) +
                     " parameters, not " + std::to_string(parameters.size()));
}

void check_point(const StepProgram& program, const Point& point) {
  check_size(program, "q", point.q.size(), program.storage_count());
  check_size(program, "v", point.v.size(), program.velocity_count());
  check_size(program, "lambda", point.lambda.size(), program.lambda_count());
  check_size(program, "carried", point.carried.size(), program.carried_count());
  check_size(program, "error_estimate", point.error_estimate.size(), program.error_count());
  check_size(program, "dense", point.dense.size(), program.dense_count());
  check_size(program, "turns", point.turns.size(), program.storage_count());
  check_size(program, "q_carry", point.q_carry.size(), program.storage_count());
  check_size(program, "v_carry", point.v_carry.size(), program.velocity_count());
}

}  // namespace dalembert
