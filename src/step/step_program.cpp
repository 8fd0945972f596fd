#include "dalembert/step/step_program.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/sparse/dependent_nodes.hpp"
#include "dalembert/mechanics/watched_quantities.hpp"
#include "dalembert/step/detail/block_form.hpp"
#include "dalembert/step/detail/stage_blocks.hpp"
#include "dalembert/step/detail/stage_loop.hpp"
#include "step/detail/block_writer.hpp"
#include "step/detail/planned_blocks.hpp"

namespace dalembert {
namespace {

std::vector<StepUnknown> flatten(const Unknowns& unknowns) {
  std::vector<StepUnknown> result;
  for (std::size_t g = 0; g < unknowns.groups().size(); ++g) {
    const Unknowns::Group& group = unknowns.groups()[g];
    for (std::size_t i = 0; i < group.symbols.size(); ++i) {
      result.push_back({group.symbols[i], group.start[i], group.value[i], g, group.is_multiplier,
                        group.name + "[" + std::to_string(i + 1) + "]"});
    }
  }
  return result;
}

/// The state before the step, in symbols of its own kind: positions and velocities are the system's
/// own.
State state_symbols(const System& system, const Symbols& symbols, const Method& method) {
  const GraphPointer& graph = symbols.t.graph();
  State before{symbols.q, symbols.v, {}, {}, symbols.t};
  for (std::size_t i = 0; i < system.constraint_count(); ++i) {
    before.lambda.push_back(make_symbol(graph, "lambda_" + std::to_string(i + 1)));
  }
  for (const std::string& name : method.carried_names(system))
    before.carried.push_back(make_symbol(graph, name));
  return before;
}

/// Symbols for values that no equation reads.
Vector places(const GraphPointer& graph, std::size_t count) {
  Vector symbols;
  for (std::size_t i = 0; i < count; ++i)
    symbols.push_back(make_symbol(graph, "reported_" + std::to_string(i + 1)));
  return symbols;
}

/// after - before, with the term that is the old value itself taken out of the sum.
Expr increment(const Expr& after, const Expr& before) {
  Vector terms = terms_of(after);
  const auto old = std::find_if(terms.begin(), terms.end(),
                                [&](const Expr& term) { return same(term, before); });
  if (old == terms.end()) return after - before;
  terms.erase(old);
  Expr sum = 0.0;
  for (const Expr& term : terms) sum += term;
  return sum;
}

Vector increments(const Vector& after, const Vector& before) {
  Vector result;
  for (std::size_t i = 0; i < after.size(); ++i) result.push_back(increment(after[i], before[i]));
  return result;
}

/// Sweeps of more unknowns have no fallback: Newton's iteration would take seconds to compile, with
/// means along a step, of which each is a function of all unknowns, sooner.
std::size_t most_fallback_unknowns(const Equations& equations) {
  return equations.stages->means.means.empty() ? 128 : 64;
}

/// Companions cost no iteration.
std::size_t newton_unknowns(const std::vector<StepUnknown>& unknowns, const Equations& equations) {
  return equations.companion == Companion::none ? unknowns.size() : unknowns.size() / 2;
}

/// Which unknowns are rates of stages that sweeps find.
std::vector<bool> swept_among(const std::vector<StepUnknown>& unknowns, const Equations& equations,
                              StepSolver solver) {
  std::vector<bool> result(unknowns.size(), false);
  const bool sweeps = solver == StepSolver::structured || solver == StepSolver::sweeps;
  if (!sweeps || !equations.stages) return result;
  const Vector rates = concatenate(equations.stages->rates);
  for (std::size_t u = 0; u < unknowns.size(); ++u) {
    result[u] = std::ranges::any_of(
        rates, [&](const Expr& rate) { return same(rate, unknowns[u].symbol); });
  }
  return result;
}

/// How many of the first blocks find the rates of stages.
std::size_t stage_blocks_end(const std::vector<PlannedBlock>& blocks,
                             const std::vector<bool>& is_swept) {
  const auto last = std::find_if(blocks.rbegin(), blocks.rend(), [&](const PlannedBlock& block) {
    return std::ranges::any_of(block.unknowns, [&](std::size_t u) { return is_swept[u]; });
  });
  return static_cast<std::size_t>(blocks.rend() - last);
}

/// Throws where the new state needs an unknown that sweeps do not find, of those `which`.
void check_needed(const Method& method, const Equations& equations,
                  const std::vector<StepUnknown>& unknowns, const std::vector<std::size_t>& which) {
  if (which.empty()) return;
  const State& after = equations.after;
  const Vector needed =
      concatenate({after.q, after.v, after.lambda, after.carried, after.error_estimate, after.dense,
                   equations.velocity_change, equations.velocity_rest});
  Vector symbols;
  for (const std::size_t u : which) symbols.push_back(unknowns[u].symbol);
  const std::vector<bool> is_needed = any_dependencies(needed, symbols);
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (!is_needed[i]) continue;
    throw RequestError("the new state of method \"" + method.name() + "\" needs the unknown " +
                       unknowns[which[i]].name + ", which the sweeps of its stages do not find");
  }
}

/// Writes the solution of the equations onto the tape: afterwards every unknown has a value.
std::vector<StepProgram::Block> solve(const System& system, const Method& method,
                                      const Equations& equations,
                                      const std::vector<StepUnknown>& unknowns, StepSolver solver,
                                      TapeWriter& writer, BlockWriter& block_writer) {
  std::vector<StepProgram::Block> written;
  const std::vector<bool> is_swept = swept_among(unknowns, equations, solver);
  const bool has_stages = std::ranges::find(is_swept, true) != is_swept.end(),
             has_fallback =
                 has_stages && solver != StepSolver::sweeps &&
                 newton_unknowns(unknowns, equations) <= most_fallback_unknowns(equations);
  if (has_stages) writer.begin_stages(*equations.stages, stage_blocks(*equations.stages));
  if (has_stages && !has_fallback) {
    writer.end_stages(false);
    written.push_back(block_writer.found_by_sweeps(is_swept));
    // Multipliers of stages are not asked for.
    std::vector<std::size_t> multipliers;
    bool is_all = true;
    for (std::size_t u = 0; u < unknowns.size(); ++u) {
      if (is_swept[u]) continue;
      is_all = is_all && unknowns[u].is_multiplier;
      multipliers.push_back(u);
    }
    if (is_all) {
      check_needed(method, equations, unknowns, multipliers);
      return written;
    }
  }
  const Vector zero = concatenate({equations.zero, equations.constraint});
  if (equations.secant && solver != StepSolver::plain && equations.companion == Companion::none)
    return {block_writer.write_secant(zero, *equations.secant)};
  const std::vector<PlannedBlock> blocks =
      planned_blocks(system, method, zero, unknowns, equations.companion);
  if (solver == StepSolver::plain && !unknowns.empty()) {
    std::vector<std::size_t> all(unknowns.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {block_writer.write_plain(zero, all)};
  }
  const std::size_t end = has_stages ? stage_blocks_end(blocks, is_swept) : 0;
  for (std::size_t b = 0; b < end; ++b) {
    std::vector<std::size_t> others = blocks[b].unknowns;
    std::erase_if(others, [&](std::size_t u) { return is_swept[u]; });
    check_needed(method, equations, unknowns, others);
  }
  std::vector<std::vector<Pivot>> pivots(blocks.size());
  for (std::size_t b = has_fallback ? 0 : end; b < blocks.size(); ++b) {
    // A fallback runs in some steps only.
    block_writer.remember_starts(b >= end);
    Vector functions;
    for (const std::size_t e : blocks[b].equations) functions.push_back(zero[e]);
    if (blocks[b].like) {
      std::vector<Pivot> known = pivots[*blocks[b].like];
      if (equations.companion == Companion::adjoint)
        for (Pivot& pivot : known) std::swap(pivot.row, pivot.column);
      written.push_back(block_writer.write(functions, blocks[b].unknowns, known));
    } else {
      written.push_back(block_writer.write(functions, blocks[b].unknowns));
      pivots[b] = block_writer.sparse_order();
    }
    if (has_fallback && b + 1 == end) writer.end_stages(true);
  }
  return written;
}

/// Two numbers for each group of unknowns of the largest loop.
std::size_t newton_memory(const Tape& tape) {
  std::uint32_t groups = 0;
  for (const TapeLoop& loop : tape.loops)
    groups = std::max(groups, loop.group_end - loop.group_begin);
  return 2 * std::size_t{groups};
}

/// Which stored numbers are coordinates of lines and angles, which sums may compensate.
std::vector<bool> numbers_of(const System& system) {
  std::vector<bool> result;
  for (const Configuration::Factor& factor : system.configuration().factors())
    result.insert(result.end(), factor.group.storage_size(), factor.group.is_flat());
  return result;
}

/// The increments of velocities: as the method gives them, or the difference.
Vector velocity_increments(const Equations& equations, const Vector& before) {
  return equations.velocity_change.empty() ? increments(equations.after.v, before)
                                           : equations.velocity_change;
}

/// The increments of coordinates, and what is stored of elements of groups as it stands.
Vector summed(const System& system, const Vector& after, const Vector& before) {
  const std::vector<bool> is_number = numbers_of(system);
  Vector result = increments(after, before);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!is_number[i]) result[i] = after[i];
  }
  return result;
}

