#include "dalembert/report/audit_set.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"

namespace dalembert::study {
namespace {

const StartEntry& chosen_start(const ProblemFile& problem, const std::string& name,
                               const std::string& where) {
  if (problem.starts.empty())
    throw RequestError(where + ": problem \"" + problem.name +
                       "\" has no start; add [initial.NAME]");
  if (name.empty()) return problem.starts.front();
  const StartEntry* start = problem.find_start(name);
  if (start == nullptr) {
    throw RequestError(where + ": problem \"" + problem.name + "\" has no start \"" + name + "\"" +
                       suggestion(name, problem.start_names()));
  }
  return *start;
}

AuditCase case_of(ProblemFile problem, const std::string& start, const std::string& where) {
  AuditCase result;
  result.file = std::move(problem);
  result.start = chosen_start(result.file, start, where);
  result.sizes = complete_sizes(result.file, result.start.sizes);
  result.parameters = start_parameters(result.file, result.start);
  result.label = result.file.name;
  if (result.file.starts.size() > 1) result.label += ", " + result.start.name;
  return result;
}

void set_parameters(AuditCase& problem, const DocumentNode& node) {
  if (!node.is_table()) node.refuse("must be a table, not " + node.found());
  const std::vector<std::string> names = problem.file.parameter_names();
  for (const auto& [name, value] : node.table()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      value.refuse("is not a parameter of problem \"" + problem.file.name + "\"" +
                   suggestion(name, names));
    }
    const auto i = static_cast<std::size_t>(found - names.begin());
    problem.parameters[i] = parse_constant(value);
    check_parameter(problem.file.parameters[i], problem.parameters[i], value);
    problem.label += ", " + name + " = " + to_string(problem.parameters[i]);
  }
}

double positive(const DocumentNode& node) {
  const double value = parse_constant(node);
  if (!(value > 0.0)) node.refuse("is " + to_string(value) + "; it must be > 0");
  return value;
}

/// What [[problem]] and [[long_run]] have in common.
AuditCase read_case(TableReader& table, const std::filesystem::path& base) {
  const DocumentNode& name = table.require("problem");
  std::filesystem::path path;
  try {
    path = find_problem(as_text(name), base);
  } catch (const RequestError& error) {
    name.refuse(std::string("is wrong: ") + error.what());
  }
  AuditCase result =
      case_of(read_problem_file(path), table.text("start"), table.node().place.text());
  result.kind = table.text("kind");
  if (const DocumentNode* parameters = table.find("parameters"))
    set_parameters(result, *parameters);
  if (const DocumentNode* time = table.find("time")) result.time = positive(*time);
  return result;
}

LongRunCase read_long_run(const DocumentNode& node, const std::filesystem::path& base) {
  TableReader table(node);
  LongRunCase run{read_case(table, base)};
  if (const DocumentNode* step = table.find("step")) run.step = positive(*step);
  if (const DocumentNode* window = table.find("window")) run.window = positive(*window);
  if (const DocumentNode* until = table.find("until")) {
    TableReader times(*until);
    run.quick_until = positive(times.require("quick"));
    run.full_until = positive(times.require("full"));
    times.finish();
  }
  table.finish();
  return run;
}

/// At short times and, where something is conserved, in a long run.
void add_case(AuditSet& set, AuditCase problem) {
  const AuditProblem made = problem.make();
  const bool conserves = made.keeps_energy || !made.system.mechanics().integrals.empty();
  if (conserves) set.long_runs.push_back({problem});
  set.problems.push_back(std::move(problem));
}

}  // namespace

AuditProblem AuditCase::make() const {
  const System system = make_system(file, sizes);
  const Start ready =
      prepare_start(system, evaluate_start(file, start, system, sizes, parameters), parameters);
  AuditProblem problem{system, parameters, ready.q, ready.v};
  problem.keeps_energy = flow_keeps_energy(system, ready.q, ready.v);
  problem.is_witness = is_witness;
  problem.time = time;
  return problem;
}

LongRun LongRunCase::make(bool full) const {
  const double until = full ? full_until : quick_until;
  const auto steps = static_cast<std::uint64_t>(std::llround(numeric::larger(1.0, until / step)));
  return {problem.make(), step, steps, window};
}

AuditSet read_audit_set(const std::filesystem::path& path) {
  const DocumentNode document = read_document(path);
  const std::filesystem::path base = path.parent_path();
  TableReader table(document);
  AuditSet set{table.text("title"), {}, {}};
  if (const DocumentNode* problems = table.find("problem")) {
    for (const DocumentNode& node : as_list(*problems)) {
      TableReader entry(node);
      AuditCase problem = read_case(entry, base);
      if (const DocumentNode* witness = entry.find("witness"))
        problem.is_witness = as_boolean(*witness);
      if (const DocumentNode* names = entry.find("leave_out")) {
        for (const DocumentNode& name : as_list(*names)) {
          static_cast<void>(method_entry(as_text(name)));
          problem.leave_out.push_back(as_text(name));
        }
      }
      entry.finish();
      set.problems.push_back(std::move(problem));
    }
  }
  if (const DocumentNode* runs = table.find("long_run")) {
    for (const DocumentNode& node : as_list(*runs))
      set.long_runs.push_back(read_long_run(node, base));
  }
  table.finish();
  if (set.problems.empty() && set.long_runs.empty())
    throw RequestError(path.string() + ": there is neither a [[problem]] nor a [[long_run]]");
  return set;
}

AuditSet standard_audit_set() { return read_audit_set(data_directory() / "studies/audit.toml"); }

AuditSet audit_set_of(const std::vector<std::string>& problems) {
  AuditSet set{"Audit", {}, {}};
  for (const std::string& entry : problems) {
    const std::size_t colon = entry.rfind(':');
    const std::string name = entry.substr(0, colon);
    const std::string start = colon == std::string::npos ? "" : entry.substr(colon + 1);
    add_case(set,
             case_of(read_problem_file(find_problem(name)), start, "problem \"" + entry + "\""));
  }
  return set;
}

AuditSet audit_set_of(const ProblemFile& problem) {
  AuditSet set{"Audit", {}, {}};
  for (const std::string& start : problem.start_names())
    add_case(set, case_of(problem, start, "problem \"" + problem.name + "\""));
  if (set.problems.empty()) chosen_start(problem, "", "audit");
  return set;
}

}  // namespace dalembert::study
