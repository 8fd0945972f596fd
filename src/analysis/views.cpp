#include "dalembert/analysis/views.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "dalembert/expression/printer.hpp"
#include "dalembert/report/outcome_word.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"
#include "report/text_table.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;

Json entry_json(const LabelledArray& array, std::size_t i) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&array.values)) return (*texts)[i];
  if (const auto* counts = std::get_if<std::vector<std::int64_t>>(&array.values))
    return array.is_truth_value ? Json((*counts)[i] != 0) : Json((*counts)[i]);
  const double value = std::get<std::vector<double>>(array.values)[i];
  return std::isfinite(value) ? Json(value) : Json();
}

/// The entries from `first` on along the dimensions from `depth` on: lists within lists, and
/// objects of what are parts of one thing. `first` moves on behind them.
Json array_json(const LabelledTable& table, const LabelledArray& array, std::size_t depth,
                std::size_t& first) {
  if (depth == array.dimensions.size()) return entry_json(array, first++);
  const LabelledTable::Dimension& along = *table.find(array.dimensions[depth]);
  Json entries = along.parts.empty() ? Json::array() : Json::object();
  for (std::size_t i = 0; i < along.size; ++i) {
    Json entry = array_json(table, array, depth + 1, first);
    if (along.parts.empty()) {
      entries.push_back(std::move(entry));
    } else {
      entries[along.parts[i]] = std::move(entry);
    }
  }
  return entries;
}

void add_arrays(Json& run, const LabelledTable& table, const std::vector<LabelledArray>& arrays) {
  for (const LabelledArray& array : arrays) {
    std::size_t first = 0;
    run[array.plural.empty() ? array.name : array.plural] = array_json(table, array, 0, first);
  }
}

std::string cell(const LabelledArray& array, std::size_t i) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&array.values))
    return csv_cell((*texts)[i]);
  if (const auto* counts = std::get_if<std::vector<std::int64_t>>(&array.values))
    return std::to_string((*counts)[i]);
  return to_string(std::get<std::vector<double>>(array.values)[i]);
}

/// What of a table stands along time, as lines of a file.
class TimeLines {
 public:
  explicit TimeLines(const LabelledTable& table) : table_(table) {
    for (const LabelledArray& array : table.variables) {
      if (array.dimensions.empty() || array.dimensions.front() != "t") continue;
      columns_.push_back(&array);
      if (array.dimensions.size() > along_.size()) along_ = array.dimensions;
    }
  }

  std::string header() const {
    std::string text = "run";
    for (const std::string& dimension : along_) text += "," + dimension;
    for (const LabelledArray* column : columns_) text += "," + csv_cell(column->name);
    return text + "\n";
  }

  std::string lines(const std::string& run) const {
    std::size_t count = along_.empty() ? 0 : 1;
    for (const std::string& dimension : along_) count *= table_.size_of(dimension);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      text += run;
      for (std::size_t depth = 0; depth < along_.size(); ++depth)
        text += "," + place(along_[depth], index(i, depth));
      for (const LabelledArray* column : columns_) text += "," + cell(*column, entry(*column, i));
      text += "\n";
    }
    return text;
  }

 private:
  /// Of line i along a dimension.
  std::size_t index(std::size_t i, std::size_t depth) const {
    for (std::size_t later = along_.size(); --later > depth;) i /= table_.size_of(along_[later]);
    return i % table_.size_of(along_[depth]);
  }

  /// Of line i in an array along the first of the dimensions.
  std::size_t entry(const LabelledArray& array, std::size_t i) const {
    for (std::size_t later = along_.size(); later-- > array.dimensions.size();)
      i /= table_.size_of(along_[later]);
    return i;
  }

  std::string place(const std::string& dimension, std::size_t i) const {
    const auto known = std::ranges::find(table_.coordinates, dimension, &LabelledArray::name);
    return known == table_.coordinates.end() ? std::to_string(i + 1) : cell(*known, i);
  }

  const LabelledTable& table_;
  std::vector<std::string> along_;
  std::vector<const LabelledArray*> columns_;
};

}  // namespace

