#include "dalembert/report/order_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/version.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;

std::string slope_text(const OrderSeries& series) {
  return series.measured ? fmt::format("{:.2f} +- {:.2f}", series.slope, series.uncertainty)
                         : std::string("-");
}

Json series_json(const OrderSeries& series, int promised, OrderVerdict verdict) {
  return {{"errors", series.errors},
          {"slope", series.measured ? Json(series.slope) : Json(nullptr)},
          {"uncertainty", series.measured ? Json(series.uncertainty) : Json(nullptr)},
          {"used", series.used},
          {"promised", promised},
          {"verdict", verdict_text(verdict)}};
}

const char* status_of(const OrderRow& row) {
  if (!row.unmeasured.empty()) return "not measured";
  return row.failure.empty() ? "ok" : "failed";
}

/// How often a row's method stepped, by step size.
std::vector<std::uint64_t> step_counts(const OrderRow& row) {
  std::vector<std::uint64_t> counts;
  for (const double step : row.steps)
    counts.push_back(static_cast<std::uint64_t>(std::llround(row.until / step)));
  return counts;
}

/// The steps of all rows, once for each choice, so that `run` can repeat them.
std::string grids_text(const std::vector<OrderRow>& rows) {
  std::set<std::string> lines;
  for (const OrderRow& row : rows) {
    if (row.steps.empty()) continue;
    lines.insert(fmt::format("steps {:.6g} up to t = {:g}: {} of them\n",
                             fmt::join(row.steps, ", "), row.until,
                             fmt::join(step_counts(row), ", ")));
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

/// What a row has measured, with its name.
constexpr std::array<std::pair<const char*, OrderSeries OrderRow::*>, 3> order_quantities{
    {{"q", &OrderRow::q}, {"v", &OrderRow::v}, {"lambda", &OrderRow::lambda}}};

Curve errors_of(const OrderRow& row, const OrderSeries& series) {
  Curve curve;
  for (std::size_t i = 0; i < series.errors.size(); ++i) {
    if (!(series.errors[i] > 0.0) || !std::isfinite(series.errors[i])) continue;
    curve.t.push_back(row.steps[i]);
    curve.values.push_back(series.errors[i]);
  }
  return curve;
}

/// The errors of one row, a curve for each quantity. Several starts have shades of its colour.
void add_errors(PicturePanel& panel, const OrderRow& row, Picture& picture, bool has_starts) {
  for (std::size_t i = 0; i < order_quantities.size(); ++i) {
    const auto& [name, series] = order_quantities[i];
    Curve curve = errors_of(row, row.*series);
    if (curve.t.empty()) continue;
    const std::string start = has_starts ? ", " + row.plan.label : "";
    const std::size_t entry = picture.entry(std::string("error in ") + name + start);
    if (has_starts) picture.legend[entry].group = i;
    panel.curves.push_back({entry, std::move(curve), CurveStyle::marked});
  }
}

/// Dashed lines of whole slopes, one for each that the method's curves show, a little above the
/// highest of them.
void add_slopes(PicturePanel& panel, const std::vector<const OrderRow*>& rows, std::size_t entry) {
  std::map<long, PictureCurve> lines;
  for (const OrderRow* row : rows) {
    for (const auto& [name, series] : order_quantities) {
      const OrderSeries& own = row->*series;
      if (!own.measured) continue;
      const long slope = std::lround(own.slope);
      // The last used point lies where the slope is the order.
      std::size_t last = own.used.size() - 1;
      while (last > 0 && !own.used[last]) --last;
      const double finest = row->steps[last], coarsest = row->steps.front();
      const double end = 2.0 * own.errors[last],
                   begin = end * std::pow(coarsest / finest, static_cast<double>(slope));
      PictureCurve& line = lines[slope];
      if (line.curve.values.empty() || line.curve.values.front() < begin)
        line = {entry, {{coarsest, finest}, {begin, end}}};
    }
  }
  for (auto& [slope, line] : lines) panel.curves.push_back(std::move(line));
}

/// "slopes 1, 2": those that `add_slopes` draws in any of the panels.
std::string slopes_label(const std::vector<OrderRow>& rows) {
  std::set<long> slopes;
  for (const OrderRow& row : rows) {
    for (const auto& [name, series] : order_quantities)
      if ((row.*series).measured) slopes.insert(std::lround((row.*series).slope));
  }
  return slopes.empty() ? "" : fmt::format("slopes {}", fmt::join(slopes, ", "));
}

bool has_errors(const OrderRow& row) {
  return std::ranges::any_of(order_quantities, [&](const auto& quantity) {
    return !errors_of(row, row.*quantity.second).t.empty();
  });
}

/// The rows of each method that have something to show, in the order in which methods come first.
std::vector<std::vector<const OrderRow*>> by_method(const std::vector<OrderRow>& rows) {
  std::vector<std::vector<const OrderRow*>> groups;
  for (const OrderRow& row : rows) {
    if (!has_errors(row)) continue;
    const auto group = std::ranges::find_if(groups, [&](const auto& others) {
      return others.front()->plan.method.label == row.plan.method.label;
    });
    if (group == groups.end()) {
      groups.push_back({&row});
    } else {
      group->push_back(&row);
    }
  }
  return groups;
}

/// All panels show the same range, so that methods can be compared.
void share_ranges(Picture& picture) {
  double least = std::numeric_limits<double>::infinity(), largest = 0.0, finest = least,
         coarsest = 0.0;
  for (const PicturePanel& panel : picture.panels) {
    for (const PictureCurve& drawn : panel.curves) {
      for (std::size_t i = 0; i < drawn.curve.t.size(); ++i) {
        finest = numeric::smaller(finest, drawn.curve.t[i]);
        coarsest = numeric::larger(coarsest, drawn.curve.t[i]);
        least = numeric::smaller(least, drawn.curve.values[i]);
        largest = numeric::larger(largest, drawn.curve.values[i]);
      }
    }
  }
  constexpr double beside = 1.2, above = 2.0;
  for (PicturePanel& panel : picture.panels) {
    panel.x.range = {finest / beside, coarsest * beside};
    panel.y.range = {least / above, largest * above};
  }
}

std::size_t panel_columns(std::size_t panels) {
  if (panels <= 4) return std::min<std::size_t>(panels, 2);
  return static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(panels))));
}

