#include "dalembert/study/choice/method_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "dalembert/audit/fibration.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/study/method_text.hpp"
#include "step_search.hpp"

namespace dalembert::study {
namespace {

/// Nanoseconds that it takes to plan an instruction of a step, measured on the problems of the
/// library; and by how much more Newton's iteration on so many stages takes than the explicit step
/// of order eight.
constexpr double planning_of_line = 1900.0, planning_of_stage = 4.0;

class MethodSearch {
 public:
  MethodSearch(const System& system, const AskedRun& run)
      : system_(system), run_(run), until_(run.until) {}

  std::vector<TriedMethod> found() {
    try_all();
    if (const double longest = longest_kept(); longest < until_) {
      // A motion that forgets its start: they are compared as far as the tolerance can be kept.
      until_ = 0.5 * longest;
      tried_.clear();
      spent_ = 0.0;
      try_all();
    }
    std::ranges::stable_sort(tried_, {}, [](const TriedMethod& tried) {
      return std::pair(!keeps(tried), tried.steps.cost);
    });
    return std::move(tried_);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static bool keeps(const TriedMethod& tried) { return tried.steps.kept_until == infinity; }

  /// How long the tolerance can be kept, as far as that was looked at: infinite unless somebody saw
  /// its end, and nobody kept it to that of the run.
  double longest_kept() const {
    double longest = 0.0;
    for (const TriedMethod& tried : tried_) {
      if (keeps(tried) && tried.steps.looked_until >= until_) return infinity;
      if (!keeps(tried)) longest = numeric::larger(longest, tried.steps.kept_until);
    }
    return longest > 0.0 ? longest : infinity;
  }

  void try_all() {
    try_order_eight();
    try_others();
  }

  void try_order_eight() {
    const std::string projection = "projection=velocity";
    auto program =
        system_.nonholonomic_count() > 0 ? planned("dop853(" + projection + ")") : nullptr;
    const bool is_projected = program != nullptr;
    if (!is_projected) program = planned("dop853");
    if (program == nullptr) return;
    if (explicit_planning_ == 0.0) explicit_planning_ = spent_;
    attempt(is_projected ? "dop853(" + projection + ")" : "dop853", program, true);
    attempt(is_projected ? "dop853(tolerance=0," + projection + ")" : "dop853(tolerance=0)",
            program, false);
  }

  void try_others() {
    constexpr double tight = 1e-7;
    attempt_projected("runge-kutta-4", "");
    if (is_coupled()) attempt("compose(base=driver-splitting,scheme=kahan-li-8)");
    const bool is_tight = run_.tolerance < tight;
    for (const int stages : is_tight ? std::array{8, 6, 4} : std::array{4, 6, 8}) {
      // On groups a step is Newton's on all stages, whose plan takes longer than many runs.
      if (system_.traits().has_groups && !outlasts_planning(stages)) continue;
      attempt_projected("gauss", "stages=" + std::to_string(stages));
    }
    if (outlasts_planning(5)) attempt("radau-iia(stages=5)", StepSolver::newton);
  }

  /// With the constraints on velocities kept to round-off, where there are some and that fits.
  void attempt_projected(const std::string& method, const std::string& options) {
    const std::string projection = "projection=velocity";
    const bool projects = system_.nonholonomic_count() > 0;
    if (projects &&
        attempt(method + "(" + options + (options.empty() ? "" : ",") + projection + ")"))
      return;
    attempt(options.empty() ? method : method + "(" + options + ")");
  }

  bool is_coupled() const {
    return !system_.is_skew_gradient() && find_coupling(system_).has_value();
  }
  /// Whether the run takes ten times as long with the best method so far as it takes to plan
  /// Newton's iteration on so many stages.
  bool outlasts_planning(int stages) const {
    constexpr double worth = 10.0;
    return worth * planning_of_stage * stages * explicit_planning_ < best_cost() * until_;
  }
  /// Of any that was tried, also where it does not keep the tolerance.
  double least_cost() const {
    double least = infinity;
    for (const TriedMethod& tried : tried_) least = numeric::smaller(least, tried.steps.cost);
    return least;
  }
  double best_cost() const {
    double best = infinity;
    for (const TriedMethod& tried : tried_)
      if (keeps(tried)) best = numeric::smaller(best, tried.steps.cost);
    return best;
  }
  /// Whether more candidates would cost more than a choice may.
  bool is_spent() const {
    return best_cost() < infinity &&
           spent_ > numeric::larger(method_search, 0.1 * run_.until * best_cost());
  }

  /// Nothing where the method does not fit, or asks for more than the limits allow.
  std::shared_ptr<const StepProgram> planned(const std::string& name,
                                             StepSolver solver = StepSolver::sweeps) {
    const Method method = make_method(parse_method(name));
    if (method.misfit(system_) || event_misfit(method, system_, run_.events)) return nullptr;
    const NodeBudget budget(system_.symbols().t.graph()->size());
    try {
      auto program = StepProgram::compile(
          system_, method,
          {.solver = solver, .also_watched = watched_events(system_, run_.events)});
      std::size_t lines = program->tape().code.size();
      for (const TapeStages& stages : program->tape().stages) lines += stages.rates->code.size();
      spent_ += planning_of_line * static_cast<double>(lines);
      return program;
    } catch (const RequestError&) {
      return nullptr;
    }
  }

  void attempt(const std::string& name, const std::shared_ptr<const StepProgram>& program,
               bool divides) {
    constexpr double candidates = 8.0, too_slow = 4.0;
    Trial trial(program, run_.start, run_.parameters, run_.events, divides);
    const auto steps = search_step(trial, until_, run_.tolerance, method_search / candidates,
                                   too_slow * least_cost());
    spent_ += trial.spent();
    if (steps) tried_.push_back({name, *steps});
  }
  /// False where the method does not fit.
  bool attempt(const std::string& name, StepSolver solver = StepSolver::sweeps) {
    if (is_spent()) return true;
    const auto program = planned(name, solver);
    if (program == nullptr) return false;
    attempt(name, program, false);
    return true;
  }

  const System& system_;
  const AskedRun& run_;
  double until_;
  std::vector<TriedMethod> tried_;
  double explicit_planning_ = 0.0, spent_ = 0.0;  ///< counted, as costs are
};

/// In two digits.
std::string microseconds(double cost) {
  const double value = cost / 1000.0;
  return value < 10.0 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

std::vector<TriedMethod> search_methods(const System& system, const AskedRun& run) {
  return MethodSearch(system, run).found();
}

std::string reason_of(const std::vector<TriedMethod>& tried) {
  std::string text = "about " + microseconds(tried.front().steps.cost) +
                     " us per unit of time, counted in instructions";
  std::string others;
  constexpr std::size_t most = 3;
  for (std::size_t i = 1; i < tried.size() && i < most; ++i)
    others += (i == 1 ? "; " : ", ") + tried[i].method + " " + microseconds(tried[i].steps.cost);
  return text + others;
}

}  // namespace dalembert::study