/// What is watched, in the numbers that are stored. A multiplier that is nan at a node that nobody
/// records is none the less a run that went wrong.
Vector watched_values(const System& system, const Symbols& s, const Expr& h,
                      bool has_own_multiplier, const StepOptions& options) {
  Vector quantities;
  if (options.watched) quantities = watched_quantities(system, s);
  if (options.watched && !has_own_multiplier && system.constraint_count() > 0)
    quantities = concatenate({quantities, system.eliminated(s.q, s.v, s.t).lambda});
  if (options.also_watched) quantities = concatenate({quantities, options.also_watched(s, h)});
  return system.at(quantities, s.q, s.v, s.t);
}

}  // namespace

std::shared_ptr<const StepProgram> StepProgram::compile(const System& system, const Method& method,
                                                        const StepOptions& options) {
  if (const auto reason = method.misfit(system)) throw RequestError(*reason);
  std::optional<NodeBudget> budget;
  if (limits().every_graph) budget.emplace(system.symbols().t.graph()->size());
  auto program = std::shared_ptr<StepProgram>(new StepProgram(system, method, options));
  const Symbols symbols = system.symbols();
  const GraphPointer& graph = symbols.t.graph();
  const Expr h = make_symbol(graph, "h", {}, true);
  const State before = state_symbols(system, symbols, method);
  Unknowns unknowns(graph);
  Equations equations = method.equations(system, before, unknowns, h);
  // Where round-off has left a group, the step ends on it.
  equations.after.q = system.configuration().normalised(equations.after.q);
  program->lambda_count_ = equations.after.lambda.size();
  const State& after = equations.after;
  program->carried_count_ = after.carried.size();
  program->error_count_ = after.error_estimate.size();
  program->dense_count_ = after.dense.size();
  // What the step only reports has a place in the state, too.
  const Vector reported = places(graph, after.error_estimate.size() + after.dense.size());

  const Vector setup = concatenate({symbols.parameter_list, Vector{h}});
  TapeWriter writer(
      graph, setup,
      concatenate({Vector{before.t}, before.q, before.v, before.lambda, before.carried, reported}));
  BlockWriter block_writer(flatten(unknowns), h, before.v, writer);
  program->blocks_ =
      solve(system, method, equations, flatten(unknowns), options.solver, writer, block_writer);
  program->history_count_ = block_writer.history().before().size();
  const bool sums = options.compensated;
  program->tape_ = writer.finish(
      concatenate({sums ? summed(system, after.q, before.q) : after.q,
                   sums ? velocity_increments(equations, before.v) : after.v, after.lambda,
                   after.carried, after.error_estimate, after.dense, block_writer.history().after(),
                   sums ? equations.velocity_rest : Vector{}}),
      watched_values(system, symbols, h, program->lambda_count_ > 0, options));
  program->has_rest_ = sums && !equations.velocity_rest.empty();
  program->equations_ = {before, h, unknowns.groups(), equations};
  graph->freeze();  // the program is shared between threads
  program->place_state(program->tape_);
  program->newton_memory_ = newton_memory(program->tape_);
  program->place_stages();
  return program;
}