std::string order_title(const std::string& title) {
  return title.empty() ? "Measured order" : "Measured order: " + title;
}

PicturePanel order_panel(const std::string& method, std::size_t number, std::size_t columns) {
  PicturePanel panel{.title = method, .row = number / columns, .column = number % columns};
  panel.x = {"step h", true};
  panel.y = {"largest error", true};
  return panel;
}

}  // namespace

std::string order_table(const std::vector<OrderRow>& rows, const std::vector<RefusedRun>& refused) {
  std::size_t width = 6;
  for (const OrderRow& row : rows)
    width = std::max<std::size_t>(width, (row.plan.method.label + "  " + row.plan.label).size());
  for (const RefusedRun& run : refused)
    width = std::max<std::size_t>(width, run.method.label.size());
  const bool recomputed = !rows.empty() && rows.front().recomputed_multiplier;
  std::string text = fmt::format("{:<{}}  {:>9}  {:>16}  {:>16}  {:>16}  {}\n", "method", width,
                                 "promised", "order in q", "order in v",
                                 recomputed ? "recomputed" : "order in lambda", "verdict");
  for (const OrderRow& row : rows) {
    const Facts facts = row.plan.program->method().facts();
    const std::string name =
        row.plan.method.label + (row.plan.label.empty() ? "" : "  " + row.plan.label);
    std::string verdict =
        fmt::format("q {}, v {}, lambda {}", verdict_text(row.q_verdict),
                    verdict_text(row.v_verdict), verdict_text(row.lambda_verdict));
    if (row.q_verdict == row.v_verdict && row.v_verdict == row.lambda_verdict)
      verdict = verdict_text(row.q_verdict);
    if (!row.failure.empty()) verdict = row.failure;
    if (!row.unmeasured.empty()) verdict = "not measured: " + row.unmeasured;
    text += fmt::format("{:<{}}  {:>4}, {:>3}  {:>16}  {:>16}  {:>16}  {}\n", name, width,
                        facts.order.get(), row.lambda_promised, slope_text(row.q),
                        slope_text(row.v), slope_text(row.lambda), verdict);
  }
  for (const RefusedRun& run : refused)
    text += fmt::format("{:<{}}  {:>9}  {:>16}  {:>16}  {:>16}  refused\n", run.method.label, width,
                        "-", "-", "-", "-");
  return text + grids_text(rows);
}

