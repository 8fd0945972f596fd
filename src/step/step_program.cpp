#include "dalembert/step/step_program.hpp"

#include <algorithm>
#include <stdexcept>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/step/block_form.hpp"

namespace dalembert {
namespace {

/// One scalar unknown of the step.
struct Unknown {
  Expr symbol, start, value;
  std::size_t group;
  bool is_multiplier;
  std::string name;
};

std::vector<Unknown> flatten(const Unknowns& unknowns) {
  std::vector<Unknown> result;
  for (std::size_t g = 0; g < unknowns.groups().size(); ++g) {
    const Unknowns::Group& group = unknowns.groups()[g];
    for (std::size_t i = 0; i < group.symbols.size(); ++i) {
      result.push_back({group.symbols[i], group.start[i], group.value[i], g, group.is_multiplier,
                        group.name + "[" + std::to_string(i + 1) + "]"});
    }
  }
  return result;
}

Vector symbols_of(const std::vector<Unknown>& unknowns, const std::vector<std::size_t>& which) {
  Vector result;
  for (const std::size_t u : which) result.push_back(unknowns[u].symbol);
  return result;
}

/// The state before the step, in symbols of its own kind: positions and velocities are the system's
/// own.
State state_symbols(const System& system, const Method& method) {
  Graph& graph = system.graph();
  State before{system.symbols().q, system.symbols().v, {}, {}, system.symbols().t};
  for (std::size_t i = 0; i < system.constraint_count(); ++i) {
    before.lambda.push_back(make_symbol(graph, "lambda_" + std::to_string(i + 1)));
  }
  for (const std::string& name : method.extra_names(system))
    before.extra.push_back(make_symbol(graph, name));
  return before;
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

class Compiler {
 public:
  Compiler(const System& system, const Method& method, std::vector<StepProgram::Block>& blocks)
      : system_(system), method_(method), blocks_(blocks) {}

  /// Writes the solution of the equations onto the tape: afterwards every unknown has a value.
  void solve(const Equations& equations, const std::vector<Unknown>& unknowns, TapeWriter& writer) {
    const Vector zero = concatenate({equations.zero, equations.constraint});
    found_.assign(unknowns.size(), false);
    for (const EquationBlock& block : order(zero, unknowns)) {
      Vector functions;
      for (const std::size_t e : block.equations) functions.push_back(zero[e]);
      const Vector symbols = symbols_of(unknowns, block.unknowns);
      const bool linear =
          std::all_of(functions.begin(), functions.end(),
                      [&](const Expr& function) { return is_linear(function, symbols); });
      linear ? solve_linear_block(functions, symbols, writer)
             : write_loop(functions, symbols, unknowns, block.unknowns, writer);
      using Kind = StepProgram::Block::Kind;
      StepProgram::Block written{!linear               ? Kind::newton
                                 : symbols.size() == 1 ? Kind::explicit_assignment
                                                       : Kind::linear,
                                 {}};
      for (const std::size_t u : block.unknowns) {
        written.unknowns.push_back(unknowns[u].name);
        found_[u] = true;
      }
      blocks_.push_back(std::move(written));
    }
  }

 private:
  std::vector<EquationBlock> order(const Vector& zero, const std::vector<Unknown>& unknowns) const {
    if (zero.size() != unknowns.size()) {
      throw std::invalid_argument("method \"" + method_.name() + "\" has " +
                                  std::to_string(zero.size()) + " equations for " +
                                  std::to_string(unknowns.size()) + " unknowns on system \"" +
                                  system_.name() + "\"");
    }
    Vector symbols;
    for (const Unknown& unknown : unknowns) symbols.push_back(unknown.symbol);
    std::vector<std::vector<bool>> incidence, preferred;
    for (const Expr& function : zero) {
      incidence.push_back(dependencies(function, symbols));
      preferred.push_back(std::vector<bool>(symbols.size(), false));
      const Vector slope = gradient(function, symbols);
      for (std::size_t u = 0; u < symbols.size(); ++u)
        preferred.back()[u] = slope[u].facts().nonzero;
    }
    std::vector<EquationBlock> blocks;
    std::vector<std::size_t> unmatched;
    if (!block_lower_triangular(incidence, preferred, blocks, unmatched)) {
      throw std::invalid_argument("the equations of method \"" + method_.name() +
                                  "\" do not determine a step of system \"" + system_.name() +
                                  "\": no unknown is left for " +
                                  to_string(zero[unmatched.front()]) + " = 0");
    }
    return blocks;
  }

  void solve_linear_block(const Vector& functions, const Vector& symbols,
                          TapeWriter& writer) const {
    const Vector at_zero = substitute(functions, symbols, zeros(symbols.size()));
    const Vector solution = solve_linear(jacobian(functions, symbols), -at_zero);
    for (std::size_t i = 0; i < symbols.size(); ++i) writer.define(symbols[i], solution[i]);
  }

  void write_loop(const Vector& functions, const Vector& symbols,
                  const std::vector<Unknown>& unknowns, const std::vector<std::size_t>& which,
                  TapeWriter& writer) const {
    const Vector correction = solve_linear(jacobian(functions, symbols), functions);
    const bool only_multipliers = std::all_of(
        which.begin(), which.end(), [&](std::size_t u) { return unknowns[u].is_multiplier; });
    std::vector<TapeWriter::LoopGroup> groups;
    std::size_t group = unknowns.size();
    for (std::size_t i = 0; i < which.size(); ++i) {
      const Unknown& unknown = unknowns[which[i]];
      if (groups.empty() || unknown.group != group) groups.emplace_back();
      group = unknown.group;
      // Multipliers follow the other unknowns linearly, and their own size can be pure round-off.
      groups.back().judged = only_multipliers || !unknown.is_multiplier;
      groups.back().iterate.push_back(unknown.symbol);
      groups.back().start.push_back(known_form(unknown.start, unknowns, {}));
      groups.back().correction.push_back(correction[i]);
      groups.back().value.push_back(known_form(unknown.value, unknowns, which));
    }
    writer.loop(groups, functions);
  }

  /// An expression in which unknowns that have no value yet, beside those of the own block, stand
  /// at their start: an adjoint finds unknowns in the opposite order, after guesses that use them.
  Expr known_form(Expr expression, const std::vector<Unknown>& unknowns,
                  const std::vector<std::size_t>& own) const {
    Vector open, starts;
    for (std::size_t u = 0; u < unknowns.size(); ++u) {
      if (found_[u] || std::find(own.begin(), own.end(), u) != own.end()) continue;
      open.push_back(unknowns[u].symbol);
      starts.push_back(unknowns[u].start);
    }
    while (depends_on(expression, open)) expression = substitute(expression, open, starts);
    return expression;
  }

  const System& system_;
  const Method& method_;
  std::vector<StepProgram::Block>& blocks_;
  std::vector<bool> found_;  // which unknowns have a value by now
};

}  // namespace

std::shared_ptr<const StepProgram> StepProgram::compile(const System& system, const Method& method,
                                                        const StepOptions& options) {
  const std::scoped_lock lock(system.mutex());
  if (const auto reason = method.misfit(system)) throw std::invalid_argument(*reason);
  auto program = std::shared_ptr<StepProgram>(new StepProgram(system, method, options));
  Graph& graph = system.graph();
  const Expr h = make_symbol(graph, "h", {}, true);
  const State before = state_symbols(system, method);
  Unknowns unknowns(graph);
  const Equations equations = method.equations(system, before, unknowns, h);
  program->lambda_count_ = equations.after.lambda.size();
  program->extra_count_ = equations.after.extra.size();

  const Vector setup = concatenate({system.parameter_symbols(), Vector{h}});
  TapeWriter writer(
      graph, setup,
      concatenate({Vector{before.t}, before.q, before.v, before.lambda, before.extra}));
  Compiler(system, method, program->blocks_).solve(equations, flatten(unknowns), writer);
  const State& after = equations.after;
  const bool sums = options.compensated;
  program->tape_ = writer.finish(
      concatenate({sums ? increments(after.q, before.q) : after.q,
                   sums ? increments(after.v, before.v) : after.v, after.lambda, after.extra}));
  program->place_state(program->tape_);
  return program;
}

void StepProgram::place_state(const Tape& tape) {
  const std::size_t parameters = system_.parameter_symbols().size(), n = dof();
  parameter_slots_.assign(tape.inputs.begin(),
                          tape.inputs.begin() + static_cast<std::ptrdiff_t>(parameters));
  step_size_slot_ = tape.inputs[parameters];
  time_slot_ = tape.inputs[parameters + 1];
  auto next = static_cast<std::uint32_t>(tape.slot_count);
  start_time_slot_ = next++;
  const std::uint32_t* input = tape.inputs.data() + parameters + 2;
  const std::uint32_t* output = tape.outputs.data();
  const auto& coordinates = system_.description().coordinates;
  for (std::size_t i = 0; i < n + velocity_count(); ++i) {
    StateEntry entry{*input++, *output++};
    if (i < n && coordinates[i].is_angle && options_.wrap_angles) entry.turns = next++;
    if (options_.compensated) entry.carry = next++;
    entries_.push_back(entry);
  }
  for (std::size_t i = 0; i < lambda_count_; ++i) entries_.push_back({input[i], *output++});
  input += system_.constraint_count();
  for (std::size_t i = 0; i < extra_count_; ++i) entries_.push_back({input[i], *output++});
  slot_count_ = next;
}

StepView StepProgram::view() const {
  return {{tape_.code.data(), tape_.solve_pool.data()},
          tape_.sections.data(),
          tape_.sections.size(),
          tape_.loops.data(),
          tape_.loop_groups.data(),
          tape_.iterates.data(),
          tape_.residuals.data(),
          entries_.data(),
          entries_.size(),
          dof() + velocity_count(),
          tape_.setup_end,
          time_slot_,
          step_size_slot_,
          start_time_slot_};
}

}  // namespace dalembert