std::string text_of(const Findings& found, std::size_t width) {
  std::string text;
  const std::vector<Finding>& all = found.findings;
  for (std::size_t i = 0; i < all.size();) {
    const std::string& heading = all[i].heading;
    std::vector<std::vector<std::string>> rows;
    for (; i < all.size() && (all[i].rows.empty() || all[i].heading == heading); ++i)
      rows.insert(rows.end(), all[i].rows.begin() + (rows.empty() || all[i].rows.empty() ? 0 : 1),
                  all[i].rows.end());
    if (rows.empty()) continue;
    text += (text.empty() ? "" : "\n") + heading + (heading.empty() ? "" : "\n") +
            aligned_within(width, rows, all[i - 1].words);
  }
  return text;
}

std::string json_of(const Findings& found) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const RunPlan& plan = found.plans[i];
    const Finding& finding = found.findings[i];
    Json run{{"problem", plan.system.name()},
             {"start", plan.start},
             {"label", plan.label},
             {"method", Json::parse(method_json_text(plan.method.spec))},
             {"step", plan.step},
             {"until", plan.end()},
             {"status", outcome_word(finding.status)},
             {"message", finding.message},
             {"steps", finding.steps}};
    add_arrays(run, finding.table, finding.table.coordinates);
    add_arrays(run, finding.table, finding.table.variables);
    runs.push_back(std::move(run));
  }
  return Json{{"dalembert", version()}, {"runs", runs}}.dump(2) + "\n";
}

std::vector<RunTable> tables_of(const Findings& found) {
  std::vector<RunTable> tables;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const Finding& finding = found.findings[i];
    tables.push_back({&found.plans[i], finding.table, outcome_word(finding.status), finding.message,
                      finding.steps});
  }
  return tables;
}

std::string csv_of(const Findings& found) {
  std::string text;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const TimeLines lines(found.findings[i].table);
    if (text.empty()) text = lines.header();
    text += lines.lines(csv_cell(run_heading(found.plans[i])));
  }
  return text;
}

Picture picture_of(const LinesOfRun& lines, const std::string& title, const Findings& found) {
  Picture picture{title};
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const RunPlan& plan = found.plans[i];
    for (FoundLine& line : lines(plan, found.findings[i].table)) {
      auto panel = std::ranges::find_if(picture.panels, [&](const PicturePanel& known) {
        return known.title == line.panel_title && known.y.label == line.y_label;
      });
      if (panel == picture.panels.end()) {
        PicturePanel made{.title = line.panel_title, .row = picture.panels.size()};
        made.x = {plan.columns.time_label()};
        made.y = {line.y_label};
        panel = picture.panels.insert(panel, std::move(made));
      }
      panel->curves.push_back({picture.entry(line.name), std::move(line.curve), line.style});
    }
  }
  return picture;
}

AnalysisReport report_of(const std::string& title, Findings found, const LinesOfRun& lines) {
  AnalysisReport report;
  report.refused = found.refused;
  report.is_empty = found.findings.empty();
  for (const Finding& finding : found.findings)
    if (finding.status == Finding::Status::failed) report.failed.push_back(finding.message);
  const auto shared = std::make_shared<const Findings>(std::move(found));
  report.text = [shared](std::size_t width) { return text_of(*shared, width); };
  report.text_of_table = [shared](std::size_t i) {
    return text_of({{shared->plans[i]}, {shared->findings[i]}});
  };
  report.json = [shared] { return json_of(*shared); };
  report.csv = [shared] { return csv_of(*shared); };
  report.tables = [shared] { return tables_of(*shared); };
  if (lines) report.picture = [shared, title, lines] { return picture_of(lines, title, *shared); };
  return report;
}

}  // namespace dalembert::study