void StepProgram::place_state(const Tape& tape) {
  const std::size_t parameters = system_.description().parameters.size(), n = storage_count();
  parameter_slots_.assign(tape.inputs.begin(),
                          tape.inputs.begin() + static_cast<std::ptrdiff_t>(parameters));
  step_size_slot_ = tape.inputs[parameters];
  time_slot_ = tape.inputs[parameters + 1];
  auto next = static_cast<std::uint32_t>(tape.slot_count);
  start_time_slot_ = next++;
  const std::uint32_t* input = tape.inputs.data() + parameters + 2;
  const std::uint32_t* output = tape.outputs.data();
  const std::vector<Coordinate> stored = system_.configuration().storage();
  const std::vector<bool> is_number = numbers_of(system_);
  for (std::size_t i = 0; i < n + velocity_count(); ++i) {
    StateEntry entry{*input++, *output++};
    if (i < n && stored[i].is_angle && options_.wrap_angles) entry.turns = next++;
    if (options_.compensated && (i >= n || is_number[i])) entry.carry = next++;
    entries_.push_back(entry);
  }
  for (std::size_t i = 0; i < lambda_count_; ++i) entries_.push_back({input[i], *output++});
  input += system_.constraint_count();
  const std::size_t others = carried_count_ + error_count_ + dense_count_ + history_count_;
  for (std::size_t i = 0; i < others; ++i) entries_.push_back({input[i], *output++});
  for (std::size_t i = 0; has_rest_ && i < velocity_count(); ++i) entries_[n + i].rest = *output++;
  is_watching_slot_ = next++;
  for (const std::uint32_t value : tape.further_outputs) {
    watched_.push_back({value, next, next + 1, next + 2, next + 3});
    next += 4;
  }
  slot_count_ = next;
}

void StepProgram::place_stages() {
  for (const TapeStages& stages : tape_.stages) {
    stages_.push_back(view_of(stages));
    stage_memory_ = std::max(stage_memory_, stage_memory(stages_.back()));
  }
  // Stages lie in the lanes of one trajectory.
  if (!stages_.empty()) kernel_ = &number_kernel(available_instruction_sets().back());
}

StepView StepProgram::view() const {
  return {tape_.view(),
          tape_.sections.data(),
          tape_.sections.size(),
          stages_.data(),
          tape_.loops.data(),
          tape_.loop_groups.data(),
          tape_.iterates.data(),
          tape_.residuals.data(),
          entries_.data(),
          entries_.size(),
          storage_count() + velocity_count(),
          tape_.setup_end,
          newton_memory_,
          stage_memory_,
          time_slot_,
          step_size_slot_,
          start_time_slot_,
          options_.compensated,
          tape_.further,
          watched_.data(),
          watched_.size(),
          is_watching_slot_};
}

}  // namespace dalembert
