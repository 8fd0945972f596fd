#include "block_writer.hpp"

#include <algorithm>
#include <numeric>

#include "broyden_update.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "pass_work.hpp"
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

/// Work of an elimination without zeros, relative to the cube of the size.
constexpr double full_work = 1.0 / 3.0;
/// Of more unknowns two forms of the same equations would take too long to compile.
constexpr std::size_t most_compared = 40;

bool are_linear(const Vector& functions, const Vector& symbols) {
  const auto degrees = polynomial_degrees(functions, symbols);
  return std::all_of(functions.begin(), functions.end(), [&](const Expr& function) {
    return function.is_constant() || degrees.at(function.id()) <= 1;
  });
}

}  // namespace

BlockWriter::BlockWriter(std::vector<StepUnknown> unknowns, Expr step_size, Vector velocities,
                         TapeWriter& writer)
    : unknowns_(std::move(unknowns)),
      step_size_(std::move(step_size)),
      velocities_(std::move(velocities)),
      writer_(writer),
      history_(step_size_, writer),
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
  const NamedFactors named = name_factors_of(functions, own);
  const bool is_wide = is_large_ && own.size() > few_entries;
  std::optional<SparseForm> sparse;
  if (is_wide) {
    sparse = sparse_form(named, which, linear, few_entries_work);
    // What accompanies the block has no factors.
    if (sparse && named.definitions.empty()) sparse_order_ = sparse->block.order;
    if (sparse) return write_sparse(*sparse, which, linear);
  }
  if (!named.definitions.empty() && own.size() <= most_compared)
    sparse = sparse_form(named, which, linear, full_work);
  const NamedParts parts = name_parts_of(functions, own);
  const Matrix slopes = jacobian(parts.functions, parts.symbols);
  const Tearing tearing = tear_block(parts, slopes);
  const Vector assigned = assigned_values(parts, tearing, slopes);
  if (linear) {
    define_assigned(parts, tearing, assigned);
    const Vector zero = zeros(parts.symbols.size());
    const SchurComplement reduced =
        eliminate(slopes, -substitute(parts.functions, parts.symbols, zero), pivots_of(tearing));
    const Vector solution = solve_linear(reduced.matrix, reduced.right_side);
    for (std::size_t i = 0; i < solution.size(); ++i)
      writer_.define(parts.symbols[reduced.columns[i]], solution[i]);
    return finish(Kind::linear, which, solution.size());
  }
  const Vector remaining = chosen(parts.functions, tearing.remaining);
  const Corrections corrections = corrections_of(remaining, [&](const Vector& residual) {
    // The eliminated equations hold, whatever the iterates are.
    Vector right_side = zeros(parts.functions.size());
    for (std::size_t i = 0; i < residual.size(); ++i)
      right_side[tearing.remaining[i]] = residual[i];
    const SchurComplement reduced = eliminate(slopes, right_side, pivots_of(tearing));
    return solve_linear(reduced.matrix, reduced.right_side);
  });
  if (sparse && work_of(concatenate({sparse->solution.known, sparse->equations.functions})) <
                    work_of(concatenate({corrections.known, remaining, assigned})))
    return write_sparse(*sparse, which, linear);
  define_assigned(parts, tearing, assigned);
  std::vector<Iterate> iterates;
  for (const std::size_t u : tearing.torn) {
    iterates.push_back(
        u < which.size() ? iterate_of_unknown(which[u], which)
                         : iterate_of_part(parts.parts[u - which.size()], parts.symbols[u], which));
  }
  write_loop(std::move(iterates), remaining, assigned, corrections);
  return finish(Kind::newton, which, tearing.torn.size());
}

StepProgram::Block BlockWriter::write(const Vector& functions,
                                      const std::vector<std::size_t>& which,
                                      const std::vector<Pivot>& known) {
  if (known.empty()) return write(functions, which);
  const Vector own = symbols_of(which);
  const SparseBlock block{sparse_jacobian(functions, own), known};
  return write_sparse(sparse_form({functions, own, {}}, block, true), which, true);
}

