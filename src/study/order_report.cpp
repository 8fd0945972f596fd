#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/output_file.hpp"
#include "dalembert/study/plot.hpp"
#include "gnuplot.hpp"

namespace dalembert {
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

struct Quantity {
  const char* name;
  const OrderSeries OrderRow::*series;
};
constexpr Quantity quantities[] = {
    {"q", &OrderRow::q}, {"v", &OrderRow::v}, {"lambda", &OrderRow::lambda}};

bool has_points(const std::vector<OrderRow>& rows, const Quantity& quantity) {
  for (const OrderRow& row : rows) {
    for (const double error : (row.*quantity.series).errors) {
      if (error > 0.0) return true;
    }
  }
  return false;
}

std::string curve_data(const OrderRow& row, const OrderSeries& series) {
  std::string data;
  for (std::size_t i = 0; i < series.errors.size(); ++i) {
    if (series.errors[i] > 0.0) data += fmt::format("{} {}\n", row.steps[i], series.errors[i]);
  }
  return data;
}

/// The picture grows with the number of lines of its keys.
std::string terminal(const std::string& extension, std::size_t rows) {
  const std::size_t height = 440 + 20 * rows;
  if (extension == ".svg")
    return fmt::format("svg size 1500,{} font 'Helvetica,14' background 'white'", height);
  if (extension == ".pdf")
    return fmt::format("pdfcairo size 15,{} font 'Helvetica,12'",
                       static_cast<double>(height) / 100.0);
  return fmt::format("pngcairo size 1500,{} font 'Helvetica,12'", height);
}

/// One panel: errors of every row against the step.
std::string panel(const std::vector<OrderRow>& rows, const Quantity& quantity) {
  static const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                  "#e69f00", "#56b4e9", "#000000"};
  std::string script, curves;
  std::size_t k = 0;
  for (const OrderRow& row : rows) {
    const OrderSeries& series = row.*quantity.series;
    const std::string data = curve_data(row, series);
    if (!data.empty()) {
      const std::string block = fmt::format("$data{}_{}", quantity.name, k);
      script += block + " << EOD\n" + data + "EOD\n";
      const std::string start = row.plan.label.empty() ? "" : ", " + row.plan.label;
      const std::string title = row.plan.method.label + start + ": " + slope_text(series);
      curves += fmt::format("{}{} with linespoints lw 2 pt {} ps 0.8 lc rgb '{}' title {}",
                            curves.empty() ? "plot " : ", \\\n  ", block, 4 + k % 10,
                            colours[k % 7], gnuplot::quoted(title));
    }
    ++k;
  }
  return script +
         fmt::format(
             "set title 'error in {}'\nset ylabel 'largest error over the coarsest nodes'\n",
             quantity.name) +
         curves + "\n";
}

}  // namespace

std::string order_table(const std::vector<OrderRow>& rows) {
  std::size_t width = 6;
  for (const OrderRow& row : rows)
    width = std::max(width, (row.plan.method.label + "  " + row.plan.label).size());
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
    text += fmt::format("{:<{}}  {:>4}, {:>3}  {:>16}  {:>16}  {:>16}  {}\n", name, width,
                        facts.order, facts.multiplier_order, slope_text(row.q), slope_text(row.v),
                        slope_text(row.lambda), verdict);
  }
  return text;
}

std::string order_json(const std::string& title, const std::vector<OrderRow>& rows) {
  Json list = Json::array();
  for (const OrderRow& row : rows) {
    const Facts facts = row.plan.program->method().facts();
    list.push_back({{"problem", row.plan.system.name()},
                    {"start", row.plan.start},
                    {"label", row.plan.method.label},
                    {"until", row.until},
                    {"steps", row.steps},
                    {"q", series_json(row.q, facts.order, row.q_verdict)},
                    {"v", series_json(row.v, facts.order, row.v_verdict)},
                    {"lambda", series_json(row.lambda, facts.multiplier_order, row.lambda_verdict)},
                    {"reference_error", row.reference_error},
                    {"status", row.failure.empty() ? "ok" : "failed"},
                    {"message", row.failure},
                    {"holds", row.failure.empty() && !row.is_broken()}});
  }
  return Json{{"dalembert", DALEMBERT_VERSION}, {"study", title}, {"orders", list}}.dump(2) + "\n";
}

void write_order_plot(const std::filesystem::path& path, const std::string& title,
                      const std::vector<OrderRow>& rows) {
  std::vector<Quantity> shown;
  for (const Quantity& quantity : quantities) {
    if (has_points(rows, quantity)) shown.push_back(quantity);
  }
  std::string script = fmt::format(
      "set terminal {}\nset output {}\nset multiplot layout 1,{} title {}\nset logscale xy\n"
      "set format xy '10^{{%L}}'\nset xlabel 'step h'\n"
      "set key below left Left reverse samplen 2 maxcols 1\nset grid lc rgb '#dddddd'\n",
      terminal(path.extension().string(), rows.size()), gnuplot::quoted(path.string()),
      std::max<std::size_t>(1, shown.size()),
      gnuplot::quoted(title.empty() ? "Measured order" : "Measured order: " + title));
  for (const Quantity& quantity : shown) script += panel(rows, quantity);
  gnuplot::run(script + "unset multiplot\n");
}

}  // namespace dalembert
