// What --method auto takes for a tolerance, on every problem and start of the library: method,
// step, estimated and true error, and its time beside that of the other candidates; with --rivals
// also beside that of other methods, which takes a quarter of an hour. A table; with the name of a
// problem that of it alone.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study/choice/method_search.hpp"
#include "dalembert/study/method_text.hpp"

namespace {

using namespace dalembert;
using namespace dalembert::study;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// States in the middle of a run and at its end, one after the other; empty where it fails.
struct Motion {
  std::vector<double> states;
  double seconds = 0.0;
};

Motion motion(const std::shared_ptr<const StepProgram>& program, const AskedRun& run, double step,
              std::uint64_t halves, double tolerance) {
  Stepper stepper(program, step, run.parameters);
  if (tolerance > 0.0) stepper.set_tolerance(tolerance);
  Evaluator evaluator(program->system(), run.parameters);
  Point point = start_point(stepper, evaluator, run.start.q, run.start.v);
  Motion result;
  std::vector<double> q;
  const double begin = thread_seconds();
  for (std::uint64_t done : {std::uint64_t{0}, halves}) {
    const RunReport report =
        integrate(stepper, evaluator, point, {.first_step = done, .steps = halves}, {});
    if (report.status != RunReport::Status::ok) return {};
    unwrap_positions(point, q);
    result.states.insert(result.states.end(), q.begin(), q.end());
    result.states.insert(result.states.end(), point.v.begin(), point.v.end());
  }
  result.seconds = thread_seconds() - begin;
  return result;
}

double error(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = numeric::larger(largest, std::fabs(a[i] - b[i]) / (1.0 + std::fabs(b[i])));
  return largest;
}

/// The motion at half a time and at the time, by a method of order 16, or of order 8 on groups,
/// in steps that are halved until two agree; how far they do.
struct Reference {
  std::vector<double> states;
  double known = std::numeric_limits<double>::infinity();
};
Reference reference(const std::shared_ptr<const StepProgram>& program, const AskedRun& run,
                    double until, double wanted) {
  Reference best;
  std::vector<double> before;
  const double begin = thread_seconds();
  for (std::uint64_t halves = 64; thread_seconds() - begin < 4.0; halves *= 2) {
    const double step = until / (2.0 * static_cast<double>(halves));
    const std::vector<double> now = motion(program, run, step, halves, 0.0).states;
    const double known = error(before, now);
    if (known < best.known) best = {now, known};
    if (best.known < wanted) break;
    before = now;
  }
  return best;
}

/// Methods beside the candidates of auto that are the fastest of the library on some motion.
constexpr const char* rivals[] = {"dop853(tolerance=0)",
                                  "dop853(tolerance=0,coordinates=quasi-velocity)",
                                  "gauss(stages=6,coordinates=quasi-velocity)",
                                  "gauss(stages=8)",
                                  "gauss(stages=12,projection=velocity)",
                                  "lobatto(stages=5)",
                                  "leapfrog",
                                  "frame-splitting",
                                  "compose(base=driver-splitting,scheme=suzuki-4)",
                                  "radau-iia(stages=5)"};
/// Those of low order take longer than anybody waits for the tighter tolerances.
bool is_hopeless(const Method& method, double tolerance) {
  return method.facts().order < 4 && tolerance < 1e-6;
}

/// What a run takes, and where it ends; microseconds per unit of time.
struct Timed {
  double cost = std::numeric_limits<double>::infinity();
  double until = 0.0;
  std::vector<double> states;
};

Timed timed(const System& system, const AskedRun& run, const TriedMethod& tried) {
  const auto program = StepProgram::compile(system, make_method(parse_method(tried.method)));
  const auto halves = static_cast<std::uint64_t>(
      numeric::larger(1.0, std::floor(run.until / tried.steps.step / 2.0)));
  Timed found;
  found.until = 2.0 * static_cast<double>(halves) * tried.steps.step;
  for (int i = 0; i < 3; ++i) {
    Motion moved = motion(program, run, tried.steps.step, halves, tried.steps.tolerance);
    if (moved.states.empty()) break;
    found.cost = numeric::smaller(found.cost, 1e6 * moved.seconds / found.until);
    found.states = std::move(moved.states);
  }
  return found;
}

/// The steps of a method that keep the tolerance; nothing where it does not fit or does not.
std::optional<TriedMethod> with_steps(const System& system, const AskedRun& run,
                                      const std::string& name) {
  const Method method = make_method(parse_method(name));
  if (method.misfit(system) || is_hopeless(method, run.tolerance)) return std::nullopt;
  // Of large systems a plan may take minutes.
  const NodeBudget budget(system.symbols().t.graph()->size());
  try {
    TriedMethod found{name, choose_step(StepProgram::compile(system, method), run.start,
                                        run.parameters, run.events, run.until, run.tolerance)};
    if (std::isinf(found.steps.kept_until)) return found;
  } catch (const Error&) {  // beyond the limits, or nothing that keeps the tolerance
  }
  return std::nullopt;
}

std::string steps_text(const StepChoice& steps) {
  char text[64];
  if (steps.tolerance > 0.0)
    std::snprintf(text, sizeof text, "%g, own tolerance %.0e", steps.step, steps.tolerance);
  else
    std::snprintf(text, sizeof text, "%g", steps.step);
  return text;
}

void print_rows(const ProblemFile& problem, const StartEntry& entry, bool with_rivals) {
  const Sizes sizes = complete_sizes(problem, entry.sizes);
  const System system = make_system(problem, sizes);
  AskedRun run;
  run.parameters = start_parameters(problem, entry);
  run.start = prepare_start(system, evaluate_start(problem, entry, system, sizes, run.parameters),
                            run.parameters);
  const bool is_fast = entry.name == "high" || entry.name == "reversing";
  run.until = is_fast ? 10.0 : 20.0;
  const auto exact = StepProgram::compile(
      system,
      make_method(
          parse_method(system.traits().has_groups ? "dop853(tolerance=0)" : "gauss(stages=8)")),
      {.compensated = true, .solver = StepSolver::sweeps});
  for (const double tolerance : {1e-4, 1e-8, 1e-11}) {
    run.tolerance = tolerance;
    const double begin = thread_seconds();
    std::vector<TriedMethod> tried = search_methods(system, run);
    const double search = thread_seconds() - begin;
    if (tried.empty()) {
      std::printf("| %s %s | %.0e | none |\n", problem.name.c_str(), entry.name.c_str(), tolerance);
      continue;
    }
    TriedMethod taken = tried.front();
    taken.steps = choose_step(StepProgram::compile(system, make_method(parse_method(taken.method))),
                              run.start, run.parameters, run.events, run.until, run.tolerance);
    const Timed own = timed(system, run, taken);
    double best = own.cost;
    std::string fastest = "itself";
    const auto consider = [&](const TriedMethod& other) {
      const Timed found = timed(system, run, other);
      if (!(found.cost < best)) return;
      best = found.cost;
      fastest = other.method;
    };
    // With steps for the whole run, as the method that is taken; candidates are compared on a part.
    for (const TriedMethod& other : tried) {
      if (&other == &tried.front()) continue;
      if (const auto rival = with_steps(system, run, other.method)) consider(*rival);
    }
    for (const char* name : rivals) {
      if (!with_rivals) break;
      if (const auto rival = with_steps(system, run, name)) consider(*rival);
    }
    const Reference known = reference(exact, run, own.until, tolerance / 100.0);
    const bool is_kept = std::isinf(taken.steps.kept_until);
    std::printf("| %s %s | %.0e | %s | %s | %.1e%s | %.1e%s | %.2g | %.1f | %s | %.2f | %.0f |\n",
                problem.name.c_str(), entry.name.c_str(), tolerance, taken.method.c_str(),
                steps_text(taken.steps).c_str(), taken.steps.error, is_kept ? "" : " (not kept)",
                error(own.states, known.states), known.known > tolerance ? "?" : "", own.cost,
                own.cost / best, fastest.c_str(), taken.steps.cost / 1000.0 / own.cost,
                1000.0 * search);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  limits().nodes = 300'000;
  const bool with_rivals = count > 1 && std::strcmp(words[1], "--rivals") == 0;
  const int first_name = with_rivals ? 2 : 1;
  std::printf(
      "| motion | tolerance | method | step | estimated error | true error | us per unit of time | "
      "times the fastest | which is | counted / measured | search, ms |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string& name : problem_names()) {
    if (count > first_name && name != words[first_name]) continue;
    const ProblemFile problem = read_problem_file(find_problem(name));
    for (const StartEntry& start : problem.starts) {
      try {
        print_rows(problem, start, with_rivals);
      } catch (const Error& error) {
        std::printf("| %s %s | %s |\n", name.c_str(), start.name.c_str(), error.what());
      }
    }
  }
}
