#include "study/plot_request.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/diagnostic.hpp"

namespace dalembert::study {
namespace {

void read_names(TableReader& table, const char* key, std::vector<std::string>& names) {
  const DocumentNode* node = table.find(key);
  if (node == nullptr) return;
  for (const DocumentNode& name : as_list(*node)) names.push_back(as_text(name));
}

void read_paths(TableReader& table, PlotRequest& plot) {
  if (plot.section.empty() && !plot.x.empty() && !plot.y.empty())
    plot.paths.push_back({std::exchange(plot.x, ""), std::exchange(plot.y, "")});
  const DocumentNode* paths = table.find("path");
  if (paths == nullptr) return;
  for (const DocumentNode& path : as_list(*paths)) {
    TableReader entry(path);
    plot.paths.push_back(
        {as_text(entry.require("x")), as_text(entry.require("y")), entry.text("title")});
    entry.finish();
  }
}

void read_how(TableReader& table, PlotRequest& plot) {
  if (const DocumentNode* error = table.find("error")) plot.error = as_boolean(*error);
  if (const DocumentNode* change = table.find("change")) plot.change = as_boolean(*change);
  if (const DocumentNode* equal = table.find("equal")) plot.equal = as_boolean(*equal);
  if (const DocumentNode* together = table.find("together")) plot.together = as_boolean(*together);
  if (const DocumentNode* from = table.find("from")) plot.from = parse_constant(*from);
  if (const DocumentNode* to = table.find("to")) plot.to = parse_constant(*to);
  if (const DocumentNode* reference = table.find("reference")) plot.reference = *reference;
  if (const DocumentNode* mean = table.find("running_mean")) {
    plot.running_mean = parse_constant(*mean);
    if (!(plot.running_mean >= 0.0))
      mean->refuse("is " + to_string(plot.running_mean) + "; it must be >= 0");
  }
}

/// What is asked for in how it is shown.
void take_manner(PlotRequest& shown, const PlotRequest& asked) {
  if (asked.running_mean > 0.0) shown.running_mean = asked.running_mean;
  if (asked.error || asked.change) {
    shown.error = asked.error;
    shown.change = asked.change;
  }
  if (asked.equal) shown.equal = asked.equal;
  if (asked.from) shown.from = asked.from;
  if (asked.to) shown.to = asked.to;
  shown.together = shown.together || asked.together;
  shown.look = with_changes(shown.look, asked.look);
}

}  // namespace

bool PlotRequest::shows_recomputed_multiplier() const {
  std::vector<std::string> names = quantities;
  names.insert(names.end(), {final, x, y});
  for (const PathRequest& path : paths) names.insert(names.end(), {path.x, path.y});
  return std::ranges::any_of(
      names, [](const std::string& name) { return name.starts_with(recomputed_multiplier); });
}

PlotRequest with_changes(PlotRequest shown, const PlotRequest& asked) {
  if (asked.names_something()) {
    // Size and letters stay those of the study; ranges and labels were for what it shows.
    PictureLook look{
        .size = shown.look.size, .font_size = shown.look.font_size, .legend = shown.look.legend};
    shown = asked;
    shown.look = with_changes(look, asked.look);
  } else {
    take_manner(shown, asked);
  }
  if (const std::string reason = contradiction(shown); !reason.empty()) throw RequestError(reason);
  return shown;
}

std::string contradiction(const PlotRequest& request) {
  if (request.x.empty() != request.y.empty() || (!request.section.empty() && request.x.empty()))
    return "x and y (--x and --y) stand together: the axes of a path, or with section of a "
           "Poincare section";
  if (request.final.empty() != request.against.empty())
    return "final and against stand together: a quantity, and the parameter (or step) it is drawn "
           "against";
  if (request.change && request.error.value_or(false))
    return "error and change are two manners: the absolute difference from the start on a "
           "logarithmic axis, and the difference as it is; ask for one of them";
  const auto& axes = request.logarithmic;
  if (!axes.empty() && axes != "x" && axes != "y" && axes != "xy")
    return "log is \"" + axes + "\"; it must be \"x\", \"y\" or \"xy\"";
  if (!axes.empty() && request.final.empty()) return "log belongs to final and against";
  const int kinds = (request.section.empty() ? 0 : 1) + (request.final.empty() ? 0 : 1) +
                    (request.histograms.empty() ? 0 : 1) +
                    (request.quantities.empty() && request.paths.empty() ? 0 : 1);
  if (kinds > 1)
    return "quantities and paths, a section, final against a parameter, and histograms are "
           "pictures of their own; ask for one of them";
  if (request.from && request.to && !(*request.from < *request.to))
    return "from = " + to_string(*request.from) + " is not before to = " + to_string(*request.to);
  return "";
}

PlotRequest read_plot(const DocumentNode* node) {
  PlotRequest plot;
  if (node == nullptr) return plot;
  TableReader table(*node);
  read_names(table, "quantity", plot.quantities);
  read_names(table, "quantities", plot.quantities);
  read_names(table, "histogram", plot.histograms);
  for (const auto& [key, part] : {std::pair{"section", &PlotRequest::section},
                                  {"x", &PlotRequest::x},
                                  {"y", &PlotRequest::y},
                                  {"final", &PlotRequest::final},
                                  {"against", &PlotRequest::against},
                                  {"log", &PlotRequest::logarithmic}})
    plot.*part = table.text(key);
  read_how(table, plot);
  plot.look = read_look(table);
  if (const std::string reason = contradiction(plot); !reason.empty()) node->refuse(reason);
  read_paths(table, plot);
  table.finish();
  if (const std::string reason = contradiction(plot); !reason.empty()) node->refuse(reason);
  return plot;
}

}  // namespace dalembert::study
