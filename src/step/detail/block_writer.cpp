#include "block_writer.hpp"

#include <algorithm>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "sparse_block.hpp"

namespace dalembert {
namespace {

using Kind = StepProgram::Block::Kind;

std::vector<Pivot> pivots_of(const Tearing& tearing) {
  std::vector<Pivot> pivots;
  for (const Tearing::Assignment& assignment : tearing.assignments)
    pivots.push_back({assignment.equation, assignment.unknown});
  return pivots;
}

Vector chosen(const Vector& from, const std::vector<std::size_t>& which) {
  Vector result;
  for (const std::size_t i : which) result.push_back(from[i]);
  return result;
}

/// Bodies beyond which zeros in the equations are worth looking for.
constexpr std::size_t few_entries = 16;

/// Whether some group of unknowns, such as the velocities, is large.
bool has_large_group(const std::vector<StepUnknown>& unknowns) {
  std::vector<std::size_t> count;
  for (const StepUnknown& unknown : unknowns) {
    count.resize(std::max(count.size(), unknown.group + 1));
    ++count[unknown.group];
  }
  return std::any_of(count.begin(), count.end(), [](std::size_t n) { return n > few_entries; });
}

bool are_linear(const Vector& functions, const Vector& symbols) {
  const auto degrees = polynomial_degrees(functions, symbols);
  return std::all_of(functions.begin(), functions.end(), [&](const Expr& function) {
    return function.is_constant() || degrees.at(function.id()) <= 1;
  });
}

}  // namespace

BlockWriter::BlockWriter(std::vector<StepUnknown> unknowns, Expr step_size, TapeWriter& writer)
    : unknowns_(std::move(unknowns)),
      step_size_(std::move(step_size)),
      writer_(writer),
      is_large_(has_large_group(unknowns_)),
      found_(unknowns_.size(), false) {}

StepProgram::Block BlockWriter::write(const Vector& functions,
                                      const std::vector<std::size_t>& which) {
  sparse_order_.clear();
  const Vector own = symbols_of(which);
  const bool linear = are_linear(functions, own);
  if (linear && own.size() == 1) {
    define_single(functions.front(), own.front());
    return finish(Kind::explicit_assignment, which, 1);
  }
  if (is_large_ && own.size() > few_entries) {
    if (const auto sparse = sparse_block(functions, own, are_multipliers(which), step_size_)) {
      sparse_order_ = sparse->order;
      return write_sparse(functions, which, *sparse, linear);
    }
  }
  const NamedParts named = name_parts_of(functions, own);
  const Matrix slopes = jacobian(named.functions, named.symbols);
  const Tearing tearing = tear_block(named, slopes);
  define_assigned(named, tearing, slopes);
  if (linear) {
    const Vector zero = zeros(named.symbols.size());
    const SchurComplement reduced =
        eliminate(slopes, -substitute(named.functions, named.symbols, zero), pivots_of(tearing));
    const Vector solution = solve_linear(reduced.matrix, reduced.right_side);
    for (std::size_t i = 0; i < solution.size(); ++i)
      writer_.define(named.symbols[reduced.columns[i]], solution[i]);
    return finish(Kind::linear, which, solution.size());
  }
  // The eliminated equations hold, whatever the iterates are.
  Vector right_side = zeros(named.functions.size());
  for (const std::size_t e : tearing.remaining) right_side[e] = named.functions[e];
  const SchurComplement reduced = eliminate(slopes, right_side, pivots_of(tearing));
  const Vector corrections = solve_linear(reduced.matrix, reduced.right_side);
  std::vector<Iterate> iterates;
  for (std::size_t i = 0; i < tearing.torn.size(); ++i) {
    const std::size_t u = tearing.torn[i];
    iterates.push_back(
        u < which.size() ? iterate_of_unknown(which[u], which)
                         : iterate_of_part(named.parts[u - which.size()], named.symbols[u], which));
    iterates.back().correction = corrections[i];
  }
  write_loop(std::move(iterates), chosen(named.functions, tearing.remaining));
  return finish(Kind::newton, which, tearing.torn.size());
}

StepProgram::Block BlockWriter::write(const Vector& functions,
                                      const std::vector<std::size_t>& which,
                                      const std::vector<Pivot>& known) {
  if (known.empty()) return write(functions, which);
  const SparseBlock sparse{sparse_jacobian(functions, symbols_of(which)), known};
  return write_sparse(functions, which, sparse, true);
}

/// All unknowns at once, by elimination in an order that keeps the zeros of a large system: work
/// and tape grow with the entries that are not zero. Nothing follows from other unknowns one after
/// the other, as where few are torn: along a chain round-off would grow from link to link.
StepProgram::Block BlockWriter::write_sparse(const Vector& functions,
                                             const std::vector<std::size_t>& which,
                                             const SparseBlock& sparse, bool linear) {
  const Vector own = symbols_of(which);
  Matrix right_side(functions.size(), 1);
  right_side.entries() = linear ? -substitute(functions, own, zeros(own.size())) : functions;
  const Vector solution = solve_in_order(sparse.slopes, right_side, sparse.order).entries();
  if (linear) {
    for (std::size_t i = 0; i < own.size(); ++i) writer_.define(own[i], solution[i]);
    return finish(Kind::linear, which, own.size());
  }
  write_loop(iterates_of(which, solution), functions);
  return finish(Kind::newton, which, own.size());
}

std::vector<BlockWriter::Iterate> BlockWriter::iterates_of(const std::vector<std::size_t>& which,
                                                           const Vector& corrections) const {
  std::vector<Iterate> iterates;
  for (std::size_t i = 0; i < which.size(); ++i) {
    iterates.push_back(iterate_of_unknown(which[i], which));
    iterates.back().correction = corrections[i];
  }
  return iterates;
}

StepProgram::Block BlockWriter::write_plain(const Vector& functions,
                                            const std::vector<std::size_t>& which) {
  const Vector corrections = solve_by_pivoting(jacobian(functions, symbols_of(which)), functions);
  write_loop(iterates_of(which, corrections), functions);
  return finish(Kind::newton, which, which.size());
}

/// Few unknowns from which the others of the block follow.
Tearing BlockWriter::tear_block(const NamedParts& named, const Matrix& slopes) const {
  const std::size_t size = named.symbols.size(), own = size - named.parts.size();
  std::vector<std::vector<bool>> incidence, solvable;
  for (std::size_t e = 0; e < size; ++e) {
    const bool usable = e >= own || is_small(named.functions[e]);
    incidence.push_back(dependencies(named.functions[e], named.symbols));
    solvable.push_back(linear_in_each(named.functions[e], named.symbols));
    for (std::size_t u = 0; u < size; ++u) {
      if (!usable || !slopes(e, u).facts().nonzero) solvable[e][u] = false;
    }
  }
  std::vector<bool> unknowns(size, false), linear_parts(size, false), both(size, false);
  for (std::size_t u = 0; u < size; ++u) {
    unknowns[u] = u < own;
    linear_parts[u] = u >= own && named.parts[u - own].is_linear;
    both[u] = unknowns[u] || linear_parts[u];
  }
  return tear(incidence, solvable, both, {unknowns, linear_parts});
}

/// Whether the terms of an equation are as small as the step, so that it determines an increment to
/// its own round-off. A constraint does not: its terms are as large as the velocity.
bool BlockWriter::is_small(const Expr& function) const {
  Vector small{step_size_};
  for (const StepUnknown& unknown : unknowns_) small.push_back(unknown.symbol);
  return substitute(function, small, zeros(small.size())).is_constant(0.0);
}

void BlockWriter::define_single(const Expr& function, const Expr& symbol) {
  const Expr at_zero = substitute(function, {symbol}, {0.0});
  const Expr slope = gradient(function, {symbol}).front();
  writer_.define(symbol, -at_zero / slope);
}

void BlockWriter::define_assigned(const NamedParts& named, const Tearing& tearing,
                                  const Matrix& slopes) {
  for (const Tearing::Assignment& made : tearing.assignments) {
    const Expr &function = named.functions[made.equation], &symbol = named.symbols[made.unknown];
    writer_.define(symbol,
                   -substitute(function, {symbol}, {0.0}) / slopes(made.equation, made.unknown));
  }
}

BlockWriter::Iterate BlockWriter::iterate_of_unknown(std::size_t u,
                                                     const std::vector<std::size_t>& own) const {
  const StepUnknown& unknown = unknowns_[u];
  return {unknown.symbol,
          known_form(unknown.start, {}),
          known_form(unknown.value, own),
          0.0,
          {static_cast<NodeId>(unknown.group)},
          unknown.is_multiplier};
}

/// Parts with the same coefficients of the same kinds of unknowns are of one kind: the positions of
/// one stage, for example.
BlockWriter::Iterate BlockWriter::iterate_of_part(const NamedParts::Part& part, const Expr& symbol,
                                                  const std::vector<std::size_t>& own) const {
  Iterate result{symbol, 0.0, part.value, 0.0, {}, false};
  std::vector<std::pair<NodeId, NodeId>> terms;
  for (std::size_t i = 0; i < part.coefficients.size(); ++i) {
    const Expr& coefficient = part.coefficients[i];
    if (coefficient.is_constant(0.0)) continue;
    const StepUnknown& unknown = unknowns_[own[i]];
    result.start += coefficient * unknown.start;
    result.is_multiplier = result.is_multiplier || unknown.is_multiplier;
    terms.emplace_back(static_cast<NodeId>(unknown.group), coefficient.id_in(*symbol.graph()));
  }
  result.start = known_form(part.is_linear ? result.start : part.expression, {});
  std::sort(terms.begin(), terms.end());
  for (const auto& [group, coefficient] : terms) {
    result.kind.push_back(group);
    result.kind.push_back(coefficient);
  }
  return result;
}

void BlockWriter::write_loop(std::vector<Iterate> iterates, const Vector& residual) {
  std::stable_sort(iterates.begin(), iterates.end(),
                   [](const Iterate& x, const Iterate& y) { return x.kind < y.kind; });
  const bool only_multipliers = std::all_of(iterates.begin(), iterates.end(),
                                            [](const Iterate& x) { return x.is_multiplier; });
  std::vector<TapeWriter::LoopGroup> groups;
  const std::vector<NodeId>* kind = nullptr;
  for (const Iterate& iterate : iterates) {
    if (kind == nullptr || iterate.kind != *kind) {
      groups.emplace_back();
      groups.back().judged = false;
    }
    kind = &iterate.kind;
    // Multipliers follow the other unknowns linearly, and their own size can be pure round-off.
    if (only_multipliers || !iterate.is_multiplier) groups.back().judged = true;
    groups.back().iterate.push_back(iterate.symbol);
    groups.back().start.push_back(iterate.start);
    groups.back().correction.push_back(iterate.correction);
    groups.back().value.push_back(iterate.value);
  }
  writer_.loop(groups, residual);
}

/// An expression in which unknowns that have no value yet, beside those of the own block, stand
/// at their start: an adjoint finds unknowns in the opposite order, after guesses that use them.
Expr BlockWriter::known_form(Expr expression, const std::vector<std::size_t>& own) const {
  if (expression.is_constant()) return expression;
  std::vector<bool> has_value = found_;
  for (const std::size_t u : own) has_value[u] = true;
  Vector open, starts;
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    if (has_value[u]) continue;
    open.push_back(unknowns_[u].symbol);
    starts.push_back(unknowns_[u].start);
  }
  if (open.empty()) return expression;
  while (depends_on(expression, open)) expression = substitute(expression, open, starts);
  return expression;
}

std::vector<bool> BlockWriter::are_multipliers(const std::vector<std::size_t>& which) const {
  std::vector<bool> result;
  for (const std::size_t u : which) result.push_back(unknowns_[u].is_multiplier);
  return result;
}

Vector BlockWriter::symbols_of(const std::vector<std::size_t>& which) const {
  Vector result;
  for (const std::size_t u : which) result.push_back(unknowns_[u].symbol);
  return result;
}

StepProgram::Block BlockWriter::finish(Kind kind, const std::vector<std::size_t>& which,
                                       std::size_t system_size) {
  StepProgram::Block block{kind, {}, system_size};
  for (const std::size_t u : which) {
    block.unknowns.push_back(unknowns_[u].name);
    found_[u] = true;
  }
  return block;
}

StepProgram::Block BlockWriter::found_by_sweeps(const std::vector<bool>& which) {
  std::vector<std::size_t> indices;
  for (std::size_t u = 0; u < which.size(); ++u) {
    if (which[u]) indices.push_back(u);
  }
  return finish(Kind::sweeps, indices, 0);
}

}  // namespace dalembert
