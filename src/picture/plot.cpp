#include "dalembert/picture/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "path.hpp"

namespace dalembert::study {
namespace {

constexpr double round_off = std::numeric_limits<double>::epsilon() / 2.0;
constexpr std::size_t points_per_picture = 40000;
constexpr double largest_shown = 1e20;  // beyond it a run has exploded
constexpr std::size_t stretches =
    400;  // of an error curve with many more points, of which the largest are shown

/// One row of panels: a quantity and how it is shown.
struct Shown {
  std::string name;
  bool error = false;       ///< absolute value of an error, on a logarithmic scale
  bool difference = false;  ///< of the difference from the start
};

Shown shown_quantity(const std::string& name, const PlotRequest& request) {
  if (name == "constraint") return {name, true, false};
  const bool error = request.error.value_or(request.quantities.empty());
  return {name, error, error};
}

std::vector<Shown> shown_quantities(const PlotRequest& request) {
  if (request.quantities.empty() && request.paths.empty())
    return {shown_quantity("energy", request)};
  std::vector<Shown> rows;
  for (const std::string& name : request.quantities) rows.push_back(shown_quantity(name, request));
  return rows;
}

std::string plain(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string axis_label(const Shown& shown, double mean) {
  std::string text = shown.error ? plain(shown.name) : shown.name;
  if (shown.difference) text += " error";
  if (mean > 0.0) text = "mean " + text;
  if (shown.error) text = "|" + text + "|";
  return text;
}

Curve curve_of(const RunPlan& plan, const RunResult& result, const Shown& shown, double mean,
               bool& floored) {
  const std::size_t width = plan.columns.width();
  const auto& names = plan.columns.names;
  const auto column =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), shown.name) - names.begin());
  Curve curve;
  for (std::size_t row = 0; row + width <= result.records.size(); row += width) {
    const double value =
        result.records[row + column] - (shown.difference ? result.records[column] : 0.0);
    if (!(std::fabs(value) <= largest_shown)) continue;
    curve.t.push_back(result.records[row]);
    curve.values.push_back(value);
  }
  curve = running_mean(curve, mean);
  if (!shown.error) return curve;
  for (double& value : curve.values) {
    value = std::fabs(value);
    if (value < round_off) {
      value = round_off;
      floored = true;
    }
  }
  return curve;
}

/// The least value of a curve on a logarithmic scale, but for the lowest hundredth: the dips where
/// an error changes sign.
double low_end(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 100);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The range that all panels of an error share, with room around it.
std::pair<double, double> error_range(const Picture& picture, std::size_t first,
                                      std::size_t count) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (std::size_t i = first; i < first + count; ++i) {
    for (const PictureCurve& drawn : picture.panels[i].curves) {
      std::vector<double> values = drawn.curve.values;
      // An error vanishes at the start; that is no reason to show fifteen empty decades.
      if (values.size() > 2) values.erase(values.begin());
      if (values.empty()) continue;
      largest = std::max(largest, *std::max_element(values.begin(), values.end()));
      least = std::min(least, low_end(values));
    }
  }
  if (!(least <= largest)) return {round_off, 1.0};
  return {std::max(least / 3.0, round_off / 3.0), std::max(largest * 3.0, 100.0 * round_off)};
}

/// Panels side by side for one quantity, or a grid of quantities and runs.
class PictureOfRuns {
 public:
  PictureOfRuns(const PlotRequest& request, const std::vector<RunPlan>& plans,
                const std::vector<RunResult>& results)
      : request_(request), plans_(plans), results_(results), rows_(shown_quantities(request)) {
    for (const RunPlan& plan : plans) {
      if (std::find(labels_.begin(), labels_.end(), plan.label) == labels_.end())
        labels_.push_back(plan.label);
      picture_.entry(plan.method.label);
    }
  }

  Picture make() {
    for (const Shown& shown : rows_) add_quantity(shown);
    for (const PathRequest& path : request_.paths) add_path(path);
    if (floored_)
      picture_.notes.emplace_back("errors below 1.1 10^{-16} (round-off) are drawn there");
    if (envelopes_)
      picture_.notes.push_back(
          fmt::format("each point is the largest error in 1/{} of the time", stretches));
    return std::move(picture_);
  }

