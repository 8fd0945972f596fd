#include "linearisation/symmetry.hpp"

#include <cmath>
#include <random>

#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "linearisation/kernel.hpp"

namespace dalembert {
namespace {

/// Rotations among more lines than this are not looked for: their number grows with its square.
constexpr std::size_t most_lines = 12;
/// Fields that change the equations by less are symmetries: the round-off of second derivatives of
/// functions with large terms, far below what a symmetry that is broken on purpose leaves.
constexpr double broken = 1e-9;

/// The value of an expression that is a constant.
double number_of(const Expr& constant) { return constant.constant().as<double>(); }

std::vector<SymmetryField> candidates(const FieldGeometry& geometry) {
  std::vector<SymmetryField> result;
  const auto add = [&](auto&& part, auto... index) {
    result.push_back(SymmetryField::zero(geometry.dof()));
    (result.back().*part)(index...) = 1.0;
  };
  if (geometry.lines().size() <= most_lines) {
    for (const Eigen::Index i : geometry.lines())
      for (const Eigen::Index j : geometry.lines()) add(&SymmetryField::linear, i, j);
  }
  for (const Eigen::Index i : geometry.group()) add(&SymmetryField::left, i);
  for (const Eigen::Index i : geometry.group()) add(&SymmetryField::right, i);
  for (const Eigen::Index i : geometry.flat()) add(&SymmetryField::constant, i);
  return result;
}

/// The same numbers on every machine: uniform in [-1, 1].
double uniform(std::mt19937_64& engine) {
  return std::ldexp(static_cast<double>(engine() >> 11U), -52) - 1.0;
}

/// A state on the constraints, with what the equations are there.
struct Sample {
  StateMover::State state;
  MotionValues values;
};

/// Random states near one, brought to the constraints; nearer where these are not found.
class SampleSource {
 public:
  SampleSource(MotionSlopes& slopes, StateMover& mover, const StateMover::State& near)
      : slopes_(slopes), mover_(mover), near_(near) {}

  /// Nothing where no such state is found, or none where the equations are defined.
  std::optional<Sample> draw() {
    constexpr int most_attempts = 40;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      Eigen::VectorXd change(slopes_.size());
      for (double& entry : change) entry = reach_ * uniform(engine_);
      Sample sample{mover_.moved(near_, change), {}};
      if (mover_.settle(sample.state, sample.values)) return sample;
      reach_ = numeric::larger(0.7 * reach_, 0.01);
    }
    return std::nullopt;
  }

