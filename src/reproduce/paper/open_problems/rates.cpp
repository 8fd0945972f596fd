// Rates of drift on the transmission: from the modified field, from exponents of the step map, and
// measured.
#include "rates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "dalembert/document/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "rate_triples.hpp"
#include "reproduce/paper/modin_verdier_2020/transmission_integrals.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Rates below it are round-off of exponents, of runs of some ten thousand steps.
constexpr double no_rate = 2e-14;
const std::vector<double> steps{0.2, 0.1, 0.05};

using Triples = std::vector<RateTriple>;

const RateTriple& triple_of(const Triples& all, const std::string& method, std::size_t number,
                            double step) {
  for (const RateTriple& t : all)
    if (t.method == method && t.number == number && t.step == step) return t;
  throw std::logic_error("no rates of " + method);
}

bool has_case(const Triples& all, std::size_t number) {
  return std::any_of(all.begin(), all.end(),
                     [&](const RateTriple& t) { return t.number == number; });
}

std::vector<std::string> methods_of(const Triples& all) {
  std::vector<std::string> names;
  for (const RateTriple& t : all)
    if (std::find(names.begin(), names.end(), t.method) == names.end()) names.push_back(t.method);
  return names;
}

/// The rate of a mode by the exponents.
double mode_rate(const RateTriple& t, RateMode::Kind kind) {
  if (!t.exponents) return NAN;
  for (const RateMode& mode : t.exponents->modes)
    if (mode.kind == kind) return mode.rate;
  return NAN;
}
double axis_rate(const RateTriple& t) { return mode_rate(t, RateMode::Kind::axis); }
double pair_rate(const RateTriple& t) { return mode_rate(t, RateMode::Kind::pair); }

/// |measured - predicted| over the errors that both state.
double disagreement(const RateTriple& t) {
  if (!t.exponents) return NAN;
  return std::fabs(t.measured - t.from_exponents()) / (t.error + t.exponents->error() + no_rate);
}

ClaimFinding agreement(const Triples& all) {
  std::vector<Evidence> evidence;
  for (const std::string& method : methods_of(all)) {
    double worst = 0.0;
    for (const RateTriple& t : all) {
      if (t.method == method) worst = numeric::larger(worst, disagreement(t));
    }
    // An interval for 95 % is left by three times its length in one case of 1e7; the largest of the
    // 18 ratios of a method is near a half as a rule.
    evidence.push_back({"largest |measured rate - exponents'| over the errors that both state, " +
                            method + ", all cases and steps",
                        worst, 0.0, 0.0, 3.0});
  }
  return {"open-1.1", evidence};
}

/// The averages as limits of the exponents where the driver is not reversible: what is left at the
/// smallest step, and the power with which it falls.
ClaimFinding averages(const Triples& all) {
  std::vector<Evidence> evidence;
  for (const std::string& method : methods_of(all)) {
    const auto distance = [&](double step) {
      const RateTriple& t = triple_of(all, method, 5, step);
      if (!t.averaged || !t.exponents) return std::nan("");
      return t.averaged->axis_at(t.exponents->step) / axis_rate(t) - 1.0;
    };
    const RateTriple& finest = triple_of(all, method, 5, steps.back());
    if (method == "lobatto 3 turned") {  // its first term has no mean
      evidence.push_back({"|average| of the axis over h^4, rotating, epsilon = 0.5, " + method,
                          finest.averaged ? std::fabs(finest.averaged->axis) : std::nan(""), 0.0,
                          0.0, 1e-6});
      continue;
    }
    if (!finest.averaged || !(std::fabs(axis_rate(finest)) > 1e-10)) continue;
    evidence.push_back(
        {"relative distance of the average from the exponent of the axis, h = 0.05, "
         "rotating, epsilon = 0.5, " +
             method,
         std::fabs(distance(steps.back())), 0.0, 0.0, 0.05});
    evidence.push_back({"the same for h = 0.1 over that for h = 0.05, " + method,
                        distance(steps[1]) / distance(steps.back()), 0.0, 3.0, 5.5});
  }
  return {"open-1.2", evidence};
}

