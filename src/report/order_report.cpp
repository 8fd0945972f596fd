#include "dalembert/report/order_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

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

/// One panel: errors of every row against the step.
PicturePanel panel_of(const std::string& name, const OrderSeries OrderRow::*series,
                      const std::vector<OrderRow>& rows, Picture& picture) {
  PicturePanel panel{.title = "error in " + name};
  panel.x = {"step h", true};
  panel.y = {"largest error over the coarsest nodes", true};
  for (const OrderRow& row : rows) {
    const std::string start = row.plan.label.empty() ? "" : ", " + row.plan.label;
    Curve curve;
    for (std::size_t i = 0; i < (row.*series).errors.size(); ++i) {
      if (!((row.*series).errors[i] > 0.0)) continue;
      curve.t.push_back(row.steps[i]);
      curve.values.push_back((row.*series).errors[i]);
    }
    const std::size_t entry = picture.entry(row.plan.method.label + start);
    if (!curve.t.empty()) panel.curves.push_back({entry, std::move(curve), CurveStyle::marked});
  }
  return panel;
}

/// Dashed lines of whole slopes, one for each that the panel's curves show, a little above the
/// highest of them.
void add_slopes(PicturePanel& panel, const OrderSeries OrderRow::*series,
                const std::vector<OrderRow>& rows, std::size_t entry) {
  std::map<long, PictureCurve> lines;
  for (const OrderRow& row : rows) {
    const OrderSeries& own = row.*series;
    if (!own.measured) continue;
    const long slope = std::lround(own.slope);
    // The last used point lies where the slope is the order.
    std::size_t last = own.used.size() - 1;
    while (last > 0 && !own.used[last]) --last;
    const double finest = row.steps[last], coarsest = row.steps.front();
    const double end = 2.0 * own.errors[last],
                 begin = end * std::pow(coarsest / finest, static_cast<double>(slope));
    PictureCurve& line = lines[slope];
    if (line.curve.values.empty() || line.curve.values.front() < begin)
      line = {entry, {{coarsest, finest}, {begin, end}}};
  }
  for (auto& [slope, line] : lines) panel.curves.push_back(std::move(line));
}

/// "slopes 1, 2": those that `add_slopes` draws in any of the panels.
std::string slopes_label(const std::vector<OrderRow>& rows) {
  std::set<long> slopes;
  for (const OrderRow& row : rows) {
    for (const OrderSeries* series : {&row.q, &row.v, &row.lambda})
      if (series->measured) slopes.insert(std::lround(series->slope));
  }
  return slopes.empty() ? "" : fmt::format("slopes {}", fmt::join(slopes, ", "));
}

}  // namespace

std::string order_table(const std::vector<OrderRow>& rows, const std::vector<RefusedRun>& refused) {
  std::size_t width = 6;
  for (const OrderRow& row : rows)
    width = std::max<std::size_t>(width, (row.plan.method.label + "  " + row.plan.label).size());
  for (const RefusedRun& run : refused) width = std::max(width, run.method.label.size());
  std::string text =
      fmt::format("{:<{}}  {:>9}  {:>16}  {:>16}  {:>16}  {}\n", "method", width, "promised",
                  "order in q", "order in v", "order in lambda", "verdict");
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
                        facts.order.get(), multiplier_order(facts, row.plan.system.traits()),
                        slope_text(row.q), slope_text(row.v), slope_text(row.lambda), verdict);
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
    list.push_back(
        {{"problem", row.plan.system.name()},
         {"start", row.plan.start},
         {"label", row.plan.method.label},
         {"until", row.until},
         {"steps", row.steps},
         {"step_counts", step_counts(row)},
         {"q", series_json(row.q, facts.order, row.q_verdict)},
         {"v", series_json(row.v, facts.order, row.v_verdict)},
         {"lambda", series_json(row.lambda, multiplier_order(facts, row.plan.system.traits()),
                                row.lambda_verdict)},
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
  Picture picture{title.empty() ? "Measured order" : "Measured order: " + title};
  const std::pair<const char*, OrderSeries OrderRow::*> quantities[] = {
      {"q", &OrderRow::q}, {"v", &OrderRow::v}, {"lambda", &OrderRow::lambda}};
  std::vector<std::pair<PicturePanel, const OrderSeries OrderRow::*>> drawn;
  for (const auto& [name, series] : quantities) {
    PicturePanel panel = panel_of(name, series, rows, picture);
    panel.column = drawn.size();
    if (!panel.curves.empty()) drawn.emplace_back(std::move(panel), series);
  }
  const std::string label = slopes_label(rows);
  const std::size_t slopes = label.empty() ? 0 : picture.entry(label, true);
  for (auto& [panel, series] : drawn) {
    add_slopes(panel, series, rows, slopes);
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

void write_order_plot(const std::filesystem::path& path, const std::string& title,
                      const std::vector<OrderRow>& rows) {
  write_picture(path, order_picture(title, rows));
}

}  // namespace dalembert::study