 private:
  MotionSlopes& slopes_;
  StateMover& mover_;
  const StateMover::State& near_;
  std::mt19937_64 engine_{20240229};
  double reach_ = 0.5;
};

/// How a field changes the equations at a sample, each row by the size of its terms; the last
/// column is for the energy, which may change by a constant.
Eigen::MatrixXd changes_at(const FieldGeometry& geometry, const std::vector<SymmetryField>& fields,
                           const Sample& sample) {
  const MotionValues& values = sample.values;
  const Eigen::Index size = values.rate.size(), dof = geometry.dof(),
                     count = static_cast<Eigen::Index>(fields.size());
  const bool has_velocities = size > dof;
  // The rates of positions are changed as those of velocities are, by construction.
  const Eigen::Index first = has_velocities ? dof : 0, rates = size - first,
                     constraints = values.constraint_slope.rows();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(rates + constraints + 1, count + 1), terms = rows;
  for (Eigen::Index j = 0; j < count; ++j) {
    const SymmetryField& field = fields[static_cast<std::size_t>(j)];
    const Eigen::VectorXd change = geometry.lifted(field, sample.state.q, sample.state.v, values);
    const Eigen::MatrixXd slope = geometry.slope(field, values);
    const auto part = [&](Eigen::Index row, const Eigen::MatrixXd& by) {
      rows.block(row, j, by.rows(), 1) = by * change;
      terms.block(row, j, by.rows(), 1) = by.cwiseAbs() * change.cwiseAbs();
    };
    part(0, values.rate_slope.bottomRows(rates));
    part(rates, values.constraint_slope);
    part(rates + constraints, values.energy_slope);
    const Eigen::VectorXd turned = (slope * values.rate).tail(rates);
    rows.block(0, j, rates, 1) -= turned;
    terms.block(0, j, rates, 1) += turned.cwiseAbs();
  }
  rows(rates + constraints, count) = -1.0;
  terms(rates + constraints, count) = 1.0;
  // Where the terms are small beside those of others, they may be nothing but round-off.
  const double floor = 1e-4 * terms.maxCoeff();
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    rows.row(i) /= numeric::larger(terms.row(i).maxCoeff(), floor);
  return rows;
}

/// Fields that are no combination of those before them: a left translation of what commutes is a
/// right one.
std::vector<SymmetryField> independent(const FieldGeometry& geometry,
                                       const std::vector<SymmetryField>& fields,
                                       const std::vector<Sample>& samples) {
  const Eigen::Index dof = geometry.dof();
  Eigen::MatrixXd basis(dof * static_cast<Eigen::Index>(samples.size()), 0);
  std::vector<SymmetryField> result;
  for (const SymmetryField& field : fields) {
    Eigen::VectorXd column(basis.rows());
    for (std::size_t k = 0; k < samples.size(); ++k)
      column.segment(static_cast<Eigen::Index>(k) * dof, dof) =
          geometry.lifted(field, samples[k].state.q, samples[k].state.v, samples[k].values)
              .head(dof);
    const double size = column.norm();
    for (int pass = 0; pass < 2; ++pass) column -= basis * (basis.transpose() * column);
    if (column.norm() <= 1e-10 * size) continue;
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = column.normalized();
    result.push_back(field);
  }
  return result;
}

/// The same subspace with as many zeros and ones as possible: reduced by rows, the first columns
/// first.
Eigen::MatrixXd reduced(const Eigen::MatrixXd& kernel) {
  Eigen::MatrixXd rows = kernel.transpose();
  Eigen::Index row = 0;
  for (Eigen::Index column = 0; column < rows.cols() && row < rows.rows(); ++column) {
    Eigen::Index pivot = 0;
    const double largest = rows.col(column).tail(rows.rows() - row).cwiseAbs().maxCoeff(&pivot);
    if (largest < 1e-6) continue;
    rows.row(row).swap(rows.row(row + pivot));
    rows.row(row) /= rows(row, column);
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      if (i != row) rows.row(i) -= rows(i, column) * rows.row(row);
    ++row;
  }
  // What round-off has left of zeros and ones.
  for (double& entry : rows.reshaped()) {
    const double whole = std::round(entry);
    if (std::fabs(entry - whole) < 1e-8) entry = whole;
  }
  return rows.topRows(row).transpose();
}

/// What fields have in common with symmetries, [fields x dimension]: conditions are taken from more
/// states until they say nothing new.
std::optional<Eigen::MatrixXd> common_kernel(const FieldGeometry& geometry,
                                             const std::vector<SymmetryField>& fields,
                                             std::vector<Sample> samples, SampleSource& source) {
  constexpr std::size_t further = 4;
  const auto count = static_cast<Eigen::Index>(fields.size());
  Eigen::MatrixXd changes(0, count + 1);
  Eigen::Index last = count + 2;
  for (;;) {
    for (const Sample& sample : samples) {
      const Eigen::MatrixXd rows = changes_at(geometry, fields, sample);
      changes.conservativeResize(changes.rows() + rows.rows(), Eigen::NoChange);
      changes.bottomRows(rows.rows()) = rows;
    }
    const Eigen::MatrixXd kernel = study::kernel_of(changes, broken);
    // A state that is like no other adds a condition as long as there are any left.
    if (kernel.cols() == last) return kernel.topRows(count);
    last = kernel.cols();
    samples.clear();
    for (std::size_t k = 0; k < further; ++k) {
      std::optional<Sample> sample = source.draw();
      if (!sample) return std::nullopt;
      samples.push_back(std::move(*sample));
    }
  }
}

std::string term_text(double factor, const std::string& name, const std::string& field) {
  const double size = std::fabs(factor);
  const std::string sign = factor < 0.0 ? " - " : " + ";
  const std::string number = size == 1.0 ? "" : to_string(std::round(size * 1e9) / 1e9);
  std::string text = sign + number;
  if (!name.empty()) text += (number.empty() ? "" : "*") + name;
  if (!number.empty() || !name.empty()) text += " ";
  return text + field;
}

}  // namespace