 private:
  /// Several quantities and several runs: a row for each quantity, a column for each run. Else the
  /// panels follow each other.
  std::size_t columns() const {
    const std::size_t kinds = rows_.size() + request_.paths.size(), count = labels_.size();
    if (kinds > 1 && (count > 1 || request_.paths.empty())) return count;
    const std::size_t panels = kinds * count;
    if (panels <= 4) return std::min<std::size_t>(panels, 2);
    return static_cast<std::size_t>(std::ceil(std::sqrt(panels)));
  }

  /// A panel for the run of that number at the next place.
  PicturePanel next_panel(std::size_t label) const {
    const std::size_t place = picture_.panels.size();
    return {.title = labels_[label], .row = place / columns(), .column = place % columns()};
  }

  void add_quantity(const Shown& shown) {
    const std::size_t count = labels_.size(), first = picture_.panels.size();
    for (std::size_t i = 0; i < count; ++i) {
      PicturePanel panel = next_panel(i);
      panel.x.label = "time t (nondimensional)";
      panel.y = {axis_label(shown, request_.running_mean), shown.error};
      add_curves(panel, shown);
      picture_.panels.push_back(std::move(panel));
    }
    if (!shown.error) return;
    const auto range = error_range(picture_, first, count);
    for (std::size_t i = first; i < first + count; ++i) picture_.panels[i].y.range = range;
  }

  void add_path(const PathRequest& path) {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      PicturePanel panel = next_panel(i);
      if (!path.title.empty()) panel.title += (panel.title.empty() ? "" : ": ") + path.title;
      panel.x.label = path.x;
      panel.y.label = path.y;
      panel.equal_scales = true;
      for (const RunPlan& plan : plans_) {
        if (plan.label != labels_[i]) continue;
        Curve curve = path_of(path, plan, results_[plan.index]);
        // Long paths pass the same places again and again; thin lines still show how.
        const CurveStyle style = curve.t.size() > 1000 ? CurveStyle::thin : CurveStyle::path;
        panel.curves.push_back({picture_.entry(plan.method.label), std::move(curve), style,
                                results_[plan.index].status == RunResult::Status::failed});
      }
      picture_.panels.push_back(std::move(panel));
    }
  }

  void add_curves(PicturePanel& panel, const Shown& shown) {
    const std::size_t budget =
        points_per_picture / std::max<std::size_t>(1, plans_.size() * rows_.size());
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (plans_[i].label != panel.title || results_[i].records.empty()) continue;
      Curve curve = curve_of(plans_[i], results_[i], shown, request_.running_mean, floored_);
      if (shown.error && request_.running_mean == 0.0 && curve.t.size() > 4 * stretches) {
        curve = upper_envelope(curve, stretches);
        envelopes_ = true;
      }
      panel.curves.push_back({picture_.entry(plans_[i].method.label),
                              thinned(curve, std::clamp<std::size_t>(budget, 100, 2000)),
                              CurveStyle::line, results_[i].status == RunResult::Status::failed});
    }
  }

  const PlotRequest& request_;
  const std::vector<RunPlan>& plans_;
  const std::vector<RunResult>& results_;
  std::vector<Shown> rows_;
  std::vector<std::string> labels_;
  Picture picture_;
  bool floored_ = false, envelopes_ = false;
};

/// Where a name stands in a crossing's t, q, v.
double part_of(const Crossing& crossing, std::size_t index) {
  if (index == 0) return crossing.t;
  return index <= crossing.q.size() ? crossing.q[index - 1]
                                    : crossing.v[index - 1 - crossing.q.size()];
}

/// A coordinate of a crossing, angles within half a turn.
double shown_part(const RunPlan& plan, const Crossing& crossing, const std::string& name) {
  const auto names = plan.columns.motion_names();
  const auto index =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  const double value = part_of(crossing, index);
  const bool is_angle = index >= 1 && index <= plan.columns.q_count &&
                        plan.system.configuration().storage()[index - 1].is_angle;
  return is_angle ? std::remainder(value, 2.0 * std::numbers::pi) : value;
}

