// Prints the bits of what the library computes. The build links it with and without the file of a
// user who compiles for a newer machine and with contraction; the bits must be the same.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "dalembert/expression/constant.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/step/batch_stepper.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/small_systems.hpp"
#ifdef WITH_USER_FILE
#include "arithmetic.hpp"
#endif

namespace {

using namespace dalembert;

void print(const std::string& name, std::span<const double> values) {
  std::printf("%s", name.c_str());
  for (const double value : values)
    std::printf(" %016llx", static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(value)));
  std::printf("\n");
}

void print(const std::string& name, const Point& point) {
  print(name + " q", point.q);
  print(name + " v", point.v);
  print(name + " lambda", point.lambda);
  print(name + " t", std::vector<double>{point.t});
}

void run(const test_support::SmallSystem& small, const std::string& method) {
  const auto program = StepProgram::compile(small.system, make_method({method, {}}));
  Stepper stepper(program, 0.1);
  Point point = stepper.make_point(small.q, small.v);
  BatchStepper batch(program, 3, 0.1);
  for (std::size_t member = 0; member < batch.size(); ++member) batch.set_point(member, point);
  static_cast<void>(stepper.advance(point, 0.7, 3, 200));
  static_cast<void>(batch.advance(0.7, 3, 200));
  print(small.system.name() + " " + method, point);
  print(small.system.name() + " " + method + " batch", batch.point(1));
  Evaluator evaluator(small.system);
  print(small.system.name() + " " + method + " energy",
        std::vector<double>{evaluator.energy(point.t, point.q, point.v)});
  const auto [q, v] = evaluator.consistent_state(point.t, point.q, point.v);
  print(small.system.name() + " " + method + " consistent q", q);
}

}  // namespace

int main() {
#ifdef WITH_USER_FILE
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::fprintf(stderr, "skipped: this machine cannot run x86-64-v3\n");
    return 77;
  }
  std::fprintf(stderr, "the user's file says %g\n", user_file::use_everything());
#endif
  for (const char* method : {"dla01", "leapfrog", "dla", "lobatto", "discrete-derivative"}) {
    run(test_support::pendulum_cvt(), method);
    run(test_support::chaotic(), method);
  }
  Constant value{1.0};
  for (int i = 0; i < 50; ++i) {
    value = sqrt(value * value / Constant{3.0} + Constant{1.0} / Constant{7.0 + i});
    print("constant", std::vector<double>{value.high, value.low});
  }
  return 0;
}
