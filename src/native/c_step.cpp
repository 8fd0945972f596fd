#include "dalembert/native/c_step.hpp"

#include <algorithm>
#include <cctype>

#include "dalembert/error.hpp"
#include "dalembert/expression/vector.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/version.hpp"
#include "native/text/advance_text.hpp"
#include "native/text/c_definitions.hpp"
#include "native/text/statements.hpp"
#include "native/text/step_layout.hpp"

namespace dalembert {
namespace {

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A name in C of any text: what is no letter or digit becomes one underscore.
std::string c_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (is_letter_or_digit(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name.insert(0, "step_");
  return name;
}

std::string checked_prefix(const std::string& prefix) {
  const bool is_name =
      std::ranges::all_of(prefix, [](char c) { return is_letter_or_digit(c) || c == '_'; }) &&
      std::isdigit(static_cast<unsigned char>(prefix.front())) == 0;
  if (is_name) return prefix;
  throw RequestError("names in C cannot begin with \"" + prefix +
                     "\"; give letters, digits and underscores, no digit first");
}

/// Names of starts in C, all different.
std::vector<std::string> start_functions(const std::vector<Start>& starts) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::string name = "start_" + c_name(starts[i].name.empty() ? "first" : starts[i].name);
    while (std::ranges::find(names, name) != names.end()) name += "_" + std::to_string(i + 1);
    names.push_back(name);
  }
  return names;
}

/// What keeps compilers from contracting products and sums, and what gives their options back.
constexpr const char* arithmetic_begins = R"c(#if defined(__FAST_MATH__)
#error "this needs IEEE arithmetic: compile without -ffast-math"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "this needs sums and products that are rounded to double: on x86 compile with -msse2 -mfpmath=sse"
#endif
/* A product and a sum are rounded one after the other, not fused. */
#if defined(__clang__)
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize", "no-unsafe-math-optimizations")
#pragma GCC optimize("no-associative-math", "no-reciprocal-math", "no-finite-math-only")
#pragma GCC optimize("signed-zeros", "trapping-math")
#elif defined(_MSC_VER)
#pragma float_control(precise, on, push)
#pragma fp_contract(off)
#else
#pragma STDC FP_CONTRACT OFF
#endif

)c";
constexpr const char* arithmetic_ends = R"c(
#if defined(__clang__) || defined(_MSC_VER)
#pragma float_control(pop)
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
)c";

/// Who takes steps of his own watches them himself.
StepOptions unwatched(StepOptions options) {
  options.watched = false;
  options.also_watched = nullptr;
  return options;
}

/// The header of one method on one problem.
class CStep {
 public:
  CStep(const Problem& problem, const Method& method, const CStepOptions& options)
      : problem_(problem),
        system_(problem.system),
        program_(StepProgram::compile(system_, method, unwatched(options.step))),
        layout_(*program_),
        functions_(start_functions(problem.starts)),
        method_(label(method.spec())),
        prefix_(options.prefix.empty() ? c_name(method_ + "_" + system_.name())
                                       : checked_prefix(options.prefix)) {}

  std::string text() const {
    const std::string body = table_definitions(program_->tape()) + structure_text() +
                             starts_text() + begin_text() + steps_text() + functions_text();
    const CDefinitions definitions(prefix_);
    return opening_text() + arithmetic_begins + definitions.needed_by(body) +
           definitions.in_c(body) + arithmetic_ends + "\n#endif\n";
  }

 private:
  /// What it is, and how it is used.
  std::string opening_text() const {
    const std::string start = functions_.empty() ? "set_defaults" : functions_.front();
    const std::string p = prefix_ + "_";
    std::string text = "/* Steps of " + in_comment(method_) + " on \"" +
                       in_comment(system_.name()) + "\", printed by dalembert " + version() +
                       ".\n\n";
    text += "     " + p + "motion motion;\n     " + p + start +
            "(&motion);\n     motion.step_size = 0.1;\n" + "     " + p +
            "begin(&motion);\n     if (" + p + "advance(&motion, 1000) != 0) { ... }\n     " + p +
            "coordinate(&motion, 0), " + p + "energy(&motion), ...\n\n" +
            "   Its numbers are those of dalembert, bit for bit, as long as no product is fused "
            "with a sum:\n"
            "   what is below keeps compilers from it, but for clang's -ffp-contract=fast and\n"
            "   -fassociative-math. It needs the C library alone. */\n";
    return text + "#ifndef " + prefix_ + "_is_included\n#define " + prefix_ +
           "_is_included\n\n#include <math.h>\n#include <stddef.h>\n#include <string.h>\n\n";
  }

