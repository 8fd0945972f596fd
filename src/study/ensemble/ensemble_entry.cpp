// The table [ensemble] of a study, as written.
#include "dalembert/study/ensemble/ensemble_entry.hpp"

#include <algorithm>
#include <limits>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "study/ensemble/member_rows.hpp"

namespace dalembert::study {
namespace {

constexpr std::int64_t most_members = 10'000'000, most_attempts = 1'000'000;

/// Two constants in a list.
std::pair<double, double> read_pair(const DocumentNode& node, const std::string& what) {
  if (!node.is_array() || node.array().size() != 2)
    node.refuse("must be a list of two numbers, " + what + ", not " + node.found());
  return {parse_constant(node.array()[0]), parse_constant(node.array()[1])};
}

RandomVariable read_variable(const ProblemFile& problem, const std::string& name,
                             const DocumentNode& node) {
  const std::vector<std::string> taken = problem.parameter_names();
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    node.refuse("has the name of a parameter of problem \"" + problem.name + "\"");
  TableReader table(node);
  const DocumentNode* uniform = table.find("uniform");
  const DocumentNode* normal = table.find("normal");
  table.finish();
  if ((uniform != nullptr) == (normal != nullptr)) {
    node.refuse("needs one law: uniform = [least, largest] or normal = [mean, standard deviation]");
  }
  RandomVariable variable{RandomVariable::Law::uniform, name};
  if (uniform != nullptr) {
    std::tie(variable.first, variable.second) = read_pair(*uniform, "least and largest");
    if (!(variable.first < variable.second))
      uniform->refuse("is empty; its first number must be less than the second");
    return variable;
  }
  variable.law = RandomVariable::Law::normal;
  std::tie(variable.first, variable.second) = read_pair(*normal, "mean and standard deviation");
  if (!(variable.second >= 0.0))
    normal->refuse("has the standard deviation " + to_string(variable.second) +
                   "; it must be >= 0");
  return variable;
}

void read_spread(EnsembleEntry& entry, const DocumentNode& node) {
  if (!node.is_table()) {
    entry.spread_q = entry.spread_v = node;
    return;
  }
  TableReader table(node);
  if (const DocumentNode* q = table.find("q")) entry.spread_q = *q;
  if (const DocumentNode* v = table.find("v")) entry.spread_v = *v;
  table.finish();
  if (!entry.spread_q && !entry.spread_v)
    node.refuse("needs q or v: the standard deviations of positions and velocities");
}

/// The number of members that q and v give one by one; 0 where they do not.
std::uint64_t given_members(const StartEntry& start, TableReader& table) {
  const DocumentNode *q = table.find("q"), *v = table.find("v"), *p = table.find("p");
  if (p != nullptr && are_rows(*start.p))
    p->refuse("must be expressions for all members; members one by one are given by q and v");
  const bool rows_of_q = are_rows(start.q), rows_of_v = are_rows(start.v);
  if (rows_of_v && !rows_of_q)
    v->refuse("is a list for each member, but q is none; give both of them one by one");
  if (rows_of_v && start.v.size() != start.q.size()) {
    v->refuse("has " + std::to_string(start.v.size()) + " members, and q has " +
              std::to_string(start.q.size()));
  }
  if (start.q.size() > most_members) q->refuse("has more than 1e7 members");
  return rows_of_q ? start.q.size() : 0;
}

std::uint64_t read_size(TableReader& table, std::uint64_t given) {
  const DocumentNode* size = given > 0 ? table.find("size") : &table.require("size");
  if (size == nullptr) return given;
  const auto wanted = static_cast<std::uint64_t>(as_whole(*size, 1, most_members));
  if (given > 0 && wanted != given) {
    size->refuse("is " + std::to_string(wanted) + ", but q gives " + std::to_string(given) +
                 " members; leave it out");
  }
  return wanted;
}

/// "3/64": the part of the members that is run.
std::optional<EnsemblePart> read_part(const DocumentNode* node, std::uint64_t members) {
  if (node == nullptr) return std::nullopt;
  if (!node->is_text()) node->refuse("must be a text as \"3/64\", not " + node->found());
  try {
    return read_ensemble_part(as_text(*node), members);
  } catch (const RequestError& error) {
    node->refuse(error.what());
  }
}

/// What may stand beside what.
void check_choice(const EnsembleEntry& entry, TableReader& table, const ProblemFile& problem) {
  const DocumentNode *around = table.find("around"), *box = table.find("box"),
                     *spread = table.find("spread");
  const bool has_q = entry.start && !entry.start->q.empty();
  if ((around != nullptr) + (box != nullptr) + has_q > 1) {
    table.node().refuse("gives positions twice; give one of q (expressions), box or around");
  }
  if (around != nullptr && spread == nullptr) {
    around->refuse("needs a spread beside it: the standard deviation of each entry of q and v");
  }
  if (spread != nullptr && around == nullptr)
    spread->refuse("belongs to around = the start to be spread");
  if (around != nullptr && entry.start)
    around->refuse("gives velocities already; leave out v and p, or give q instead of around");
  if (problem.is_skew_gradient()) {
    if (entry.energy)
      entry.energy->refuse(
          "cannot be chosen: a system in skew-gradient form has no velocities to scale; give zeta");
    if (entry.start && (!entry.start->v.empty() || entry.start->p))
      table.node().refuse(
          "gives velocities or momenta, but a system in skew-gradient form has none");
    return;
  }
  const bool has_v =
      around != nullptr || (entry.start && (!entry.start->v.empty() || entry.start->p));
  if (!has_v && !entry.energy)
    table.node().refuse("needs an energy, which fixes the speed of random velocities; or give v");
}

}  // namespace

EnsembleEntry read_ensemble(const ProblemFile& problem, const DocumentNode& node) {
  TableReader table(node);
  EnsembleEntry entry;
  entry.place = node.place;
  if (const DocumentNode* seed = table.find("seed")) {
    entry.seed =
        static_cast<std::uint64_t>(as_whole(*seed, 0, std::numeric_limits<std::int64_t>::max()));
  }
  if (const DocumentNode* attempts = table.find("attempts"))
    entry.attempts = static_cast<std::uint64_t>(as_whole(*attempts, 1, most_attempts));
  if (const DocumentNode* energy = table.find("energy")) entry.energy = *energy;
  if (const DocumentNode* box = table.find("box")) entry.box = *box;
  if (const DocumentNode* around = table.find("around"))
    entry.around = read_named_or_own_start(problem, *around);
  if (const DocumentNode* spread = table.find("spread")) read_spread(entry, *spread);
  const DocumentNode* random = table.find("random");
  if (random != nullptr) {
    if (!random->is_table()) random->refuse("must be a table, not " + random->found());
    for (const auto& [name, law] : random->table())
      entry.variables.push_back(read_variable(problem, name, law));
  }
  StartEntry start = read_start(table, "");
  entry.project = start.project;
  entry.size = read_size(table, given_members(start, table));
  entry.part = read_part(table.find("part"), entry.size);
  for (const char* key : {"lambda", "parameters", "sizes", "description", "source"}) {
    if (const DocumentNode* other = table.find(key)) other->refuse("has no place in [ensemble]");
  }
  for (const char* key : {"position", "velocity"}) {
    if (const DocumentNode* other = table.find(key))
      other->refuse("has no place in [ensemble]; give lists q and v, or around = a start");
  }
  if (!start.q.empty() || !start.v.empty() || start.p) entry.start = std::move(start);
  table.finish();
  check_choice(entry, table, problem);
  return entry;
}

}  // namespace dalembert::study