SymmetryField SymmetryField::zero(Eigen::Index dof) {
  return {Eigen::MatrixXd::Zero(dof, dof), Eigen::VectorXd::Zero(dof), Eigen::VectorXd::Zero(dof),
          Eigen::VectorXd::Zero(dof)};
}

SymmetryField& SymmetryField::add(double factor, const SymmetryField& other) {
  linear += factor * other.linear;
  constant += factor * other.constant;
  left += factor * other.left;
  right += factor * other.right;
  return *this;
}

FieldGeometry::FieldGeometry(const System& system)
    : dof_(static_cast<Eigen::Index>(system.dof())),
      has_velocities_(!system.is_skew_gradient()),
      stored_(system.dof(), -1),
      brackets_(system.dof()),
      names_(system.dof()) {
  const Configuration& space = system.configuration();
  for (const Configuration::Factor& factor : space.factors()) {
    const Group& group = factor.group;
    const std::size_t n = group.dimension();
    for (std::size_t i = 0; i < n; ++i) {
      const auto index = static_cast<Eigen::Index>(factor.velocity + i);
      names_[factor.velocity + i] =
          n == 1 ? factor.name : factor.name + "_" + std::to_string(i + 1);
      if (!group.is_flat()) {
        group_.push_back(index);
        continue;
      }
      flat_.push_back(index);
      stored_[factor.velocity] = static_cast<Eigen::Index>(factor.storage);
      if (!group.storage(factor.name).front().is_angle) lines_.push_back(index);
    }
    if (group.is_flat()) continue;
    for (std::size_t a = 0; a < n; ++a) {
      Eigen::MatrixXd& matrix = brackets_[factor.velocity + a];
      matrix = Eigen::MatrixXd::Zero(dof_, dof_);
      Vector unit = zeros(n);
      unit[a] = 1.0;
      // Row i of ad_a is ad*_a of the unit covector i.
      for (std::size_t i = 0; i < n; ++i) {
        Vector covector = zeros(n);
        covector[i] = 1.0;
        const Vector row = group.infinitesimal_coadjoint(unit, covector);
        for (std::size_t b = 0; b < n; ++b)
          matrix(static_cast<Eigen::Index>(factor.velocity + i),
                 static_cast<Eigen::Index>(factor.velocity + b)) = number_of(row[b]);
      }
    }
  }
}

Eigen::MatrixXd FieldGeometry::bracket_matrix(const Eigen::VectorXd& a) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(dof_, dof_);
  for (const Eigen::Index i : group_)
    if (a[i] != 0.0) result += a[i] * brackets_[static_cast<std::size_t>(i)];
  return result;
}

Eigen::VectorXd FieldGeometry::bracket(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  return bracket_matrix(a) * b;
}

Eigen::VectorXd FieldGeometry::lifted(const SymmetryField& field, std::span<const double> q,
                                      std::span<const double> v, const MotionValues& values) const {
  Eigen::VectorXd position = field.constant + field.left + values.right_translation * field.right;
  for (const Eigen::Index j : lines_)
    position +=
        field.linear.col(j) * q[static_cast<std::size_t>(stored_[static_cast<std::size_t>(j)])];
  if (!has_velocities_) return position;
  const Eigen::Map<const Eigen::VectorXd> velocity(v.data(), dof_);
  Eigen::VectorXd result(2 * dof_);
  result << position, field.linear * velocity - bracket(field.left, velocity);
  return result;
}

Eigen::MatrixXd FieldGeometry::slope(const SymmetryField& field, const MotionValues& values) const {
  const Eigen::MatrixXd position =
      field.linear + bracket_matrix(values.right_translation * field.right);
  if (!has_velocities_) return position;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(2 * dof_, 2 * dof_);
  result.topLeftCorner(dof_, dof_) = position;
  result.bottomRightCorner(dof_, dof_) = field.linear - bracket_matrix(field.left);
  return result;
}