  std::string structure_text() const {
    return "/* One motion. What is set by hand: step_size, t, parameters, q and v. */\n" +
           layout_.structure() + "\n";
  }

  static std::string assignments(const std::string& member, const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
      text += "  s->" + member + "[" + std::to_string(i) + "] = " + c_literal(values[i]) + ";\n";
    return text;
  }

  /// Functions that set parameters, position and velocity.
  std::string starts_text() const {
    std::string text =
        "/* The default parameters, at zero, at rest. */\n"
        "static inline void PREFIX_set_defaults(PREFIX_motion* s) {\n"
        "  memset(s, 0, sizeof *s);\n" +
        assignments("parameters", system_.default_parameters()) + "}\n\n";
    for (std::size_t i = 0; i < problem_.starts.size(); ++i) {
      const Start& start = problem_.starts[i];
      const std::vector<double> parameters = named_parameter_values(system_, start.parameters);
      const Start prepared = prepare_start(system_, start, parameters);
      const std::string name = start.name.empty() ? "" : " \"" + in_comment(start.name) + "\"";
      text += "/* The start" + name + " of the problem. */\nstatic inline void PREFIX_" +
              functions_[i] + "(PREFIX_motion* s) {\n  memset(s, 0, sizeof *s);\n" +
              assignments("parameters", parameters) + assignments("q", prepared.q) +
              assignments("v", prepared.v) + "}\n\n";
    }
    return text;
  }

  /// Multipliers and what is carried, at the beginning: as the functions of C compute them.
  std::string first_values_text() const {
    const Symbols symbols = system_.symbols();
    Vector values;
    std::vector<std::string> places;
    if (program_->lambda_count() + program_->carried_count() == 0) return {};
    const System::Eliminated motion = system_.eliminated(symbols.q, symbols.v, symbols.t);
    for (std::size_t i = 0; i < program_->lambda_count(); ++i) {
      values.push_back(motion.lambda[i]);
      places.push_back("s->lambda[" + std::to_string(i) + "]");
    }
    if (program_->carried_count() > 0) {
      const Vector carried = program_->method().carried_start(
          system_, {symbols.q, symbols.v, motion.lambda, {}, symbols.t});
      for (std::size_t i = 0; i < carried.size(); ++i) {
        values.push_back(carried[i]);
        places.push_back("s->carried[" + std::to_string(i) + "]");
      }
    }
    return state_function("static inline void PREFIX_set_first_values(PREFIX_motion* s)", symbols,
                          values, places) +
           "\n";
  }

  /// A function of the state in C.
  std::string state_function(const std::string& head, const Symbols& symbols, const Vector& outputs,
                             const std::vector<std::string>& places) const {
    const Vector stored = system_.traits().has_groups
                              ? system_.at(outputs, symbols.q, symbols.v, symbols.t)
                              : outputs;
    std::vector<std::string> inputs;
    const auto add = [&](const std::string& member, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        inputs.push_back("s->" + member + "[" + std::to_string(i) + "]");
    };
    add("parameters", symbols.parameter_list.size());
    inputs.emplace_back("s->t");
    add("q", symbols.q.size());
    add("v", symbols.v.size());
    const Tape tape = write_tape(
        concatenate({symbols.parameter_list, Vector{symbols.t}, symbols.q, symbols.v}), stored);
    return function_text(head, tape, inputs, places);
  }

