#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "work_precision.hpp"

namespace work_precision {
namespace {

const char* text_of(Form form) {
  return form == Form::coordinates_of_d ? "coordinates of D" : "q, v";
}

/// The entries that are worth a row, in their order.
std::vector<Entry> shown(const std::vector<Entry>& entries, double largest) {
  std::vector<Entry> kept;
  for (const Entry& entry : entries) {
    if (entry.error <= largest) kept.push_back(entry);
  }
  return kept;
}

bool are_alike(const Entry& a, const Entry& b) { return a.method == b.method && a.form == b.form; }

/// The time at which two neighbours have the error, on the straight line in logarithms.
std::optional<double> time_between(const Entry& before, const Entry& after, double error) {
  if (!(before.error >= error && error >= after.error)) return std::nullopt;
  const double part = before.error > after.error
                          ? std::log(before.error / error) / std::log(before.error / after.error)
                          : 0.0;
  return before.nanoseconds * std::pow(after.nanoseconds / before.nanoseconds, part);
}

/// The least time in which a method has at most the error, among entries in a row; none if it never
/// has.
std::optional<double> time_for(const std::vector<Entry>& entries, const Entry& method,
                               double error) {
  std::optional<double> least;
  const auto keep = [&](std::optional<double> time) {
    if (time && !(least && *least <= *time)) least = time;
  };
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (!are_alike(entry, method)) continue;
    if (entry.error <= error) keep(entry.nanoseconds);
    if (before != nullptr) keep(time_between(*before, entry, error));
    before = &entry;
  }
  return least;
}

/// The hue of a method in the picture: that of its library.
std::size_t hue_of(const std::string& method) {
  const char* const beginnings[] = {"gauss", "odeint", "GSL", "CVODE", "ARKODE"};
  for (std::size_t i = 0; i < std::size(beginnings); ++i) {
    if (method.starts_with(beginnings[i])) return i;
  }
  return std::size(beginnings);
}

/// From the power of ten below all numbers to that above.
std::pair<double, double> decades_around(const std::vector<Entry>& entries,
                                         double Entry::*quantity) {
  double least = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const Entry& entry : entries) {
    if (!(entry.*quantity > 0.0)) continue;
    least = dalembert::numeric::smaller(entry.*quantity, least);
    largest = dalembert::numeric::larger(entry.*quantity, largest);
  }
  return {std::pow(10.0, std::floor(std::log10(least))),
          std::pow(10.0, std::ceil(std::log10(largest)))};
}

/// A panel with a curve for each method of that form, on the axes of all forms.
dalembert::study::PicturePanel panel_of(dalembert::study::Picture& picture,
                                        const std::vector<Entry>& entries, Form form,
                                        const std::string& title) {
  dalembert::study::PicturePanel panel{.title = title + ", " + text_of(form)};
  panel.x = {.label = "ns per unit of time",
             .logarithmic = true,
             .range = decades_around(entries, &Entry::nanoseconds)};
  panel.y = {
      .label = "error", .logarithmic = true, .range = decades_around(entries, &Entry::error)};
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (entry.form != form) continue;
    if (before == nullptr || !are_alike(*before, entry)) {
      const std::size_t place = picture.entry(entry.method);
      picture.legend[place].group = hue_of(entry.method);
      panel.curves.push_back({.entry = place, .style = dalembert::study::CurveStyle::marked});
    }
    before = &entry;
    panel.curves.back().curve.t.push_back(entry.nanoseconds);
    panel.curves.back().curve.values.push_back(entry.error);
  }
  return panel;
}

}  // namespace

void print_entries(const std::vector<Entry>& entries, const Errors& errors) {
  std::printf(
      "| method | equations | step or tolerance | error | ns per unit of time |\n"
      "|---|---|---|---:|---:|\n");
  for (const Entry& entry : shown(entries, errors.largest))
    std::printf("| %s | %s | %s | %.1e | %.0f |\n", entry.method.c_str(), text_of(entry.form),
                entry.parameter.c_str(), entry.error, entry.nanoseconds);
  std::printf("\n");
}

void print_times_for_errors(const std::vector<Entry>& entries, const Errors& errors) {
  std::printf("| ns per unit of time for an error of | equations |");
  for (const double error : errors.columns) std::printf(" %.0e |", error);
  std::printf("\n|---|---|");
  for (std::size_t i = 0; i < errors.columns.size(); ++i) std::printf("---:|");
  std::printf("\n");
  const std::vector<Entry> rows = shown(entries, errors.largest);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && are_alike(rows[i - 1], rows[i])) continue;
    std::printf("| %s | %s |", rows[i].method.c_str(), text_of(rows[i].form));
    for (const double error : errors.columns) {
      const std::optional<double> time = time_for(rows, rows[i], error);
      std::printf(time ? " %.0f |" : " - |", time.value_or(0.0));
    }
    std::printf("\n");
  }
  std::printf("\n");
}

void draw_entries(const std::string& path, const std::vector<std::vector<Entry>>& by_task,
                  double largest) {
  dalembert::study::Picture picture{.title = "Error at the end against time"};
  for (std::size_t row = 0; row < by_task.size(); ++row) {
    for (const Form form : {Form::positions_and_velocities, Form::coordinates_of_d}) {
      picture.panels.push_back(panel_of(picture, shown(by_task[row], largest), form,
                                        row == 0 ? "transmission" : "chaotic"));
      picture.panels.back().row = row;
      picture.panels.back().column = form == Form::coordinates_of_d ? 1 : 0;
    }
  }
  dalembert::study::write_picture(path, picture);
}

}  // namespace work_precision
