// Small matrices of any numbers: solutions have a small backward error, measured in long double.

#include <algorithm>
#include <cmath>
#include <vector>

#include "dalembert/numeric/small_ldlt.hpp"
#include "dalembert/numeric/small_lu.hpp"
#include "fuzz.hpp"

namespace {

using namespace dalembert::numeric;

struct System {
  int n;
  std::vector<double> a, b;
};

/// |a x - b| is at most n^2 units of (|a| |x| + |b|), times the growth of factors, which partial
/// pivoting bounds by 2^(n-1) and LDL^T of positive definite matrices by 1.
void check(const System& system, const std::vector<double>& x, double growth, const char* what) {
  const int n = system.n;
  for (int i = 0; i < n; ++i) {
    long double rest = system.b[i], largest = 0.0L;
    for (int j = 0; j < n; ++j) rest -= static_cast<long double>(system.a[i * n + j]) * x[j];
    for (const double entry : system.a) largest = std::max<long double>(largest, std::fabs(entry));
    long double size = std::fabs(static_cast<long double>(system.b[i]));
    for (int j = 0; j < n; ++j) size += largest * std::fabs(static_cast<long double>(x[j]));
    const long double bound = 8.0L * n * n * growth * 0x1p-53L * size + 1e-300L;
    if (!(std::fabs(rest) <= bound)) fuzz::fail(std::string(what) + ": the residual is too large");
  }
}

void check_lu(const System& system) {
  std::vector<double> factors = system.a, pivots(system.n), x = system.b;
  const auto report = lu_factor(system.n, factors.data(), pivots.data());
  if (report.singular) return;
  lu_solve(system.n, factors.data(), pivots.data(), x.data());
  for (const double entry : x) {
    if (!std::isfinite(entry)) return;  // beyond the range of a double
  }
  check(system, x, std::ldexp(1.0, system.n - 1), "LU");
}

/// b b^T + a diagonal: positive definite.
System definite(const System& system, double shift) {
  System result = system;
  const int n = system.n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0.0;
      for (int k = 0; k < n; ++k) sum += system.a[i * n + k] * system.a[j * n + k];
      result.a[i * n + j] = sum;
    }
  }
  return result;
}

void check_ldlt(const System& system) {
  std::vector<double> factors = system.a, x = system.b;
  const auto report = ldlt_factor(system.n, factors.data());
  if (report.singular) return;
  ldlt_solve(system.n, factors.data(), x.data());
  check(system, x, 1.0, "LDLT");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  System system{1 + static_cast<int>(bytes.next() % 8), {}, {}};
  const unsigned zeros = bytes.next() % 4;
  for (int i = 0; i < system.n * system.n; ++i)
    system.a.push_back(zeros > 0 && bytes.next() % 4 < zeros ? 0.0 : bytes.number());
  for (int i = 0; i < system.n; ++i) system.b.push_back(bytes.number());
  check_lu(system);
  check_ldlt(definite(system, 1.0));
  return 0;
}
