#include "dalembert/report/linearisation/linearisation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/version.hpp"
#include "report/text_table.hpp"

namespace dalembert::study {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string comma_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

/// Entries that are no more than round-off beside the largest count as zero.
std::string state_text(const LinearisedProblem& result, const Linearisation& motion) {
  std::vector<double> values = motion.q;
  values.insert(values.end(), motion.v.begin(), motion.v.end());
  double largest = 1.0;
  for (const double value : values) largest = numeric::larger(largest, std::fabs(value));
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::fabs(values[i]) > 1e-12 * largest)
      entries.push_back(fmt::format("{} = {:.6g}", result.columns[i], values[i]));
  if (entries.empty()) return "all zero";
  return comma_list(entries) + (entries.size() < values.size() ? "; all else 0" : "");
}

/// The states that a mode moves most, with their sizes.
std::string shape_text(const Linearisation& motion, const LinearMode& mode) {
  std::vector<std::pair<double, std::string>> parts;
  for (std::size_t i = 0; i < mode.shape.size(); ++i)
    if (std::abs(mode.shape[i]) > 0.05)
      parts.emplace_back(std::abs(mode.shape[i]), motion.states[i]);
  std::ranges::stable_sort(parts, std::ranges::greater{}, &std::pair<double, std::string>::first);
  std::vector<std::string> words;
  for (const auto& [size, name] : parts)
    words.push_back(size > 0.995 ? name : fmt::format("{:.2g} {}", size, name));
  return comma_list(words);
}

/// Time in which it doubles or halves.
std::string pace_text(double growth) {
  if (growth == 0.0) return "";
  return fmt::format("{} in {:.4g}", growth > 0.0 ? "doubles" : "halves",
                     std::numbers::ln2 / std::fabs(growth));
}

std::string conclusion(const Linearisation& motion) {
  const std::size_t others = motion.neutral - motion.family;
  const std::string drifting = others == 0 ? ""
                                           : fmt::format("; {} neutral mode{} to no steady motion",
                                                         others, others == 1 ? " leads" : "s lead");
  switch (motion.stability) {
    case Stability::unstable:
      return "unstable: the fastest mode " + pace_text(motion.growth());
    case Stability::undecided:
      if (!motion.one_sided.empty()) return "undecided: " + motion.one_sided;
      return "undecided: no mode grows, and not all decay; terms of higher order decide" + drifting;
    case Stability::stable:
      break;
  }
  if (motion.family == motion.modes.size()) return "stable: all motions nearby are steady";
  if (motion.family == 0) return "stable: every mode decays";
  return fmt::format("stable: every mode decays but {} that lead{} to other steady motions nearby",
                     motion.family, motion.family == 1 ? "s" : "");
}

std::string modes_table(const Linearisation& motion, std::size_t width) {
  double size = 0.0;
  for (const double entry : motion.matrix) size = numeric::hypot(size, entry);
  // Round-off, at most its root where roots are double: no pace and no period.
  const double tiny = 1e-12 * size, small = 1e-7 * size;
  std::vector<std::vector<std::string>> rows{{"real part", "imaginary", "pace", "period", "mode"}};
  for (const LinearMode& mode : motion.modes) {
    const double real = mode.value.real(), imaginary = mode.value.imag();
    if (imaginary < 0.0) continue;
    rows.push_back(
        {std::fabs(real) < tiny ? "0" : fmt::format("{:.12g}", real),
         imaginary == 0.0 ? "0" : fmt::format("+-{:.12g}", imaginary),
         std::fabs(real) < small ? "" : pace_text(real),
         imaginary < small ? "" : fmt::format("{:.4g}", 2.0 * std::numbers::pi / imaginary),
         shape_text(motion, mode)});
  }
  return aligned_within(width, rows, 0);
}

std::string one_motion(const LinearisedProblem& result, std::size_t width) {
  const Linearisation& motion = result.motions.front();
  std::string text =
      result.problem + (result.start.empty() ? "" : ", " + result.start) +
      (motion.distance > 1e-6
           ? fmt::format(": a steady motion {:.3g} away from the start\n", motion.distance)
           : ": a steady motion\n");
  const auto line = [&](const char* name, const std::string& what) {
    text += fmt::format("  {:<12}{}\n", name, what);
  };
  line("motion", state_text(result, motion));
  line("symmetries", comma_list(motion.symmetries));
  if (motion.moves_along != "0") line("moves along", motion.moves_along);
  line("states", comma_list(motion.states));
  return text + modes_table(motion, width) + conclusion(motion) + "\n";
}