/// All unknowns at once, by elimination in an order that keeps the zeros of a large system: work
/// and tape grow with the entries that are not zero. Nothing follows from other unknowns one after
/// the other, as where few are torn: along a chain round-off would grow from link to link.
std::optional<BlockWriter::SparseForm> BlockWriter::sparse_form(
    const NamedFactors& equations, const std::vector<std::size_t>& which, bool linear,
    double most_work) const {
  std::vector<bool> are_late = are_multipliers(which);
  are_late.resize(equations.symbols.size(), false);
  const auto block = sparse_block(equations, are_late, step_size_, velocities_, most_work);
  if (!block) return std::nullopt;
  return sparse_form(equations, *block, linear);
}

BlockWriter::SparseForm BlockWriter::sparse_form(const NamedFactors& equations,
                                                 const SparseBlock& block, bool linear) const {
  const std::size_t size = equations.functions.size() - equations.definitions.size();
  const Vector own = slice(equations.symbols, 0, size),
               functions = slice(equations.functions, 0, size);
  SparseForm form{equations, block, {}};
  const auto solved = [&form](const Vector& right_side) { return form.solved(right_side); };
  if (linear)
    form.solution.known = solved(-substitute(functions, own, zeros(own.size())));
  else
    form.solution = corrections_of(functions, solved);
  return form;
}

Vector BlockWriter::SparseForm::solved(const Vector& right_side) const {
  // What defines the factors holds, whatever the iterates are.
  Matrix all(equations.functions.size(), 1);
  all.entries() = concatenate({right_side, zeros(equations.definitions.size())});
  return solve_in_order(block.slopes, all, block.order).entries();
}

template <class Solved>
BlockWriter::Corrections BlockWriter::corrections_of(const Vector& residual,
                                                     const Solved& solved) const {
  if (!remembers_) return {solved(residual)};
  Corrections result;
  for (std::size_t i = 0; i < residual.size(); ++i)
    result.stand_ins.push_back(
        make_symbol(step_size_.graph(), "residual_" + std::to_string(i + 1)));
  result.by_stand_ins = solved(result.stand_ins);
  result.known = substitute(result.by_stand_ins, result.stand_ins, residual);
  return result;
}

StepProgram::Block BlockWriter::write_sparse(const SparseForm& form,
                                             const std::vector<std::size_t>& which, bool linear) {
  const Vector own = symbols_of(which);
  for (std::size_t i = 0; i < form.equations.definitions.size(); ++i)
    writer_.define(form.equations.symbols[own.size() + i], form.equations.definitions[i]);
  if (linear) {
    for (std::size_t i = 0; i < own.size(); ++i) writer_.define(own[i], form.solution.known[i]);
    return finish(Kind::linear, which, own.size());
  }
  write_loop(iterates_of(which), slice(form.equations.functions, 0, own.size()),
             form.equations.definitions, form.solution);
  return finish(Kind::newton, which, own.size());
}

std::vector<BlockWriter::Iterate> BlockWriter::iterates_of(
    const std::vector<std::size_t>& which) const {
  std::vector<Iterate> iterates;
  for (const std::size_t u : which) iterates.push_back(iterate_of_unknown(u, which));
  return iterates;
}

StepProgram::Block BlockWriter::write_plain(const Vector& functions,
                                            const std::vector<std::size_t>& which) {
  const Vector corrections = solve_by_pivoting(jacobian(functions, symbols_of(which)), functions);
  write_loop(iterates_of(which), functions, {}, {corrections});
  return finish(Kind::newton, which, which.size());
}

