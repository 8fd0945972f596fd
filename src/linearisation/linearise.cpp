#include "dalembert/linearisation/linearise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "linearisation/steady_motion.hpp"

namespace dalembert {
namespace {

using Index = Eigen::Index;

/// Directions are independent if what is new of them is larger than this: far above round-off, and
/// below what constraints of a mechanism make of a unit.
constexpr double independent_part = 1e-6;
/// A coordinate is taken before those that come later in the file unless one of them is so much
/// more independent of what was taken.
constexpr double preference = 0.05;

/// Orthonormal bases of the kernel and of the image of a matrix, whose singular values below
/// `tolerance` are zero.
struct Bases {
  Eigen::MatrixXd kernel, image;
};
Bases bases_of(const Eigen::MatrixXd& matrix, double tolerance) {
  const Index columns = matrix.cols();
  if (matrix.rows() == 0 || columns == 0)
    return {Eigen::MatrixXd::Identity(columns, columns), Eigen::MatrixXd(matrix.rows(), 0)};
  const Eigen::BDCSVD<Eigen::MatrixXd> decomposed(matrix,
                                                  Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::VectorXd& sizes = decomposed.singularValues();
  Index rank = 0;
  while (rank < sizes.size() && sizes[rank] > tolerance) ++rank;
  return {decomposed.matrixV().rightCols(columns - rank), decomposed.matrixU().leftCols(rank)};
}

/// Chooses rows of a matrix that are independent of each other, of the given ones those that come
/// first wherever they will do. `rows` loses what lies along the chosen ones.
void choose_rows(Eigen::MatrixXd& rows, const std::vector<Index>& among,
                 std::vector<Index>& chosen) {
  if (rows.cols() == 0) return;
  for (;;) {
    double largest = 0.0;
    for (const Index i : among) largest = numeric::larger(largest, rows.row(i).norm());
    if (largest < independent_part) return;
    const auto found = std::ranges::find_if(
        among, [&](Index i) { return rows.row(i).norm() > preference * largest; });
    chosen.push_back(*found);
    const Eigen::RowVectorXd along = rows.row(*found).normalized();
    for (int pass = 0; pass < 2; ++pass) rows -= (rows * along.transpose()) * along;
  }
}

std::vector<Index> numbers(Index from, Index to) {
  std::vector<Index> result;
  for (Index i = from; i < to; ++i) result.push_back(i);
  return result;
}

/// Coordinates of the deviations: those that stay zero, those that describe them.
struct Chart {
  std::vector<Index> held, states;
  Eigen::MatrixXd deviations;  ///< of all positions and velocities, by the states
  Eigen::MatrixXd matrix;      ///< A
};

Chart chart_of(const SteadyMotion& motion, Index dof) {
  const Index size = motion.slope.rows();
  const std::vector<Index> positions = numbers(0, dof), velocities = numbers(dof, size);
  Chart chart;
  Eigen::MatrixXd fields = motion.fields;
  for (Index j = 0; j < fields.cols(); ++j) fields.col(j).normalize();
  const Eigen::MatrixXd along = bases_of(fields, independent_part).image;
  Eigen::MatrixXd rows = along;
  choose_rows(rows, positions, chart.held);
  choose_rows(rows, velocities, chart.held);
  // Deviations along the constraints with zeros at what is held.
  const Index constraints = motion.values.constraint_slope.rows(),
              held = static_cast<Index>(chart.held.size());
  Eigen::MatrixXd conditions = Eigen::MatrixXd::Zero(constraints + held, size);
  for (Index i = 0; i < constraints; ++i)
    conditions.row(i) = motion.values.constraint_slope.row(i).normalized();
  for (Index i = 0; i < held; ++i)
    conditions(constraints + i, chart.held[static_cast<std::size_t>(i)]) = 1.0;
  const Eigen::MatrixXd basis = bases_of(conditions, independent_part).kernel;
  rows = basis;
  choose_rows(rows, positions, chart.states);
  // Their velocities first: what is of second order stays so.
  std::vector<Index> theirs;
  if (size > dof)
    for (const Index i : chart.states) theirs.push_back(dof + i);
  choose_rows(rows, theirs, chart.states);
  choose_rows(rows, velocities, chart.states);
  std::ranges::sort(chart.states);
  if (chart.states.empty()) {
    chart.deviations = Eigen::MatrixXd::Zero(size, 0);
    return chart;
  }
  const Eigen::MatrixXd chosen = basis(chart.states, Eigen::all);
  chart.deviations = basis * chosen.partialPivLu().inverse();
  // A deviation that has moved on is brought back along the symmetries.
  Eigen::MatrixXd moved = motion.slope * chart.deviations;
  if (held > 0) {
    const Eigen::MatrixXd there = along(chart.held, Eigen::all),
                          off = moved(chart.held, Eigen::all);
    moved -= along * there.partialPivLu().solve(off);
  }
  chart.matrix = moved(chart.states, Eigen::all);
  return chart;
}

/// The number of roots of a matrix that are zero, up to `noise`: the dimension in which its powers
/// vanish.
std::size_t count_zeros(const Eigen::MatrixXd& matrix, double noise) {
  Eigen::MatrixXd rest = matrix;
  std::size_t zeros = 0;
  // What is left where the kernel is divided out has a kernel again if powers of the matrix have
  // larger ones.
  while (rest.rows() > 0) {
    const Eigen::MatrixXd kernel = bases_of(rest, noise).kernel;
    if (kernel.cols() == 0) break;
    zeros += static_cast<std::size_t>(kernel.cols());
    const Eigen::MatrixXd others = bases_of(kernel.transpose(), 0.5).kernel;
    rest = (others.transpose() * rest * others).eval();
  }
  return zeros;
}

std::vector<LinearMode> modes_of(const Eigen::MatrixXd& matrix, std::size_t neutral) {
  std::vector<LinearMode> modes;
  if (matrix.rows() == 0) return modes;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
  for (Index i = 0; i < matrix.rows(); ++i) {
    LinearMode mode{solver.eigenvalues()[i]};
    const Eigen::VectorXcd shape = solver.eigenvectors().col(i);
    Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    const Eigen::VectorXcd scaled = shape / shape[largest];
    mode.shape.assign(scaled.begin(), scaled.end());
    modes.push_back(std::move(mode));
  }
  // The smallest ones are zeros with round-off, which takes the root of a multiple zero apart.
  std::ranges::sort(modes, {}, [](const LinearMode& mode) { return std::abs(mode.value); });
  for (std::size_t i = 0; i < neutral; ++i) modes[i].value = 0.0;
  std::ranges::sort(modes, [](const LinearMode& a, const LinearMode& b) {
    return a.value.real() != b.value.real() ? a.value.real() > b.value.real()
                                            : a.value.imag() > b.value.imag();
  });
  return modes;
}

}  // namespace

double Linearisation::growth() const {
  double largest = -std::numeric_limits<double>::infinity();
  for (const LinearMode& mode : modes)
    if (mode.value != 0.0) largest = numeric::larger(largest, mode.value.real());
  return largest;
}

struct Lineariser::Parts {
  Parts(const System& of, const std::vector<SensitiveQuantity>& keep)
      : system(of), slopes(of, keep), geometry(of), mover(of, slopes) {
    const Configuration& space = of.configuration();
    for (const Configuration::Factor& factor : space.factors()) {
      const std::size_t n = factor.group.dimension();
      for (std::size_t i = 0; i < n; ++i)
        names.push_back(n == 1 ? factor.name : factor.name + "_" + std::to_string(i + 1));
    }
    if (of.is_skew_gradient()) return;
    const std::vector<std::string> velocities = space.velocity_columns();
    names.insert(names.end(), velocities.begin(), velocities.end());
  }

