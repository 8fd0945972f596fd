// The passengers over turns that close, and their equation at a state: what methods keep of a
// reversal, a volume and of so(3). doc/open-problems.md, Theorems 2, 3 and 8.
#include "closed_turns.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "closed_turn.hpp"
#include "dalembert/audit/modified_field.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/measure/line_fit.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/study/method_text.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "modified_reversal.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double round_off_of_turns = 1e-28;
/// Eigenvalues have lost half of their digits where others are near.
constexpr double round_off_of_eigenvalues = 1e-24;

Method named_method(const std::string& text) { return make_method(parse_method(text)); }

AuditProblem rotating_transmission() {
  return {load_problem("pendulum-cvt").system, {0.5}, {0.0, 0.0, 0.0}, {0.0, 0.0, std::sqrt(8.0)}};
}

ClosedTurn turn_of(const std::string& method, std::uint64_t steps) {
  return {rotating_transmission(), named_method(method), steps};
}

/// The largest |log |mu|| of the eigenvalues of a turn.
double largest_growth(const ClosedTurn& turn) {
  const double axis = turn.axis_rate() * turn.time() / 2.0,
               pair = turn.pair_rate() * turn.time() / 2.0;
  return numeric::larger(std::fabs(axis), std::fabs(pair));
}

Evidence at_most(const std::string& what, double value, double most,
                 EvidenceRole role = EvidenceRole::both) {
  return {what, value, 0.0, -INFINITY, most, role};
}
Evidence at_least(const std::string& what, double value, double least) {
  return {what, value, 0.0, least, INFINITY};
}

/// Open problem 2: the leap-frog and a modified reversal.
std::vector<Evidence> modified_reversals() {
  std::vector<Evidence> evidence;
  const ModifiedReversal::Rows exact =
      ModifiedReversal::reversal(turn_of("driver-splitting", 1729), ModifiedReversal::unit(3));
  double coarser = 0.0;
  for (const std::uint64_t steps : {55, 109, 219}) {
    const ClosedTurn turn = turn_of("leapfrog", steps);
    const ModifiedReversal::Rows p = turn.matrix(),
                                 g = ModifiedReversal::invariant_form(turn.step()),
                                 r = ModifiedReversal::reversal(turn, g);
    const std::string of = ", leap-frog, " + std::to_string(steps) + " steps a turn";
    evidence.push_back(
        at_most("P^T G P - G with the discrete energy G" + of,
                ModifiedReversal::distance(
                    ModifiedReversal::product(
                        ModifiedReversal::product(ModifiedReversal::transposed(p), g), p),
                    g),
                round_off_of_turns));
    evidence.push_back(at_most(
        "R R - 1" + of,
        ModifiedReversal::distance(ModifiedReversal::product(r, r), ModifiedReversal::unit(4)),
        round_off_of_turns));
    evidence.push_back(at_most(
        "R P R P - 1" + of,
        ModifiedReversal::distance(ModifiedReversal::product(ModifiedReversal::product(r, p),
                                                             ModifiedReversal::product(r, p)),
                                   ModifiedReversal::unit(4)),
        round_off_of_turns));
    double off = 0.0;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        off = numeric::larger(off, std::fabs(static_cast<double>(r[i][j] - exact[i][j])));
    // Of order h^2, with steps that are halved but for a hundredth.
    if (coarser > 0.0)
      evidence.push_back(
          {"distance of R from the reversal of the motion, over that at twice the "
           "step" +
               of,
           coarser / off, 0.0, 3.7, 4.3});
    coarser = off;
  }
  for (const char* method :
       {"dla01", "dla(alpha=0.5)", "newmark", "lobatto(multiplier=carried)", "spark"})
    evidence.push_back(at_least(std::string("largest |log |mu|| of a turn of 27 steps, ") + method,
                                largest_growth(turn_of(method, 27)), 1e-9));
  for (const char* method : {"leapfrog", "reduced-gradient(gradient=mean-value)",
                             "driver-splitting", "energy-collocation(stages=1)"})
    evidence.push_back(at_most(std::string("largest |log |mu|| of a turn of 27 steps, ") + method,
                               largest_growth(turn_of(method, 27)), round_off_of_eigenvalues));
  return evidence;
}

/// A line through log |value| against 1/h.
Evidence exponential_slope(const std::string& what, const std::vector<double>& h,
                           const std::vector<double>& values, double slope, double within) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < h.size(); ++i) {
    x.push_back(1.0 / h[i]);
    y.push_back(std::log(std::fabs(values[i])));
  }
  const LineFit line = fit_line(x, y);
  return {"slope of log |" + what + "| against 1/h", line.slope, line.slope_error, slope - within,
          slope + within};
}

