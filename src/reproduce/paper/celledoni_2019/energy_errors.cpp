#include "energy_errors.hpp"

#include <cmath>

#include "dalembert/picture/picture.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// |energy error| relative to the energy at the start.
Curve relative_energy_error(const StudyRuns& runs, std::size_t run) {
  const Curve energy = runs.column(run, "energy");
  Curve error = runs.change(run, "energy");
  for (double& value : error.values) value /= energy.values.front();
  return error;
}

}  // namespace

double constraint_error(const StudyRuns& runs, const std::string& method) {
  return runs.results()[runs.find(method)].diagnostics.constraint_max;
}

double relative_error(const StudyRuns& runs, std::size_t run) {
  return runs.energy_error(run) / std::fabs(runs.results()[run].diagnostics.energy.initial);
}

Picture energy_and_constraint(const StudyRuns& runs, const std::string& title) {
  constexpr std::size_t stretches = 300;
  Picture picture{title};
  picture.panels.resize(2);
  picture.panels[0].y = {"relative energy error", true};
  picture.panels[1].y = {"|constraint|", true};
  picture.panels[1].column = 1;
  for (PicturePanel& panel : picture.panels) panel.x.label = "time t (nondimensional)";
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::size_t entry = picture.entry(runs.plans()[run].method.label);
    picture.panels[0].curves.push_back(
        {entry, upper_envelope(magnitude(relative_energy_error(runs, run)), stretches)});
    picture.panels[1].curves.push_back(
        {entry, upper_envelope(magnitude(runs.column(run, "constraint")), stretches)});
  }
  picture.notes.emplace_back(
      "largest value in each 1/300 of the time; errors below 1.1 10^{-16} "
      "(round-off) are drawn there");
  return picture;
}

}  // namespace dalembert::reproduce
