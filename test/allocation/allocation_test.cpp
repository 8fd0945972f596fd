// Steps do not allocate. A program of its own, because it replaces operator new.

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "dalembert/run/integrate.hpp"
#include "support/batch_support.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Where g++ inlines only some of the functions below, it takes their pairs for mismatched.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

// All other forms of the library call these.
void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using namespace batch_test;

struct Case {
  test_support::SmallSystem problem;
  MethodSpec method;
};

/// Explicit, with Newton loops, and with linear systems.
std::vector<Case> cases() {
  const MethodSpec implicit{"dla", {{"alpha", 0.4}}};
  return {{test_support::pendulum_cvt(), {"dla01", {}}},
          {test_support::pendulum_cvt(), {"leapfrog", {}}},
          {test_support::pendulum_cvt(), implicit},
          {test_support::chaotic(), implicit},
          {test_support::two_constraints(), {"dla01", {}}},
          {test_support::two_constraints(), implicit}};
}

template <class Action>
std::uint64_t allocations_of(Action action) {
  const std::uint64_t before = allocations;
  action();
  return allocations - before;
}

}  // namespace

TEST_CASE("The counter counts") {
  CHECK(allocations_of([] { std::vector<double> some(100); }) == 1);
}

TEST_CASE("A stepper does not allocate") {
  for (const Case& c : cases()) {
    const auto program = StepProgram::compile(c.problem.system, make_method(c.method));
    Stepper stepper(program, 0.1);
    Point point = make_point(*program, c.problem.q, c.problem.v);
    StepReport report;
    CHECK(allocations_of([&] { report = stepper.advance(point, 0.0, 0, 1000); }) == 0);
    CHECK(report.steps == 1000);
  }
}

TEST_CASE("A batch does not allocate") {
  for (const Case& c : cases()) {
    const auto program = StepProgram::compile(c.problem.system, make_method(c.method));
    for (const BatchOptions& options : all_options()) {
      BatchStepper batch(program, 20, 0.1, options);
      for (std::size_t member = 0; member < batch.size(); ++member)
        batch.set_point(member, make_point(*program, c.problem.q, c.problem.v));
      std::uint64_t taken = 0;
      CHECK(allocations_of([&] { taken = batch.advance(0.0, 0, 1000).back().steps; }) == 0);
      CHECK(taken == 1000);
      Point point = batch.point(0);
      CHECK(allocations_of([&] { batch.set_point(7, point); }) == 0);
      CHECK(allocations_of([&] { batch.get_point(3, point); }) == 0);
    }
  }
}

TEST_CASE("A run allocates at its start, not in its steps") {
  for (const Case& c : cases()) {
    const auto program = StepProgram::compile(c.problem.system, make_method(c.method));
    Stepper stepper(program, 0.1);
    dalembert::Evaluator evaluator(c.problem.system);
    double sum = 0.0;
    const dalembert::Observer observer = [&sum](const dalembert::Sample& sample) {
      sum += sample.q[0];
      return true;
    };
    const auto run = [&](std::uint64_t steps) {
      Point point = make_point(*program, c.problem.q, c.problem.v);
      return allocations_of([&] {
        const auto report = integrate(stepper, evaluator, point, {.steps = steps}, observer);
        CHECK(report.steps == steps);
      });
    };
    run(1);
    const std::uint64_t few = run(10);
    CHECK(run(1000) == few);
  }
}