/// The largest rate of an axis or a pair in cases.
double largest_rate(const Triples& all, const std::string& method,
                    const std::vector<std::size_t>& cases) {
  double worst = 0.0;
  for (const RateTriple& t : all) {
    if (t.method != method || std::find(cases.begin(), cases.end(), t.number) == cases.end())
      continue;
    const double now = numeric::larger(std::fabs(axis_rate(t)), std::fabs(pair_rate(t)));
    worst = numeric::larger(worst, now);
  }
  return worst;
}

ClaimFinding zeros(const Triples& all) {
  std::vector<Evidence> evidence;
  for (const std::string& method : methods_of(all)) {
    const bool everywhere = method == "leapfrog" || method.starts_with("energy") ||
                            method.find("splitting") != std::string::npos;
    const CaseChoice& choice = everywhere ? all_cases : reversible_cases;
    evidence.push_back(
        {"largest |rate| of an axis or pair by the exponents, " + method + ", " + choice.words,
         largest_rate(all, method, choice.numbers), 0.0, 0.0, no_rate});
  }
  return {"open-1.3", evidence};
}

/// The power of h in the rate of the axis from 0.2 to 0.1, rotating, epsilon = 0.5.
double power_of_step(const Triples& all, const std::string& method) {
  const RateTriple& coarse = triple_of(all, method, 5, steps[0]);
  const RateTriple& fine = triple_of(all, method, 5, steps[1]);
  if (!coarse.exponents || !fine.exponents) return NAN;
  return std::log(axis_rate(coarse) / axis_rate(fine)) /
         std::log(coarse.exponents->step / fine.exponents->step);
}

ClaimFinding powers(const Triples& all) {
  std::vector<Evidence> evidence;
  const auto add = [&](const char* method, double least, double most) {
    evidence.push_back({std::string("power of h in the rate of the axis from h = 0.2 to 0.1, "
                                    "rotating, epsilon = 0.5, ") +
                            method,
                        power_of_step(all, method), 0.0, least, most});
  };
  for (const char* method :
       {"dla", "dla01", "newmark, beta = 0", "newmark-composition", "velocity-dla"})
    add(method, 1.7, 2.3);
  for (const char* method : {"spark", "dla01 composed", "lobatto 3", "lobatto 3 closed"})
    add(method, 3.7, 4.3);
  add("lobatto 3 turned", 5.7, 6.5);
  add("lobatto 4", 7.5, INFINITY);
  return {"open-1.4", evidence};
}

/// Conjectures, as statements about numbers at h = 0.05.
ClaimFinding conjectures(const Triples& all) {
  std::vector<Evidence> evidence;
  const auto finest = [&](const char* method, std::size_t number) -> const RateTriple& {
    return triple_of(all, method, number, steps.back());
  };
  for (const std::size_t number : not_reversible_cases.numbers) {
    if (!has_case(all, number)) continue;
    const std::string where = std::string(", ") + transmission_cases[number];
    const RateTriple& composition = finest("newmark-composition", number);
    evidence.push_back(
        {"rate of the pair over that of the axis, newmark-composition, h = 0.05" + where,
         pair_rate(composition) / axis_rate(composition), 0.0, -0.5001, -0.4999});
    for (const char* other : {"dla", "newmark, beta = 0"}) {
      const auto& a = finest(other, number).averaged;
      const auto& b = finest("dla01", number).averaged;
      const double distance = a && b ? numeric::larger(std::fabs(a->axis / b->axis - 1.0),
                                                       std::fabs(a->pair / b->pair - 1.0))
                                     : NAN;
      evidence.push_back(
          {std::string("relative distance of the averages from those of dla01, ") + other + where,
           distance, 0.0, 0.0, 1e-6});
    }
    for (const char* method : {"dla01", "spark"}) {
      const auto& a = finest(method, number).averaged;
      evidence.push_back(
          {std::string("mean trace of A_p over the mean along the axis, ") + method + where,
           a ? std::fabs((a->pair + a->axis / 2.0) / (a->axis / 2.0)) : NAN, 0.0, 0.01});
    }
  }
  return {"open-1.5", evidence};
}

