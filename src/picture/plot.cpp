#include "dalembert/picture/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/picture/picture_records.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "final_plot.hpp"
#include "path.hpp"
#include "quantity.hpp"
#include "run_records.hpp"
#include "section.hpp"

namespace dalembert::study {
namespace {

constexpr std::size_t points_per_picture = 40000;
constexpr std::size_t stretches =
    400;  // of an error curve with many more points, of which the largest are shown

/// Panels side by side for one quantity, or a grid of quantities and runs.
class PictureOfRuns {
 public:
  PictureOfRuns(const PlotRequest& request, const std::vector<RunPlan>& plans,
                const std::vector<RunResult>& results, const std::vector<RunRecords>& records)
      : request_(request),
        plans_(plans),
        results_(results),
        records_(records),
        rows_(shown_quantities(request)) {
    std::vector<std::string> methods, labels;
    for (const RunPlan& plan : plans) {
      if (std::ranges::count(labels, plan.label) == 0) labels.push_back(plan.label);
      if (std::ranges::count(methods, plan.method.label) == 0) methods.push_back(plan.method.label);
    }
    labels_ = request.together ? std::vector<std::string>{""} : labels;
    for (const RunPlan& plan : plans) {
      entry_labels_.push_back(plan.method.label);
      if (request.together && labels.size() > 1)
        entry_labels_.back() =
            methods.size() > 1 ? plan.method.label + ", " + plan.label : plan.label;
    }
    // Of several methods each has its hue, and its runs are shades of it.
    for (std::size_t i = 0; i < methods.size(); ++i) {
      for (std::size_t k = 0; k < plans.size(); ++k) {
        if (plans[k].method.label != methods[i]) continue;
        const std::size_t entry = picture_.entry(entry_labels_[k]);
        if (request.together && methods.size() > 1) picture_.legend[entry].group = i;
      }
    }
    if (request.together && labels.size() > 1 && methods.size() == 1)
      picture_.notes.push_back("method: " + methods.front());
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
      panel.x.label = plans_.front().columns.time_label();
      panel.y = {axis_label(shown, request_.running_mean) + unit_text(shown.name), shown.error};
      add_curves(panel, i, shown);
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
      panel.x.label = path_axis_label(path.x);
      panel.y.label = path_axis_label(path.y);
      panel.equal_scales = request_.equal.value_or(is_in_space(path, plans_.front()));
      for (std::size_t k = 0; k < plans_.size(); ++k) {
        const RunPlan& plan = plans_[k];
        if (!belongs(plan, i)) continue;
        Curve curve = path_of(path, plan, records_[plan.index].of_paths, request_);
        // Long paths pass the same places again and again; thin lines still show how.
        const CurveStyle style = curve.t.size() > 1000 ? CurveStyle::thin : CurveStyle::path;
        if (curve.t.empty()) continue;
        panel.curves.push_back({picture_.entry(entry_labels_[k]), std::move(curve), style,
                                results_[plan.index].status == RunResult::Status::failed});
      }
      picture_.panels.push_back(std::move(panel));
    }
  }

  /// " (m)" of a column whose unit is known.
  std::string unit_text(const std::string& name) const {
    return path_axis_label(name).substr(name.size());
  }

  /// With the unit of a column.
  std::string path_axis_label(const std::string& text) const {
    const RecordColumns& columns = plans_.front().columns;
    const auto found = std::ranges::find(columns.names, text);
    return found == columns.names.end()
               ? text
               : columns.name_with_unit(static_cast<std::size_t>(found - columns.names.begin()));
  }

  bool belongs(const RunPlan& plan, std::size_t label) const {
    return request_.together || plan.label == labels_[label];
  }

  void add_curves(PicturePanel& panel, std::size_t label, const Shown& shown) {
    const std::size_t budget =
        points_per_picture / std::max<std::size_t>(1, plans_.size() * rows_.size());
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (!belongs(plans_[i], label) || records_[i].of_curves.empty()) continue;
      Curve curve = quantity_curve(plans_[i], records_[i].of_curves, shown, request_, floored_);
      if (curve.t.empty()) continue;
      if (shown.error && request_.running_mean == 0.0 && curve.t.size() > 4 * stretches) {
        curve = upper_envelope(curve, stretches);
        envelopes_ = true;
      }
      panel.curves.push_back({picture_.entry(entry_labels_[i]),
                              thinned(curve, std::clamp<std::size_t>(budget, 100, 2000)),
                              CurveStyle::line, results_[i].status == RunResult::Status::failed});
    }
  }

  const PlotRequest& request_;
  const std::vector<RunPlan>& plans_;
  const std::vector<RunResult>& results_;
  const std::vector<RunRecords>& records_;
  std::vector<Shown> rows_;
  std::vector<std::string> labels_;        ///< of the panels of a quantity
  std::vector<std::string> entry_labels_;  ///< in the legend, by run
  Picture picture_;
  bool floored_ = false, envelopes_ = false;
};

/// The request with the names that columns have themselves.
PlotRequest with_own_names(PlotRequest request, const RecordColumns& columns) {
  std::vector<std::string> quantities;
  for (const std::string& name : request.quantities) {
    if (name != recomputed_multiplier) {
      quantities.push_back(columns.own_name(name));
      continue;
    }
    for (const std::string& column : columns.names)
      if (column.starts_with(name)) quantities.push_back(column);
    if (quantities.empty()) quantities.push_back(name);
  }
  request.quantities = std::move(quantities);
  for (std::string* name : {&request.final, &request.x, &request.y})
    *name = columns.own_name(*name);
  for (PathRequest& path : request.paths) {
    path.x = columns.own_name(path.x);
    path.y = columns.own_name(path.y);
  }
  return request;
}