std::string order_json(const std::string& title, const std::vector<OrderRow>& rows,
                       const std::vector<RefusedRun>& refused) {
  Json list = Json::array();
  for (const OrderRow& row : rows) {
    const Facts facts = row.plan.program->method().facts();
    list.push_back({{"problem", row.plan.system.name()},
                    {"start", row.plan.start},
                    {"label", row.plan.method.label},
                    {"until", row.until},
                    {"steps", row.steps},
                    {"step_counts", step_counts(row)},
                    {"q", series_json(row.q, facts.order, row.q_verdict)},
                    {"v", series_json(row.v, facts.order, row.v_verdict)},
                    {"multiplier", row.recomputed_multiplier ? "recomputed" : "own"},
                    {"lambda", series_json(row.lambda, row.lambda_promised, row.lambda_verdict)},
                    {"reference_error", row.reference_error},
                    {"status", status_of(row)},
                    {"message", row.unmeasured.empty() ? row.failure : row.unmeasured},
                    {"holds", row.failure.empty() && !row.is_broken()}});
  }
  for (const RefusedRun& run : refused) {
    list.push_back({{"problem", run.system.name()},
                    {"start", run.start},
                    {"label", run.method.label},
                    {"status", "failed"},
                    {"message", run.reason},
                    {"holds", false}});
  }
  return Json{{"dalembert", version()}, {"study", title}, {"orders", list}}.dump(2) + "\n";
}

Picture order_picture(const std::string& title, const std::vector<OrderRow>& rows) {
  Picture picture{order_title(title)};
  const auto methods = by_method(rows);
  const std::size_t columns = panel_columns(methods.size());
  const bool has_starts =
      std::ranges::any_of(methods, [](const auto& group) { return group.size() > 1; });
  for (std::size_t i = 0; i < methods.size(); ++i) {
    PicturePanel panel = order_panel(methods[i].front()->plan.method.label, i, columns);
    for (const OrderRow* row : methods[i]) add_errors(panel, *row, picture, has_starts);
    picture.panels.push_back(std::move(panel));
  }
  if (const std::string label = slopes_label(rows); !label.empty()) {
    const std::size_t slopes = picture.entry(label, true);
    for (std::size_t i = 0; i < methods.size(); ++i)
      add_slopes(picture.panels[i], methods[i], slopes);
  }
  share_ranges(picture);
  return picture;
}

void check_order_plot(const std::filesystem::path& path, const std::string& title,
                      const std::vector<RunPlan>& plans, const PictureLook& look) {
  Picture picture{order_title(title)};
  picture.look = look;
  std::set<std::string> methods, starts;
  for (const RunPlan& plan : plans) {
    methods.insert(plan.method.label);
    starts.insert(plan.label);
  }
  for (const std::string& method : methods)
    picture.panels.push_back(
        order_panel(method, picture.panels.size(), panel_columns(methods.size())));
  for (const std::string& start : starts) {
    for (const auto& [name, series] : order_quantities)
      picture.entry(std::string("error in ") + name + (starts.size() > 1 ? ", " + start : ""));
  }
  picture.entry("slopes 1, 2");
  check_look(picture);
  check_picture_file(path);
}

void write_order_plot(const std::filesystem::path& path, const std::string& title,
                      const std::vector<OrderRow>& rows, const PictureLook& look) {
  Picture picture = order_picture(title, rows);
  picture.look = look;
  write_picture(path, picture);
}

}  // namespace dalembert::study
