// One number and any lane get the same bits, and these bits are the recorded ones: another
// compiler, instruction set level or option that changes a single operation fails here.

#include <doctest/doctest.h>

#include <vector>

#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/compensated.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/sinc.hpp"
#include "dalembert/numeric/small_ldlt.hpp"
#include "dalembert/numeric/small_lu.hpp"
#include "unit/numeric/support.hpp"

namespace dn = dalembert::numeric;
using dn::Lanes;
using numeric_test::Checksum;
using numeric_test::Random;
using numeric_test::same;

namespace {

/// Arguments of every kind; a multiple of 16 of them.
std::vector<double> arguments() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> x = {0.0,
                           -0.0,
                           infinity,
                           -infinity,
                           std::nan(""),
                           5e-324,
                           1e-310,
                           1.0,
                           -2.0e9,
                           1.0e9,
                           710.0,
                           -746.0,
                           1.7e308,
                           0.5,
                           2.5,
                           3.141592653589793,
                           -1.5707963267948966,
                           1e8,
                           -708.5,
                           -745.0};
  Random random{11};
  while (x.size() < 2048) x.push_back(random.uniform(-4.0, 4.0));
  while (x.size() < 3072) x.push_back(random.uniform(-1e9, 1e9));
  while (x.size() < 4096) x.push_back(random.spread(-1074, 1023));
  // Neighbours in a register should need different treatment.
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[random.next() % i]);
  return x;
}

template <int N, class F>
void check_lanes(F f) {
  const std::vector<double> x = arguments();
  int differences = 0;
  for (std::size_t i = 0; i < x.size(); i += N) {
    const Lanes<N> y = f(Lanes<N>::load(&x[i]));
    for (int lane = 0; lane < N; ++lane)
      differences += same(y.get(lane), f(x[i + static_cast<std::size_t>(lane)])) ? 0 : 1;
  }
  CHECK(differences == 0);
}

template <class F>
void check_all_widths(F f) {
  check_lanes<2>(f);
  check_lanes<4>(f);
  check_lanes<8>(f);
  check_lanes<16>(f);
}

template <class F>
std::uint64_t checksum(F f) {
  Checksum sum;
  for (const double x : arguments()) sum.add(f(x));
  return sum.value;
}

/// Solutions of random systems with n unknowns: by LU, and by LDLt for a positive definite matrix.
/// Each lane draws its own numbers.
template <class T>
std::vector<T> solutions(int n, Random* random) {
  const auto draw = [&](T& to) {
    for (int lane = 0; lane < dn::lane_count<T>; ++lane)
      dn::set_lane(to, lane, random[lane].uniform(-1.0, 1.0));
  };
  const std::size_t size = static_cast<std::size_t>(n);
  std::vector<T> a(size * size), square(size * size), pivot(size), b(3 * size), c(2 * size);
  for (T& x : a) draw(x);
  for (T& x : b) draw(x);
  for (T& x : c) draw(x);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      square[i * size + j] = i == j ? 0.5 : 0.0;
      for (std::size_t k = 0; k < size; ++k)
        square[i * size + j] = square[i * size + j] + a[i * size + k] * a[j * size + k];
    }
  const auto general = dn::lu_factor(n, a.data(), pivot.data());
  dn::lu_solve(n, a.data(), pivot.data(), b.data(), 3);
  const auto definite = dn::ldlt_factor(n, square.data());
  dn::ldlt_solve(n, square.data(), c.data(), 2);
  b.insert(b.end(), c.begin(), c.end());
  b.push_back(general.pivot_ratio);
  b.push_back(definite.pivot_ratio);
  return b;
}

template <class T>
T wrapped(const T& x) {
  T angle = x, winding = 3.0;
  dn::wrap(angle, winding);
  return angle + 0.001 * winding;
}

template <class T>
T running_sum(const T& x) {
  dn::CompensatedSum<T> sum;
  for (int k = 0; k < 5; ++k) sum.add(x / (1.0 + k));
  return sum.value + 1e15 * sum.carry;
}

#define DALEMBERT_COMPARED(name, expression) \
  struct name {                              \
    template <class T>                       \
    T operator()(const T& x) const {         \
      return expression;                     \
    }                                        \
  }
DALEMBERT_COMPARED(Sin, dn::sin(x));
DALEMBERT_COMPARED(Cos, dn::cos(x));
DALEMBERT_COMPARED(Exp, dn::exp(x));
DALEMBERT_COMPARED(Log, dn::log(dn::abs(x)));
DALEMBERT_COMPARED(Sqrt, dn::sqrt(x));
DALEMBERT_COMPARED(Floor, dn::floor(x));
DALEMBERT_COMPARED(Round, dn::round_to_nearest(x));
DALEMBERT_COMPARED(Copysign, dn::copysign(T(2.0), x));
DALEMBERT_COMPARED(Limit, dn::min(dn::max(x, T(-1.0)), T(1.0)));
DALEMBERT_COMPARED(Sinc, dn::sinc(x));
DALEMBERT_COMPARED(Sinc2, dn::sinc_of_order(2, x));
DALEMBERT_COMPARED(Sinhc1, dn::sinhc_of_order(1, x));
DALEMBERT_COMPARED(CosineRoot, dn::sinc_root_of_order(-1, x));
DALEMBERT_COMPARED(SincRoot1, dn::sinc_root_of_order(1, x));
DALEMBERT_COMPARED(Wrap, wrapped(x));
DALEMBERT_COMPARED(Sum, running_sum(x));
DALEMBERT_COMPARED(Tan, dn::tan(x));
DALEMBERT_COMPARED(Asin, dn::asin(x));
DALEMBERT_COMPARED(Acos, dn::acos(x));
DALEMBERT_COMPARED(Atan, dn::atan(x));
DALEMBERT_COMPARED(AngleAbove, dn::atan2(x, T(2.0)));
DALEMBERT_COMPARED(AngleBeside, dn::atan2(T(-1e-3), x));
DALEMBERT_COMPARED(Sinh, dn::sinh(x));
DALEMBERT_COMPARED(Cosh, dn::cosh(x));
DALEMBERT_COMPARED(Tanh, dn::tanh(x));
DALEMBERT_COMPARED(Pow, dn::pow(x, T(2.7)) + dn::pow(x, T(-3.0)));
DALEMBERT_COMPARED(PowOf, dn::pow(T(1.25), x));
#undef DALEMBERT_COMPARED