ResultTable turns_table(const std::string& title, const std::vector<double>& h,
                        const std::vector<double>& values) {
  ResultTable table{title, {"h", "value"}, {}};
  for (std::size_t i = 0; i < h.size(); ++i)
    table.rows.push_back({to_string(h[i]), to_string(values[i])});
  return table;
}

/// The driver of the transmission by itself, epsilon = 1/2.
System driver_alone() {
  SystemDescription description{"driver", {{"xi"}}, {}};
  return System::define(std::move(description), [](const Symbols& s) {
    Mechanics mechanics;
    mechanics.kinetic = s.v[0] * s.v[0] / 2.0;
    mechanics.potential = 1.0 - cos(s.q[0]) - sin(2.0 * s.q[0]) / 4.0;
    return mechanics;
  });
}

/// What the series of the modified field of Verlet's method leaves at best, where the sum over
/// steps to both sides may be as wide as it likes: the largest at four places of a rotation.
double remainder_of_verlet(const Extended& h) {
  StepLogarithm<Extended> logarithm(driver_alone(), named_method("leapfrog"));
  double largest = 0.0;
  for (const double xi : {0.0, 1.0, 2.0, 4.0}) {
    const double speed = std::sqrt(8.0 - 2.0 * (1.0 - std::cos(xi) - std::sin(2.0 * xi) / 4.0));
    const BasicPoint<Extended> point =
        logarithm.start(std::vector<double>{xi}, std::vector<double>{speed});
    const auto sums = logarithm.sums(point, h, 90);
    if (sums.empty()) return NAN;
    double smallest = INFINITY;
    for (std::size_t m = 1; m < sums.size(); ++m)
      smallest = numeric::smaller(smallest, largest_difference(sums[m], sums[m - 1]));
    largest = numeric::larger(largest, smallest);
  }
  return largest;
}

// The passengers' equation z' = A(w) z in (x1, x2, u), x' = u k(w), near a state.

using Square = std::array<std::array<double, 3>, 3>;

/// sym A_p at a state: that of (S^T S - 1)/(2 h^(p+1)), S a step in (x1, x2, u), with h =
/// 1/64, 1/128, ... extrapolated in powers of h.
class SymmetricPart {
 public:
  SymmetricPart(const Method& method, int order)
      : order_(order),
        system_(load_problem("pendulum-cvt").system),
        map_(system_, method, std::vector<double>{0.5}) {}

  /// Zero to round-off where a step is a rotation.
  Square leading() {
    std::vector<Square> level;
    for (int halvings = 0; halvings < levels; ++halvings)
      level.push_back(at(Extended(1) / Extended(64 << halvings)));
    for (double power = 2.0; level.size() > 1; power *= 2.0) {
      for (std::size_t k = 0; k + 1 < level.size(); ++k)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            level[k][i][j] = (power * level[k + 1][i][j] - level[k][i][j]) / (power - 1.0);
      level.pop_back();
    }
    return level.front();
  }

 private:
  Square at(const Extended& h) {
    std::array<std::vector<Extended>, 3> columns;
    const std::vector<Extended> origin = image({0.0, 0.0, 0.0}, h);
    for (std::size_t j = 0; j < 3; ++j) {
      std::array<double, 3> z{};
      z[j] = 1.0;
      columns[j] = image(z, h);
      for (std::size_t i = 0; i < 3; ++i) columns[j][i] = columns[j][i] - origin[i];
    }
    Square part{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        Extended entry(i == j ? -1.0 : 0.0);
        for (std::size_t k = 0; k < 3; ++k) entry = entry + columns[i][k] * columns[j][k];
        for (int power = 0; power <= order_; ++power) entry = entry / h;
        part[i][j] = static_cast<double>(entry / Extended(2));
      }
    }
    return part;
  }
  std::vector<Extended> image(const std::array<double, 3>& z, const Extended& h) {
    using std::sqrt, std::sin;
    BasicPoint<Extended> point =
        map_.start(std::vector<double>{z[0], z[1], 0.5}, std::vector<double>{0.0, 0.0, 2.5});
    const auto kernel = [](const Extended& xi) {
      const Extended s = sin(xi), length = sqrt(Extended(1) + s * s);
      return std::array<Extended, 2>{-s / length, Extended(1) / length};
    };
    const auto k0 = kernel(point.q[2]);
    for (std::size_t i = 0; i < 2; ++i) point.v[i] = Extended(z[2]) * k0[i];
    map_.start_carried(point);
    if (!map_.apply(point, h)) throw RequestError("a step was refused");
    const auto k1 = kernel(point.q[2]);
    return {point.q[0], point.q[1], k1[0] * point.v[0] + k1[1] * point.v[1]};
  }

  static constexpr int levels = 6;
  int order_;
  System system_;
  StepMap<Extended> map_;
};