std::string FieldGeometry::text(const SymmetryField& field) const {
  std::string text;
  const auto name = [&](Eigen::Index i) { return names_[static_cast<std::size_t>(i)]; };
  // Beside the largest entry smaller ones are round-off.
  const double round_off =
      1e-9 *
      numeric::larger(field.linear.lpNorm<Eigen::Infinity>(),
                      numeric::larger(field.constant.lpNorm<Eigen::Infinity>(),
                                      numeric::larger(field.left.lpNorm<Eigen::Infinity>(),
                                                      field.right.lpNorm<Eigen::Infinity>())));
  const auto add = [&](double factor, const std::string& by, const std::string& along) {
    if (std::fabs(factor) > round_off) text += term_text(factor, by, along);
  };
  for (const Eigen::Index i : flat_) {
    for (const Eigen::Index j : lines_) add(field.linear(i, j), name(j), "d/d" + name(i));
    add(field.constant[i], "", "d/d" + name(i));
  }
  for (const Eigen::Index i : group_) {
    add(field.right[i], "", name(i) + " in space");
    add(field.left[i], "", name(i) + " in the body");
  }
  if (text.empty()) return "0";
  return text.starts_with(" + ") ? text.substr(3) : "-" + text.substr(3);
}

StateMover::StateMover(const System& system, MotionSlopes& slopes)
    : slopes_(slopes),
      displacement_(system.configuration()),
      dof_(static_cast<Eigen::Index>(system.dof())) {}

StateMover::State StateMover::moved(const State& state, const Eigen::VectorXd& change) {
  State result{displacement_(state.q, std::span(change.data(), static_cast<std::size_t>(dof_))),
               state.v};
  for (std::size_t i = 0; i < result.v.size(); ++i)
    result.v[i] += change[dof_ + static_cast<Eigen::Index>(i)];
  return result;
}

bool StateMover::settle(State& state, MotionValues& values) {
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    values = slopes_(state.q, state.v);
    if (!values.is_finite()) return false;
    const double residual =
        values.constraint.size() == 0 ? 0.0 : values.constraint.cwiseAbs().maxCoeff();
    // Newton's iteration ends at round-off, where the residual no longer shrinks.
    if (residual == 0.0 || (residual < 1e-9 && residual > 0.5 * last)) return true;
    last = residual;
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> slope(values.constraint_slope);
    state = moved(state, -slope.solve(values.constraint));
  }
  return last < 1e-9;
}

std::optional<std::vector<SymmetryField>> find_symmetries(const FieldGeometry& geometry,
                                                          MotionSlopes& slopes, StateMover& mover,
                                                          const StateMover::State& near) {
  std::vector<SymmetryField> fields = candidates(geometry);
  // Each sample gives about as many conditions as there are rates, and one for the energy.
  const std::size_t rates = static_cast<std::size_t>(slopes.size() - geometry.dof()) + 1,
                    count = 2 * fields.size() / rates + 4;
  SampleSource source(slopes, mover, near);
  std::vector<Sample> samples;
  while (samples.size() < count) {
    std::optional<Sample> sample = source.draw();
    if (!sample) return std::nullopt;
    samples.push_back(std::move(*sample));
  }
  fields = independent(geometry, fields, samples);
  const std::optional<Eigen::MatrixXd> common =
      common_kernel(geometry, fields, std::move(samples), source);
  if (!common) return std::nullopt;
  const Eigen::MatrixXd kernel = reduced(*common);
  std::vector<SymmetryField> result;
  for (Eigen::Index k = 0; k < kernel.cols(); ++k) {
    SymmetryField field = SymmetryField::zero(geometry.dof());
    // Turning is positive from the first axis to the second.
    double sign = 1.0;
    for (Eigen::Index j = 0; j < kernel.rows(); ++j) {
      if (kernel(j, k) == 0.0) continue;
      const SymmetryField& first = fields[static_cast<std::size_t>(j)];
      Eigen::Index row = 0, column = 0;
      if (first.linear.maxCoeff(&row, &column) > 0.0 && row < column) sign = -1.0;
      break;
    }
    for (Eigen::Index j = 0; j < kernel.rows(); ++j)
      field.add(sign * kernel(j, k), fields[static_cast<std::size_t>(j)]);
    result.push_back(std::move(field));
  }
  return result;
}

}  // namespace dalembert