template <int N>
void check_solutions(int n) {
  Random random[N], single[N];
  for (int lane = 0; lane < N; ++lane)
    random[lane] = single[lane] = Random{static_cast<std::uint64_t>(100 * n + lane)};
  const auto together = solutions<Lanes<N>>(n, random);
  int differences = 0;
  for (int lane = 0; lane < N; ++lane) {
    const auto alone = solutions<double>(n, &single[lane]);
    for (std::size_t k = 0; k < alone.size(); ++k)
      differences += same(alone[k], together[k].get(lane)) ? 0 : 1;
  }
  CHECK(differences == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("A lane holds the bits of one number", F, Sin, Cos, Exp, Log, Sqrt, Floor, Round,
                   Copysign, Limit, Sinc, Sinc2, Sinhc1, CosineRoot, SincRoot1, Wrap, Sum, Tan,
                   Asin, Acos, Atan, AngleAbove, AngleBeside, Sinh, Cosh, Tanh, Pow, PowOf) {
  check_all_widths(F{});
}

TEST_CASE("sincos gives the bits of sin and cos") {
  int differences = 0;
  for (const double x : arguments()) {
    double s = 0.0, c = 0.0;
    dn::sincos(x, s, c);
    differences += same(s, dn::sin(x)) && same(c, dn::cos(x)) ? 0 : 1;
    Lanes<8> lanes_s, lanes_c;
    dn::sincos(Lanes<8>(x), lanes_s, lanes_c);
    differences += same(lanes_s.get(5), s) && same(lanes_c.get(5), c) ? 0 : 1;
  }
  CHECK(differences == 0);
}

TEST_CASE("Linear solvers give each lane the bits of one number") {
  for (const int n : {1, 2, 3, 5, 8, 13}) {
    check_solutions<4>(n);
    check_solutions<8>(n);
  }
}

// Recorded with g++ 12; the same from clang++ 14, with AVX2 and AVX-512, and on ARM64.
TEST_CASE("The bits are the recorded ones") {
  CHECK(checksum(Sin{}) == 0x9e6a6bd7b1ebf6a5u);
  CHECK(checksum(Cos{}) == 0xceaa447f5ccdcf6au);
  CHECK(checksum(Exp{}) == 0x41482d3b59c46486u);
  CHECK(checksum(Log{}) == 0x09c75c1a59790569u);
  CHECK(checksum(Tan{}) == 0x47a9b3dbd99d9d39u);
  CHECK(checksum(Asin{}) == 0xe295410ed06f9a28u);
  CHECK(checksum(Acos{}) == 0x8be047d7f4cedd86u);
  CHECK(checksum(Atan{}) == 0xa98f53ee28049ef0u);
  CHECK(checksum(AngleAbove{}) == 0xb68da8692c2d1ddau);
  CHECK(checksum(AngleBeside{}) == 0x0be930f95fbdb7bfu);
  CHECK(checksum(Sinh{}) == 0x894570c1d4ccd77eu);
  CHECK(checksum(Cosh{}) == 0xa1444443c05b9769u);
  CHECK(checksum(Tanh{}) == 0x752cbee2473f09fcu);
  CHECK(checksum(Pow{}) == 0xa66fbb21dad1488fu);
  CHECK(checksum(PowOf{}) == 0x86876d7ccd5df8fbu);
  CHECK(checksum(Sinc{}) == 0x594abc7a3fb5c0afu);
  CHECK(checksum(Sinc2{}) == 0x12f846bc5ecbdb80u);
  CHECK(checksum(Sinhc1{}) == 0x1e0970ae1e39d1fdu);
  CHECK(checksum(CosineRoot{}) == 0x0052fa6ecc3ac516u);
  CHECK(checksum(SincRoot1{}) == 0x64e9296e5562ba1bu);
  CHECK(checksum(Wrap{}) == 0x793eb55883d95901u);
  CHECK(checksum(Sum{}) == 0xd15c9014b2a63807u);
  Checksum sum;
  for (const int n : {1, 2, 3, 5, 8, 13}) {
    Random random{static_cast<std::uint64_t>(n)};
    for (const double x : solutions<double>(n, &random)) sum.add(x);
  }
  CHECK(sum.value == 0x8dc64701a23ac561u);
}