double largest_entry(const Square& matrix) {
  double largest = 0.0;
  for (const auto& row : matrix)
    for (const double entry : row) largest = numeric::larger(largest, std::fabs(entry));
  return largest;
}

}  // namespace

ExperimentOutcome open_problems_closed_turns(const ReproductionEffort&) {
  std::vector<double> h, volume, driver_h, driver;
  for (const std::uint64_t steps : {9, 13, 17, 21}) {
    const ClosedTurn turn = turn_of("newmark-composition", steps);
    h.push_back(turn.h());
    volume.push_back(ClosedTurn::log_size(turn.characteristic(Extended(0.0))));
  }
  for (const std::uint64_t steps : {9, 13, 17, 21}) {
    const ClosedTurn turn = turn_of("dla01", steps);
    driver_h.push_back(turn.h());
    driver.push_back(turn.velocity_defect());
  }
  std::vector<double> remainder_h, remainder;
  for (const int inverse : {4, 5, 6, 7, 8, 10, 12}) {
    const Extended step = Extended(1) / inverse;
    remainder_h.push_back(static_cast<double>(step));
    remainder.push_back(remainder_of_verlet(step));
  }
  return {
      {},
      {{"open-2.4", modified_reversals()},
       {"open-1.7",
        {exponential_slope("volume of a turn of newmark-composition", h, volume, -1.8, 0.15)}},
       {"open-1.8",
        {exponential_slope("defect of the driver's velocity after a turn", driver_h, driver, -4.8,
                           0.5),
         exponential_slope("remainder of the modified field of the driver alone", remainder_h,
                           remainder, -2.2, 0.3)}}},
      {turns_table("log of the volume over a turn of newmark-composition", h, volume),
       turns_table("The driver's velocity after a turn less that before, dla01", driver_h, driver),
       turns_table("What the modified field of Verlet's method leaves, driver alone", remainder_h,
                   remainder)}};
}

ExperimentOutcome open_problems_reduced_systems(const ReproductionEffort&) {
  struct Case {
    const char* method;
    int order;
    bool is_skew;
  };
  std::vector<Evidence> evidence;
  for (const Case& one : {Case{"driver-splitting", 2, true},
                          {"compose(base=driver-splitting, scheme=triple-jump)", 4, true},
                          {"frame-splitting", 2, true},
                          {"reduced-gradient(gradient=mean-value)", 2, true},
                          {"energy-collocation(stages=2)", 4, true},
                          {"dla01", 2, false},
                          {"dla(alpha=0.5)", 2, false},
                          {"newmark", 2, false},
                          {"spark", 4, false}}) {
    const double part = largest_entry(SymmetricPart(named_method(one.method), one.order).leading());
    const std::string what = std::string("largest |sym A_p|, ") + one.method;
    evidence.push_back(one.is_skew ? at_most(what, part, 1e-15) : at_least(what, part, 1e-3));
  }
  const Square dla01 = SymmetricPart(named_method("dla01"), 2).leading();
  ResultTable table{
      "sym A_2 of dla01 at xi = 0.5, xi' = 2.5, epsilon = 0.5", {"x1", "x2", "u"}, {}};
  for (const auto& row : dla01)
    table.rows.push_back({to_string(row[0]), to_string(row[1]), to_string(row[2])});
  return {{}, {{"open-1.6", evidence}}, {table}};
}

ExperimentOutcome modin_verdier_definite(const ReproductionEffort&) {
  const System system =
      plan_runs(read_study_file(find_study("modin-verdier-2020/definite"))).front().system;
  const AuditProblem problem{system, {}, {0.0, 0.0, 0.0}, {0.0, 0.0, std::sqrt(8.0)}};
  std::vector<Evidence> evidence;
  for (const std::uint64_t steps : {27, 53})
    evidence.push_back(at_most(
        "largest |log |mu|| of a turn of " + std::to_string(steps) + " steps, leap-frog",
        largest_growth({problem, named_method("leapfrog"), steps}), round_off_of_eigenvalues));
  const ClosedTurn other(problem, named_method("dla01"), 27);
  evidence.push_back(
      {"exponent of the axis, dla01, 27 steps a turn", other.axis_rate(), 0.0, -INFINITY, -1e-5});
  evidence.push_back(
      {"exponent of the pair, dla01, 27 steps a turn", other.pair_rate(), 0.0, -INFINITY, -1e-5});
  return {{}, {{"000-C.4", evidence}}};
}

}  // namespace dalembert::reproduce