StepProgram::Block BlockWriter::write_secant(const Vector& functions,
                                             const SecantIteration& secant) {
  std::vector<std::size_t> all(unknowns_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Iterate> iterates = iterates_of(all);
  const Vector additions = history_.additions(iterates.size());
  Vector sizes;
  for (const Iterate& iterate : iterates) sizes.push_back(iterate.value);
  const BroydenUpdate update =
      broyden_update(functions, sizes, secant.weights, history_.kept(secant.inverse.entries()));
  for (std::size_t i = 0; i < iterates.size(); ++i) {
    iterates[i].correction = update.correction[i];
    iterates[i].start += additions[i];
  }
  write_loop(iterates, functions, {}, false, {update.matrix, update.last});
  Vector changes;
  for (std::size_t i = 0; i < iterates.size(); ++i)
    changes.push_back(unknowns_[i].symbol - known_form(unknowns_[i].start, {}));
  history_.remember(changes, std::vector<bool>(changes.size(), true));
  history_.keep(update.matrix.iterate);
  return finish(Kind::secant, all, secant.inverse.rows());
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

Vector BlockWriter::assigned_values(const NamedParts& named, const Tearing& tearing,
                                    const Matrix& slopes) {
  Vector values;
  for (const Tearing::Assignment& made : tearing.assignments) {
    const Expr &function = named.functions[made.equation], &symbol = named.symbols[made.unknown];
    values.push_back(-substitute(function, {symbol}, {0.0}) / slopes(made.equation, made.unknown));
  }
  return values;
}

void BlockWriter::define_assigned(const NamedParts& named, const Tearing& tearing,
                                  const Vector& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    writer_.define(named.symbols[tearing.assignments[i].unknown], values[i]);
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

void BlockWriter::write_loop(std::vector<Iterate> iterates, const Vector& residual,
                             const Vector& assigned, const Corrections& corrections) {
  for (std::size_t i = 0; i < iterates.size(); ++i) iterates[i].correction = corrections.known[i];
  const double work = work_of(concatenate({corrections.known, residual, assigned}));
  const bool remembers = remembers_ && is_worth_a_pass(work, iterates.size());
  Vector stand_ins;
  if (remembers) {
    const double repeated = work_of(concatenate({residual, assigned})) +
                            work_with(corrections.by_stand_ins, corrections.stand_ins);
    if (is_worth_keeping(work - repeated, repeated)) stand_ins = corrections.stand_ins;
  }
  if (!stand_ins.empty())
    for (std::size_t i = 0; i < iterates.size(); ++i)
      iterates[i].correction = corrections.by_stand_ins[i];
  write_loop(std::move(iterates), residual, stand_ins, remembers);
}

void BlockWriter::write_loop(std::vector<Iterate> iterates, const Vector& residual,
                             const Vector& stand_ins, bool remembers,
                             const std::vector<TapeWriter::LoopGroup>& memory) {
  std::stable_sort(iterates.begin(), iterates.end(),
                   [](const Iterate& x, const Iterate& y) { return x.kind < y.kind; });
  const bool only_multipliers = std::all_of(iterates.begin(), iterates.end(),
                                            [](const Iterate& x) { return x.is_multiplier; });
  const Vector additions = remembers ? history_.additions(iterates.size()) : Vector{};
  Vector changes;
  for (std::size_t i = 0; i < additions.size(); ++i) {
    changes.push_back(iterates[i].symbol - iterates[i].start);
    iterates[i].start += additions[i];
  }
  std::vector<bool> judged;
  std::vector<TapeWriter::LoopGroup> groups;
  const std::vector<NodeId>* kind = nullptr;
  for (const Iterate& iterate : iterates) {
    if (kind == nullptr || iterate.kind != *kind) {
      groups.emplace_back();
      groups.back().judged = false;
    }
    kind = &iterate.kind;
    // Multipliers follow the other unknowns linearly, and their own size can be pure round-off.
    judged.push_back(only_multipliers || !iterate.is_multiplier);
    if (judged.back()) groups.back().judged = true;
    groups.back().iterate.push_back(iterate.symbol);
    groups.back().start.push_back(iterate.start);
    groups.back().correction.push_back(iterate.correction);
    groups.back().value.push_back(iterate.value);
  }
  groups.insert(groups.end(), memory.begin(), memory.end());
  writer_.loop(groups, residual, stand_ins);
  if (remembers) history_.remember(changes, judged);
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
