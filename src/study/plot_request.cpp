#include "study/plot_request.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/page/analysis_pages.hpp"

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

const Page<PlotRequest>& plot_keys() {
  static const Page<PlotRequest> page{
      "plot",
      "Quantities in a picture, and the manner in which they are shown",
      {{"quantity", &PlotRequest::quantities,
        "energy, constraint, an integral, a coordinate, a velocity, lambda_1 or lambda_recomputed, "
        "a column of a diagnostic; of an ensemble: variance, mean_square, constraint.max, ..."},
       {"error", &PlotRequest::error, "The absolute difference from the start", "no"},
       {"change", &PlotRequest::change, "The difference from the start, with its sign"},
       {"running_mean", "Averages over a window of so much time", "a number or an expression", 0.0},
       {"x", &PlotRequest::x,
        "A coordinate, a velocity or t, or an expression, as R[1,3]: with y the axes of a path, or "
        "of a section"},
       {"y", &PlotRequest::y, "The same for the other axis"},
       {"path",
        "Paths in planes of two expressions, as { x = \"x\", y = \"x_dot\", title = \"phase\" }; "
        "as an option --path x x_dot",
        "a list of tables", std::vector<std::string>()},
       {"equal", &PlotRequest::equal,
        "Of a path: a unit as long on both axes (default: where both are positions)", ""},
       {"from", &PlotRequest::from, "Only what is recorded from this time on"},
       {"to", &PlotRequest::to, "Only what is recorded up to this time"},
       {"together", &PlotRequest::together, "All starts, parameters and steps in one panel"},
       {"section", &PlotRequest::section,
        "A Poincare section of the study, in the plane of x and y"},
       {"final", &PlotRequest::final,
        "A value at the end of each run, or its largest error, as energy_error; with against"},
       {"against", &PlotRequest::against, "The parameter that final is drawn against, or step"},
       {"log", "Logarithmic axes of final", "", "", {"x", "y", "xy"}},
       {"histogram", &PlotRequest::histograms,
        "Of an ensemble: how the members at the end spread in energy_error, an integral or an "
        "expression of the state"},
       {"reference",
        "Of an ensemble: an expression of t and h beside its statistics, as 1e-4*h^4*t", ""}}};
  return page;
}

/// Those keys that a table gives, into a request that keeps the others.
void read_keys(const DocumentNode& node, PlotRequest& plot) {
  TableReader table(node);
  plot_keys().read(table, plot);
  read_names(table, "quantities", plot.quantities);
  plot.logarithmic = table.text("log", plot.logarithmic);
  if (const DocumentNode* reference = table.find("reference")) plot.reference = *reference;
  if (const DocumentNode* mean = table.find("running_mean")) {
    plot.running_mean = parse_constant(*mean);
    if (!(plot.running_mean >= 0.0))
      mean->refuse("is " + to_string(plot.running_mean) + "; it must be >= 0");
  }
  plot.look = read_look(table, plot.look);
  read_paths(table, plot);
  table.finish();
}

/// Why what is asked for does not go together, as a clause; "" if it does.
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

void refuse_contradiction(const PlotRequest& request) {
  if (const std::string reason = contradiction(request); !reason.empty())
    throw RequestError(reason);
}

}  // namespace

bool PlotRequest::shows_recomputed_multiplier() const {
  std::vector<std::string> names = quantities;
  names.insert(names.end(), {final, x, y});
  for (const PathRequest& path : paths) names.insert(names.end(), {path.x, path.y});
  return std::ranges::any_of(
      names, [](const std::string& name) { return name.starts_with(recomputed_multiplier); });
}

const PageInfo& plot_page() {
  static const PageInfo page = plot_keys().info();
  return page;
}

PlotRequest read_plot(const DocumentNode* node) {
  PlotRequest plot;
  if (node == nullptr) return plot;
  read_keys(*node, plot);
  if (const std::string reason = contradiction(plot); !reason.empty()) node->refuse(reason);
  return plot;
}

PlotRequest with_changes(PlotRequest shown, const DocumentNode& asked) {
  PlotRequest changes;
  read_keys(asked, changes);
  refuse_contradiction(changes);
  if (changes.names_something()) {
    // Size and letters stay those of the study; ranges and labels were for what it shows.
    const PictureLook look = shown.look;
    shown = {.look = {.size = look.size, .font_size = look.font_size, .legend = look.legend}};
  } else if (changes.error || changes.change) {
    shown.error.reset();
    shown.change = false;
  }
  read_keys(asked, shown);
  refuse_contradiction(shown);
  return shown;
}

}  // namespace dalembert::study