std::string rate_text(double rate) {
  if (std::isnan(rate)) return "";
  return std::fabs(rate) < no_rate ? "0" : fmt::format("{:.3e}", rate);
}

/// Averaged, by exponents, measured with its error.
std::string triple_text(const RateTriple& t) {
  std::string averaged = t.averaged ? rate_text(t.from_average()) : "none";
  if (t.averaged && t.averaged->error > 0.01 * std::fabs(t.averaged->axis) && averaged != "0")
    averaged += fmt::format(" +- {:.0e}", t.averaged->error * std::pow(t.step, t.averaged->power));
  return fmt::format("{}; {}; {} +- {:.0e}", averaged, rate_text(t.from_exponents()),
                     rate_text(t.measured), t.error);
}

ResultTable triple_table(const Triples& all, std::size_t number) {
  ResultTable table{std::string("Rate d log E/dt of the passenger energy at the start, ") +
                    transmission_cases[number] +
                    ": by the average; by the exponents; measured (0: below 2e-14)"};
  table.head = {"method"};
  for (const double step : steps) table.head.push_back(fmt::format("h = {}", step));
  for (const std::string& method : methods_of(all)) {
    table.rows.push_back({method});
    for (const double step : steps)
      table.rows.back().push_back(triple_text(triple_of(all, method, number, step)));
  }
  return table;
}

/// |rate| against h: the axis by exponents as marks on lines, the average as a dashed line.
Picture rate_picture(const Triples& all) {
  Picture picture{"Rate of drift of the passenger energy along the axis, rotating driver"};
  for (const std::size_t number : not_reversible_cases.numbers) {
    if (!has_case(all, number)) continue;
    PicturePanel panel{.title = transmission_cases[number], .column = number - 4};
    panel.x = {"step size h", true, std::pair(0.045, 0.225)};
    panel.y = {"|d log E/dt|", true, std::pair(1e-14, 1e-1)};
    for (const std::string& method : methods_of(all)) {
      Curve exponents, average;
      for (const double step : steps) {
        const RateTriple& t = triple_of(all, method, number, step);
        if (!(std::fabs(axis_rate(t)) > no_rate)) continue;
        exponents.t.push_back(t.exponents->step);
        exponents.values.push_back(std::fabs(axis_rate(t)));
        if (!t.averaged || std::fabs(t.averaged->axis) < 1e-6) continue;
        average.t.push_back(t.exponents->step);
        average.values.push_back(std::fabs(t.averaged->axis_at(t.exponents->step)));
      }
      if (exponents.t.empty()) continue;
      panel.curves.push_back({picture.entry(method), exponents, CurveStyle::marked});
      if (!average.t.empty())
        panel.curves.push_back({picture.entry("average, h^p", true), average});
    }
    picture.panels.push_back(std::move(panel));
  }
  picture.notes.emplace_back("methods that are not shown have no rate above 2e-14");
  return picture;
}

}  // namespace

ExperimentOutcome open_problems_rates(const ReproductionEffort& effort) {
  std::vector<RunPlan> plans = plan_runs(read_study_file(find_study("open-problems/rates")));
  if (effort.quick) {
    const auto other = [](const RunPlan& plan) {
      return plan.label.find("0.5") == std::string::npos;
    };
    plans.erase(std::remove_if(plans.begin(), plans.end(), other), plans.end());
  }
  const Triples all = rate_triples(plans, steps, effort);
  ExperimentOutcome outcome{
      {rate_picture(all)},
      {agreement(all), averages(all), zeros(all), powers(all), conjectures(all)}};
  for (std::size_t k = transmission_cases.size(); k-- > 0;)
    if (has_case(all, k)) outcome.tables.push_back(triple_table(all, k));
  return outcome;
}

}  // namespace dalembert::reproduce
