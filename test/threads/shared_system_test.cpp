// A system is immutable: what is compiled does not depend on what was compiled before, and any
// number of threads may work on one system. The last test is for the thread sanitizer above all.

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/general_witness.hpp"
#include "support/same_tape.hpp"
#include "support/small_systems.hpp"
#include "support/variants.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

std::vector<MethodSpec> methods_of(const System& system) {
  std::vector<MethodSpec> fitting;
  for (MethodSpec& spec : method_variants(Variants::defaults)) {
    if (!make_method(spec).misfit(system)) fitting.push_back(std::move(spec));
  }
  return fitting;
}

Tape tape_of(const System& system, const MethodSpec& spec) {
  return StepProgram::compile(system, make_method(spec))->tape();
}

/// What one thread makes of a system: a tape, derivatives, and numbers.
struct Work {
  Tape tape;
  std::vector<double> acceleration, slopes;
};

Work work_on(const SmallSystem& small, const MethodSpec& spec) {
  Work work{tape_of(small.system, spec), {}, {}};
  Evaluator evaluator(small.system);
  work.acceleration = evaluator.acceleration(0.0, small.q, small.v);
  const Symbols s = small.system.symbols();
  CompiledFunction slopes(concatenate({s.parameter_list, Vector{s.t}, s.q, s.v}),
                          gradient(small.system.energy(s.q, s.v), concatenate({s.q, s.v})));
  std::vector<double> arguments = small.system.default_parameters();
  arguments.push_back(0.0);
  arguments.insert(arguments.end(), small.q.begin(), small.q.end());
  arguments.insert(arguments.end(), small.v.begin(), small.v.end());
  work.slopes = slopes(arguments);
  return work;
}

bool same_numbers(const std::vector<double>& x, const std::vector<double>& y) {
  return same_list(x, y, test_support::same_bits);
}

}  // namespace

TEST_CASE("A second compilation gives the same tape, whatever was compiled in between") {
  for (const System& system :
       {pendulum_cvt().system, witness_coupled_mass().system, witness_holonomic().system}) {
    const std::vector<MethodSpec> methods = methods_of(system);
    REQUIRE(methods.size() > 3);
    std::vector<Tape> first;
    for (const MethodSpec& spec : methods) first.push_back(tape_of(system, spec));
    for (std::size_t i = methods.size(); i-- > 0;) {
      CHECK_MESSAGE(same_tape(tape_of(system, methods[i]), first[i]), methods[i].name, " on ",
                    system.name());
    }
  }
}

TEST_CASE("Two systems defined alike compile to the same tapes") {
  const System one = pendulum_cvt().system, two = pendulum_cvt().system;
  for (const MethodSpec& spec : methods_of(one))
    CHECK_MESSAGE(same_tape(tape_of(one, spec), tape_of(two, spec)), spec.name);
}

TEST_CASE("Threads compile, differentiate and evaluate on one system") {
  const SmallSystem small = pendulum_cvt();
  const std::vector<MethodSpec> methods = methods_of(small.system);
  std::vector<Work> serial;
  for (const MethodSpec& spec : methods) serial.push_back(work_on(small, spec));
  // Of which nothing has been made that threads share later.
  const SmallSystem fresh = pendulum_cvt();
  constexpr std::size_t thread_count = 4;
  std::vector<std::vector<Work>> found(thread_count, std::vector<Work>(methods.size()));
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < thread_count; ++k) {
      threads.emplace_back([&, k] {
        for (std::size_t i = 0; i < methods.size(); ++i) {
          // Each thread begins elsewhere, so that different methods meet.
          const std::size_t m = (i + k * methods.size() / thread_count) % methods.size();
          found[k][m] = work_on(fresh, methods[m]);
        }
      });
    }
  }
  for (const std::vector<Work>& thread : found) {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      CHECK_MESSAGE(same_tape(thread[i].tape, serial[i].tape), methods[i].name);
      CHECK(same_numbers(thread[i].acceleration, serial[i].acceleration));
      CHECK(same_numbers(thread[i].slopes, serial[i].slopes));
    }
  }
}