std::string change_text(const LinearisedProblem& result, const StabilityChange& change) {
  const std::string root = change.root.imag() == 0.0
                               ? "a root at 0"
                               : fmt::format("roots at +-{:.6g} i", change.root.imag());
  return fmt::format(
      "{} = {:.12g}: {} below, {} above, {}", result.varied, change.value,
      stability_word(result.values.front() < result.values.back() ? change.below : change.above),
      stability_word(result.values.front() < result.values.back() ? change.above : change.below),
      root);
}

std::string many_motions(const LinearisedProblem& result, std::size_t width) {
  std::vector<std::vector<std::string>> rows{
      {result.varied, "largest real part", "imaginary", "stability"}};
  for (std::size_t i = 0; i < result.motions.size(); ++i) {
    const Linearisation& motion = result.motions[i];
    rows.push_back({fmt::format("{:g}", result.values[i])});
    if (!motion.ok()) {
      rows.back().insert(rows.back().end(), {"-", "-", "no steady motion"});
      continue;
    }
    const auto leading = std::ranges::find_if(
        motion.modes, [](const LinearMode& mode) { return mode.value != 0.0; });
    const bool has_mode = leading != motion.modes.end();
    rows.back().insert(rows.back().end(),
                       {has_mode ? fmt::format("{:.6g}", leading->value.real()) : "-",
                        has_mode ? fmt::format("{:.6g}", std::fabs(leading->value.imag())) : "-",
                        stability_word(motion.stability)});
  }
  std::string text = fmt::format("{}{}: steady motions along {}\n", result.problem,
                                 result.start.empty() ? "" : ", " + result.start, result.varied) +
                     aligned_within(width, rows, 0);
  for (const StabilityChange& change : result.changes) text += change_text(result, change) + "\n";
  return text;
}

OrderedJson rows_json(const std::vector<double>& values, std::size_t columns) {
  OrderedJson rows = OrderedJson::array();
  for (std::size_t i = 0; columns > 0 && i < values.size(); i += columns)
    rows.push_back(std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(i),
                                       values.begin() + static_cast<std::ptrdiff_t>(i + columns)));
  return rows;
}

OrderedJson motion_json(const Linearisation& motion) {
  OrderedJson result{{"status", motion.ok() ? "ok" : "failed"},
                     {"message", motion.ok() ? motion.one_sided : motion.message}};
  result["residual"] = motion.residual;
  if (!motion.ok()) return result;
  OrderedJson modes = OrderedJson::array();
  for (const LinearMode& mode : motion.modes) {
    OrderedJson shape = OrderedJson::array();
    for (const std::complex<double>& entry : mode.shape)
      shape.push_back({entry.real(), entry.imag()});
    modes.push_back(
        {{"real", mode.value.real()}, {"imaginary", mode.value.imag()}, {"shape", shape}});
  }
  result.update({{"distance", motion.distance},
                 {"q", motion.q},
                 {"v", motion.v},
                 {"lambda", motion.lambda},
                 {"symmetries", motion.symmetries},
                 {"moves_along", motion.moves_along},
                 {"states", motion.states},
                 {"held", motion.held},
                 {"dependent", motion.dependent},
                 {"dependence", rows_json(motion.dependence, motion.states.size())},
                 {"matrix", rows_json(motion.matrix, motion.states.size())},
                 {"modes", modes},
                 {"neutral", motion.neutral},
                 {"family", motion.family},
                 {"stability", stability_word(motion.stability)}});
  return result;
}

using Roots = std::vector<std::complex<double>>;

/// The roots of a motion without those that are zero in all of them, one of each pair twice.
Roots moving_roots(const Linearisation& motion, std::size_t neutral) {
  Roots roots;
  std::size_t left_out = 0;
  for (const LinearMode& mode : motion.modes)
    if (mode.value != 0.0 || left_out++ >= neutral) roots.push_back(mode.value);
  return roots;
}

/// The same roots in the order of their predecessors: each takes the nearest that is left, those
/// with the shortest way first.
Roots in_order_of(const Roots& before, Roots roots) {
  struct Way {
    double length;
    std::size_t from, to;
  };
  std::vector<Way> ways;
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t j = 0; j < roots.size(); ++j)
      ways.push_back({std::abs(before[i] - roots[j]), i, j});
  std::ranges::stable_sort(ways, {}, &Way::length);
  Roots result = before;
  std::vector<bool> has_root(before.size()), is_taken(roots.size());
  for (const Way& way : ways) {
    if (has_root[way.from] || is_taken[way.to]) continue;
    has_root[way.from] = is_taken[way.to] = true;
    result[way.from] = roots[way.to];
  }
  return result;
}