  System system;
  MotionSlopes slopes;
  FieldGeometry geometry;
  StateMover mover;
  std::vector<std::string> names;
};

Lineariser::Lineariser(const System& system, const std::vector<SensitiveQuantity>& keep) {
  if (system.traits().time_dependent)
    throw RequestError("system \"" + system.name() +
                       "\" depends on time, and has no steady motions; derivatives of its runs are "
                       "what `sensitivity` finds");
  parts_ = std::make_unique<Parts>(system, keep);
}
Lineariser::Lineariser(Lineariser&&) noexcept = default;
Lineariser& Lineariser::operator=(Lineariser&&) noexcept = default;
Lineariser::~Lineariser() = default;

Linearisation Lineariser::operator()(std::span<const double> q, std::span<const double> v,
                                     std::span<const double> parameters, bool search) {
  Parts& parts = *parts_;
  parts.slopes.set_parameters(parameter_values(parts.system, parameters));
  const StateMover::State start{{q.begin(), q.end()}, {v.begin(), v.end()}};
  Linearisation result;
  const std::optional<std::vector<SymmetryField>> found =
      find_symmetries(parts.geometry, parts.slopes, parts.mover, start);
  if (!found) {
    result.status = Linearisation::Status::failed;
    result.message =
        "the symmetries of the equations cannot be told: near the start too few states on the "
        "constraints are found where the equations are defined";
    return result;
  }
  const std::vector<SymmetryField>& symmetries = *found;
  for (const SymmetryField& symmetry : symmetries)
    result.symmetries.push_back(parts.geometry.text(symmetry));
  const SteadyMotion motion =
      find_steady_motion(parts.geometry, parts.slopes, parts.mover, start, symmetries);
  result.residual = motion.residual;
  result.q = motion.state.q;
  result.v = motion.state.v;
  result.lambda.assign(motion.values.lambda.begin(), motion.values.lambda.end());
  double size = 1.0;
  for (const auto& [there, here] : {std::pair(&result.q, &start.q), std::pair(&result.v, &start.v)})
    for (std::size_t i = 0; i < here->size(); ++i) {
      result.distance = numeric::hypot(result.distance, (*there)[i] - (*here)[i]);
      size = numeric::hypot(size, (*here)[i]);
    }
  if (!motion.found || (!search && result.distance > 1e-6 * size)) {
    result.status = Linearisation::Status::failed;
    result.message =
        motion.found ? fmt::format(
                           "the start is no steady motion; the nearest that was found is {:.3g} "
                           "away from it",
                           result.distance)
        : motion.singular
            ? "no steady motion was found near the start: the search ended where a constraint is "
              "singular"
            : fmt::format(
                  "no steady motion was found near the start: the search ended with a "
                  "residual of {:.3g}",
                  motion.residual);
    return result;
  }
  result.moves_along = parts.geometry.text(motion_field(parts.geometry, symmetries, motion));
  const Chart chart = chart_of(motion, parts.geometry.dof());
  const auto name = [&](Index i) { return parts.names[static_cast<std::size_t>(i)]; };
  for (const Index i : chart.held) result.held.push_back(name(i));
  for (const Index i : chart.states) result.states.push_back(name(i));
  for (Index i = 0; i < motion.slope.rows(); ++i) {
    if (std::ranges::find(chart.states, i) != chart.states.end() ||
        std::ranges::find(chart.held, i) != chart.held.end())
      continue;
    result.dependent.push_back(name(i));
    for (const double entry : chart.deviations.row(i)) result.dependence.push_back(entry);
  }
  const Eigen::MatrixXd rows = chart.matrix.transpose();
  result.matrix.assign(rows.data(), rows.data() + rows.size());
  result.neutral = count_zeros(chart.matrix, 1e-13 * motion.slope.norm());
  result.family = std::min<std::size_t>(motion.family, result.neutral);
  result.modes = modes_of(chart.matrix, result.neutral);
  // Round-off of roots that are double and defective is the square root of that of the matrix.
  const double noise = 1e-7 * (rows.size() == 0 ? 0.0 : chart.matrix.norm());
  const double growth = result.growth();
  result.stability = growth > noise                                      ? Stability::unstable
                     : growth > -noise || result.family < result.neutral ? Stability::undecided
                                                                         : Stability::stable;
  return result;
}

Linearisation linearise(const Problem& problem, const StartChoice& start,
                        const LinearisationOptions& options) {
  const Start& given = start.in(problem);
  const std::vector<double> parameters = run_parameters(problem.system, given, options.parameters);
  const Start prepared = prepare_start(problem.system, given, parameters);
  return Lineariser(problem.system, options.keep)(prepared.q, prepared.v, parameters,
                                                  options.search);
}

}  // namespace dalembert
