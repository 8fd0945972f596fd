// What elementary functions cost: the library's on one number and in lanes, and the C library's.
#include <array>
#include <cmath>
#include <cstdio>

#include "bench.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace {

namespace dn = dalembert::numeric;
using Lanes = dn::Lanes<8>;

constexpr int count = 4096;
using Arguments = std::array<double, count>;

/// What a compiler must not leave out.
volatile double kept = 0.0;

Arguments between(double first, double last) {
  Arguments x{};
  std::uint64_t state = 1;
  for (double& value : x) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = first + (last - first) * static_cast<double>(state >> 11) * 0x1p-53;
  }
  return x;
}

template <class F>
std::function<void(std::uint64_t)> one_by_one(const Arguments& x, F f) {
  return [x, f](std::uint64_t passes) {
    for (std::uint64_t pass = 0; pass < passes; ++pass) {
      double sum = 0.0;
      for (const double value : x) sum += f(value);
      kept = sum;
    }
  };
}

template <class F>
std::function<void(std::uint64_t)> in_lanes(const Arguments& x, F f) {
  return [x, f](std::uint64_t passes) {
    for (std::uint64_t pass = 0; pass < passes; ++pass) {
      Lanes sum = 0.0;
      for (int i = 0; i < count; i += Lanes::size) sum += f(Lanes::load(&x[std::size_t(i)]));
      kept = sum.get(0);
    }
  };
}

template <class Own, class Library>
void print_row(const char* name, double first, double last, Own own, Library library) {
  const Arguments x = between(first, last);
  std::vector<bench::Candidate> candidates{{"alone", one_by_one(x, own), count},
                                           {"lanes", in_lanes(x, own), count},
                                           {"C library", one_by_one(x, library), count}};
  bench::time_by_turns(candidates, 20, 15);
  std::printf("| %s | %.1f | %.1f | %.1f | %.2f | %.2f |\n", name, candidates[0].nanoseconds,
              candidates[1].nanoseconds, candidates[2].nanoseconds,
              candidates[0].nanoseconds / candidates[2].nanoseconds,
              candidates[1].nanoseconds / candidates[2].nanoseconds);
}

}  // namespace

int main() {
  std::printf(
      "| function | alone, ns | in lanes | C library | alone to it | lanes to it |\n"
      "|---|---|---|---|---|---|\n");
#define DALEMBERT_TIMED(name, first, last)                    \
  print_row(                                                  \
      #name, first, last, [](auto x) { return dn::name(x); }, \
      [](double x) { return std::name(x); });
  DALEMBERT_TIMED(sin, -3.0, 3.0)
  DALEMBERT_TIMED(exp, -3.0, 3.0)
  DALEMBERT_TIMED(log, 0.1, 3.0)
  DALEMBERT_TIMED(tan, -1.5, 1.5)
  DALEMBERT_TIMED(asin, -1.0, 1.0)
  DALEMBERT_TIMED(acos, -1.0, 1.0)
  DALEMBERT_TIMED(atan, -3.0, 3.0)
  DALEMBERT_TIMED(sinh, -3.0, 3.0)
  DALEMBERT_TIMED(cosh, -3.0, 3.0)
  DALEMBERT_TIMED(tanh, -3.0, 3.0)
#undef DALEMBERT_TIMED
  print_row(
      "atan2", -3.0, 3.0, [](auto y) { return dn::atan2(y, decltype(y)(1.3)); },
      [](double y) { return std::atan2(y, 1.3); });
  print_row(
      "pow", 0.1, 5.0, [](auto x) { return dn::pow(x, decltype(x)(1.7)); },
      [](double x) { return std::pow(x, 1.7); });
}