/// A picture without a single point, because of the times that were asked for.
void check_window(const PlotRequest& request, const Picture& picture) {
  if (!request.from && !request.to) return;
  for (const PicturePanel& panel : picture.panels)
    if (!panel.curves.empty()) return;
  throw RequestError(
      "there is nothing to draw" + (request.from ? " from t = " + to_string(*request.from) : "") +
      (request.to ? " to t = " + to_string(*request.to) : "") + "; no record lies there");
}

std::string full_title(const std::string& title, const PlotRequest& request,
                       const std::vector<RunPlan>& plans) {
  std::string text = title.empty() ? plans.front().system.name() : title;
  if (request.running_mean > 0.0)
    text += " (running mean over " + to_string(request.running_mean) + " units of time)";
  return text;
}

/// As many as one picture has room for.
std::vector<std::string> first_coordinates(const RecordColumns& columns) {
  constexpr std::size_t most = 6;
  const auto first = columns.names.begin() + static_cast<std::ptrdiff_t>(columns.q_begin());
  return {first, first + static_cast<std::ptrdiff_t>(std::min(columns.q_count, most))};
}

/// The picture with its panels and its legend, as far as they are known before anything is
/// computed.
Picture picture_before_runs(const PlotRequest& request, const std::string& title,
                            const std::vector<RunPlan>& plans) {
  const std::vector<RunResult> none(plans.size());
  const std::vector<RunRecords> nothing(plans.size());
  Picture picture = !request.final.empty() ? empty_picture_of_finals(request, plans)
                    : !request.section.empty()
                        ? picture_of_section(request, plans, none)
                        : PictureOfRuns(request, plans, none, nothing).make();
  picture.title = full_title(title, request, plans);
  picture.look = request.look;
  return picture;
}

}  // namespace

PlotRequest shown_by(const Study& study, const std::vector<RunPlan>& plans) {
  PlotRequest request = study.plot;
  if (request.names_something()) return request;
  const auto& names = plans.front().columns.names;
  const bool moving = study.problem.conserves == "moving-energy" &&
                      std::find(names.begin(), names.end(), "moving_energy") != names.end();
  const Configuration& configuration = plans.front().system.configuration();
  if (moving || is_energy_meant_to_stay(study, plans.front())) {
    request.quantities = {moving ? "moving_energy" : "energy"};
    if (!request.error && !request.change) request.error = true;
    if (!configuration.is_flat()) request.paths = paths_in_space(configuration);
    return request;
  }
  request.paths = paths_in_space(configuration);
  if (request.paths.empty()) request.quantities = first_coordinates(plans.front().columns);
  return request;
}

void check_plot(const std::filesystem::path& path, const PlotRequest& wanted,
                const std::vector<RunPlan>& plans, const std::string& title) {
  const PlotRequest request = with_own_names(wanted, plans.front().columns);
  if (!request.histograms.empty())
    throw RequestError(
        "a histogram shows the members of an ensemble; this is a study of single runs");
  if (!request.final.empty()) check_final(request, plans);
  for (const RunPlan& plan : plans) {
    if (!request.section.empty()) check_section(request, plan);
    for (const PathRequest& drawn : request.paths) check_path(drawn, plan);
    const auto& names = plan.columns.names;
    for (const std::string& name : request.quantities) {
      if (std::find(names.begin() + 1, names.end(), name) != names.end()) continue;
      if (name.starts_with(recomputed_multiplier) && plan.quantities.empty())
        throw RequestError(
            "cannot plot the quantity \"" + name +
            "\", which was not recorded; run with --quantity lambda_recomputed, or with "
            "[[diagnostic]] kind = \"recomputed-multiplier\" in the study");
      throw RequestError("cannot plot the quantity \"" + name + "\" of problem \"" +
                         plan.system.name() + "\"" +
                         suggestion(name, {names.begin() + 1, names.end()}));
    }
  }
  check_look(picture_before_runs(request, title, plans));
  check_picture_file(path);
}

namespace {

Picture picture_from(const PlotRequest& wanted, const std::string& title,
                     const std::vector<RunPlan>& plans, const std::vector<RunResult>& results,
                     const std::vector<RunRecords>& records) {
  const PlotRequest request = with_own_names(wanted, plans.front().columns);
  Picture picture = !request.final.empty() ? picture_of_finals(request, plans, results, records)
                    : !request.section.empty()
                        ? picture_of_section(request, plans, results)
                        : PictureOfRuns(request, plans, results, records).make();
  check_window(request, picture);
  picture.title = full_title(title, request, plans);
  picture.look = request.look;
  return picture;
}

}  // namespace

Picture picture_of_runs(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  return picture_from(request, title, plans, results, whole_records(results));
}

Picture picture_of_runs(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans, const std::vector<RunResult>& results,
                        const PictureRecords& kept) {
  std::vector<std::vector<double>> curves, paths;
  for (const RunPlan& plan : plans) {
    curves.push_back(kept.for_curves(plan.index));
    paths.push_back(kept.for_paths(plan.index));
  }
  std::vector<RunRecords> records;
  for (std::size_t i = 0; i < plans.size(); ++i) records.push_back({curves[i], paths[i]});
  return picture_from(request, title, plans, results, records);
}

void write_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::string& title, const std::vector<RunPlan>& plans,
                const std::vector<RunResult>& results) {
  write_picture(path, picture_of_runs(request, title, plans, results));
}

}  // namespace dalembert::study
