#include "section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dalembert/expression/parser.hpp"
#include "path.hpp"
#include "picture/draw/typeset.hpp"

namespace dalembert::study {
namespace {

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

/// The name of a column with its unit.
std::string section_axis_label(const RunPlan& plan, const std::string& name) {
  const auto names = plan.columns.motion_names();
  return plan.columns.name_with_unit(
      static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
}

}  // namespace

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
      panel.x.label = section_axis_label(plan, request.x);
      panel.y.label = section_axis_label(plan, request.y);
      picture.panels.push_back(std::move(panel));
    }
    Curve points;
    for (const SectionResult& section : results[plan.index].diagnostics.sections) {
      if (section.name != request.section) continue;
      for (const Crossing& crossing : section.crossings) {
        if (!is_within(request, crossing.t)) continue;
        points.t.push_back(shown_part(plan, crossing, request.x));
        points.values.push_back(shown_part(plan, crossing, request.y));
      }
    }
    picture.panels[at].curves.push_back(
        {picture.entry(plan.method.label), std::move(points), CurveStyle::points});
  }
  picture.notes.push_back("states at which the section \"" + plain_markup(request.section) +
                          "\" is passed");
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

}  // namespace dalembert::study