  std::string begin_text() const {
    const std::string first_values = first_values_text();
    std::string text = set_up_text(*program_, layout_) + "\n" + first_values +
                       "/* Begins a motion at its t, q and v: call it after these, parameters or "
                       "the step size\n   have been set. Turns of angles are counted from here on. "
                       "*/\n"
                       "static inline void PREFIX_begin(PREFIX_motion* s) {\n"
                       "  s->start_time = s->t;\n  s->steps = s->iterations = 0;\n"
                       "  s->residual = 0.0;\n";
    for (const char* member : {"turns", "lambda", "carried", "error_estimate", "dense", "history",
                               "q_carry", "v_carry"}) {
      if (layout_.size(member) > 0)
        text += std::string("  memset(s->") + member + ", 0, sizeof s->" + member + ");\n";
    }
    text += "  PREFIX_set_up(s);\n";
    if (!first_values.empty()) text += "  PREFIX_set_first_values(s);\n";
    for (const StateEntry& entry : program_->entries()) {
      if (entry.turns == StateEntry::none) continue;
      text += "  {\n    Number lost = 0.0;\n    wrap_angle_and_tell(&" +
              layout_.place(entry.input) + ", &" + layout_.place(entry.turns) + ", &lost);\n  }\n";
    }
    return text + "}\n\n";
  }

  std::string steps_text() const {
    return "/* Takes steps. 0: all were taken. 1: Newton's iteration did not converge in one of "
           "them,\n   2: a result was not finite; the motion is that before this step, and "
           "residual "
           "tells by how\n   much the equations were missed. */\n" +
           advance_text(*program_, layout_) + "\n";
  }

  /// A coordinate as results have it.
  std::string coordinate_text() const {
    std::string text =
        "/* Coordinate number i, an angle with its turns. */\n"
        "static inline double PREFIX_coordinate(const PREFIX_motion* s, int i) {\n"
        "  switch (i) {\n";
    for (std::size_t i = 0; i < program_->storage_count(); ++i) {
      const StateEntry& entry = program_->entries()[i];
      if (entry.turns == StateEntry::none) continue;
      text += "    case " + std::to_string(i) + ":\n      return unwrapped_angle(" +
              layout_.place(entry.input) + ", " + layout_.place(entry.turns) + ");\n";
    }
    return text + "    default:\n      return s->q[i];\n  }\n}\n\n";
  }

  /// The energy, what constraints leave, and integrals.
  std::string functions_text() const {
    const Symbols s = system_.symbols();
    std::string text = coordinate_text() + "/* The energy. */\n" +
                       value_function("energy", s, system_.energy(s.q, s.v)) + constraints_text(s);
    std::vector<std::string> names;
    for (const auto& [name, integral] : system_.mechanics().integrals) {
      names.push_back(name);
      text += "\n/* The integral " + in_comment(name) + ". */\n" +
              value_function("integral_" + c_name(name), s, integral);
    }
    return text;
  }

  std::string value_function(const std::string& name, const Symbols& symbols,
                             const Expr& value) const {
    std::string text =
        state_function("static inline double PREFIX_" + name + "(const PREFIX_motion* s)", symbols,
                       {value}, {"const Number value"});
    // A constant needs no motion.
    if (text.find("s->") == std::string::npos) text.insert(text.rfind("}\n"), "  (void)s;\n");
    text.insert(text.rfind("}\n"), "  return value;\n");
    return text;
  }

  std::string constraints_text(const Symbols& symbols) const {
    if (system_.is_skew_gradient()) return {};
    const Vector values = concatenate({system_.constraint(symbols.q, symbols.v, symbols.t),
                                       system_.holonomic(symbols.q, symbols.t)});
    if (values.empty()) return {};
    std::vector<std::string> places;
    for (std::size_t i = 0; i < values.size(); ++i)
      places.push_back("values[" + std::to_string(i) + "]");
    return "\n/* What vanishes: the constraints on velocities, then those on positions, " +
           std::to_string(values.size()) + " in all. */\n" +
           state_function(
               "static inline void PREFIX_constraints(const PREFIX_motion* s, double* values)",
               symbols, values, places);
  }

  const Problem& problem_;
  const System& system_;
  std::shared_ptr<const StepProgram> program_;
  StepLayout layout_;
  std::vector<std::string> functions_;
  std::string method_, prefix_;
};

}  // namespace

std::string c_step(const Problem& problem, const Method& method, const CStepOptions& options) {
  if (method.tolerance() > 0.0) {
    throw RequestError("method \"" + method.name() +
                       "\" chooses its steps by a tolerance; in C steps are of one size: give "
                       "tolerance = 0");
  }
  const Symbols s = problem.system.symbols();
  // Says so where constraints are dependent for every state; then steps are not determined.
  if (problem.system.constraint_count() > 0)
    static_cast<void>(problem.system.projected_velocity(s.q, s.v, s.t));
  return CStep(problem, method, options).text();
}

}  // namespace dalembert