/// A panel for each start, parameters and step; points for each method.
Picture picture_of_section(const PlotRequest& request, const std::vector<RunPlan>& plans,
                           const std::vector<RunResult>& results) {
  Picture picture;
  std::vector<std::string> labels;
  for (const RunPlan& plan : plans) {
    const auto known = std::find(labels.begin(), labels.end(), plan.label);
    const auto at = static_cast<std::size_t>(known - labels.begin());
    if (known == labels.end()) {
      labels.push_back(plan.label);
      PicturePanel panel{.title = plan.label, .row = at / 2, .column = at % 2};
      panel.x.label = request.x;
      panel.y.label = request.y;
      picture.panels.push_back(std::move(panel));
    }
    Curve points;
    for (const SectionResult& section : results[plan.index].diagnostics.sections) {
      if (section.name != request.section) continue;
      for (const Crossing& crossing : section.crossings) {
        points.t.push_back(shown_part(plan, crossing, request.x));
        points.values.push_back(shown_part(plan, crossing, request.y));
      }
    }
    picture.panels[at].curves.push_back(
        {picture.entry(plan.method.label), std::move(points), CurveStyle::points});
  }
  picture.notes.push_back("states at which the section \"" + request.section + "\" is passed");
  return picture;
}

void check_section(const PlotRequest& request, const RunPlan& plan) {
  std::vector<std::string> sections;
  for (const SectionChoice& choice : plan.sections) sections.push_back(choice.name);
  if (std::find(sections.begin(), sections.end(), request.section) == sections.end())
    throw RequestError("cannot plot the section \"" + request.section +
                       "\": the study has no diagnostic of kind \"section\" of that name" +
                       suggestion(request.section, sections));
  const auto names = plan.columns.motion_names();
  for (const std::string& name : {request.x, request.y}) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw RequestError("cannot plot \"" + name + "\" of a section" +
                         suggestion(name, {names.begin(), names.end()}));
  }
}

std::string full_title(const std::string& title, const PlotRequest& request,
                       const std::vector<RunPlan>& plans) {
  std::string text = title.empty() ? plans.front().system.name() : title;
  if (request.running_mean > 0.0)
    text += " (running mean over " + to_string(request.running_mean) + " units of time)";
  return text;
}

}  // namespace

PlotRequest shown_by(const Study& study, const std::vector<RunPlan>& plans) {
  PlotRequest request = study.plot;
  if (!request.quantities.empty() || !request.section.empty() || !request.paths.empty())
    return request;
  const auto& names = plans.front().columns.names;
  const bool moving = study.problem.conserves == "moving-energy" &&
                      std::find(names.begin(), names.end(), "moving_energy") != names.end();
  request.quantities = {moving ? "moving_energy" : "energy"};
  if (!request.error) request.error = true;
  request.paths = paths_in_space(plans.front().system.configuration());
  return request;
}

void check_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::vector<RunPlan>& plans) {
  for (const RunPlan& plan : plans) {
    if (!request.section.empty()) check_section(request, plan);
    for (const PathRequest& drawn : request.paths) check_path(drawn, plan);
    const auto& names = plan.columns.names;
    for (const std::string& name : request.quantities) {
      if (std::find(names.begin() + 1, names.end(), name) != names.end()) continue;
      throw RequestError("cannot plot the quantity \"" + name + "\" of problem \"" +
                         plan.system.name() + "\"" +
                         suggestion(name, {names.begin() + 1, names.end()}));
    }
  }
  check_picture_file(path);
}

Picture picture_of_runs(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  Picture picture = request.section.empty() ? PictureOfRuns(request, plans, results).make()
                                            : picture_of_section(request, plans, results);
  picture.title = full_title(title, request, plans);
  return picture;
}

void write_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::string& title, const std::vector<RunPlan>& plans,
                const std::vector<RunResult>& results) {
  write_picture(path, picture_of_runs(request, title, plans, results));
}

}  // namespace dalembert::study