/// Stretches of values with as many roots each.
void add_branches(const LinearisedProblem& result, std::size_t neutral, Picture& picture) {
  Roots last;
  std::vector<std::size_t> open;  // the curve of each root in the first panel
  for (std::size_t k = 0; k < result.motions.size(); ++k) {
    const Linearisation& motion = result.motions[k];
    const Roots found = motion.ok() ? moving_roots(motion, neutral) : Roots{};
    const bool goes_on = !found.empty() && found.size() == last.size();
    last = goes_on ? in_order_of(last, found) : found;
    if (!goes_on) {
      open.clear();
      for (std::size_t i = 0; i < last.size(); ++i) {
        open.push_back(picture.panels[0].curves.size());
        const std::size_t entry = picture.entry("root " + std::to_string(i + 1));
        for (PicturePanel& panel : picture.panels)
          panel.curves.push_back({entry, {}, CurveStyle::path});
      }
    }
    for (std::size_t i = 0; i < last.size(); ++i) {
      Curve &real = picture.panels[0].curves[open[i]].curve,
            &imaginary = picture.panels[1].curves[open[i]].curve;
      real.t.push_back(result.values[k]);
      real.values.push_back(last[i].real());
      imaginary.t.push_back(result.values[k]);
      imaginary.values.push_back(std::fabs(last[i].imag()));
    }
  }
}

}  // namespace

std::string linearisation_table(const LinearisedProblem& result, std::size_t width) {
  if (!result.varied.empty()) return many_motions(result, width);
  return result.motions.empty() || !result.motions.front().ok() ? "" : one_motion(result, width);
}

std::string linearisation_json(const LinearisedProblem& result) {
  OrderedJson motions = OrderedJson::array();
  for (std::size_t i = 0; i < result.motions.size(); ++i) {
    OrderedJson motion;
    if (!result.varied.empty()) motion["value"] = result.values[i];
    motion.update(motion_json(result.motions[i]));
    motions.push_back(std::move(motion));
  }
  OrderedJson changes = OrderedJson::array();
  for (const StabilityChange& change : result.changes)
    changes.push_back({{"value", change.value},
                       {"before", stability_word(change.below)},
                       {"after", stability_word(change.above)},
                       {"imaginary", change.root.imag()}});
  return OrderedJson{{"dalembert", version()},     {"problem", result.problem},
                     {"start", result.start},      {"columns", result.columns},
                     {"parameter", result.varied}, {"motions", motions},
                     {"changes", changes}}
             .dump(2) +
         "\n";
}

std::string linearisation_csv(const LinearisedProblem& result) {
  const bool is_varied = !result.varied.empty();
  std::string text =
      (is_varied ? csv_cell(result.varied) + "," : "") + "real,imaginary,stability\n";
  for (std::size_t i = 0; i < result.motions.size(); ++i)
    for (const LinearMode& mode : result.motions[i].modes)
      text += (is_varied ? to_string(result.values[i]) + "," : "") + to_string(mode.value.real()) +
              "," + to_string(mode.value.imag()) + "," +
              stability_word(result.motions[i].stability) + "\n";
  return text;
}

Picture linearisation_picture(const LinearisedProblem& result) {
  Picture picture{result.problem + (result.start.empty() ? "" : ", " + result.start)};
  if (result.varied.empty()) {
    PicturePanel panel{
        .title = "roots of the steady motion", .x = {"real part"}, .y = {"imaginary part"}};
    Curve roots;
    for (const Linearisation& motion : result.motions) {
      for (const LinearMode& mode : motion.modes) {
        roots.t.push_back(mode.value.real());
        roots.values.push_back(mode.value.imag());
      }
    }
    panel.curves.push_back({picture.entry("roots"), std::move(roots), CurveStyle::points});
    picture.panels.push_back(std::move(panel));
    return picture;
  }
  picture.panels.push_back(
      {.title = "real parts of the roots", .row = 0, .x = {result.varied}, .y = {"real part"}});
  picture.panels.push_back(
      {.title = "imaginary parts", .row = 1, .x = {result.varied}, .y = {"imaginary part"}});
  std::size_t neutral = static_cast<std::size_t>(-1);
  for (const Linearisation& motion : result.motions)
    if (motion.ok()) neutral = std::min<std::size_t>(neutral, motion.neutral);
  add_branches(result, neutral, picture);
  Curve axis{{result.values.front(), result.values.back()}, {0.0, 0.0}};
  if (!result.values.empty())
    picture.panels[0].curves.push_back(
        {picture.entry("0", true), std::move(axis), CurveStyle::path});
  for (const StabilityChange& change : result.changes)
    picture.notes.push_back(change_text(result, change));
  return picture;
}

}  // namespace dalembert::study
