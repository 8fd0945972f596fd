#pragma once

#include <optional>
#include <string>
#include <utility>

#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// Size of a picture on paper, in centimetres. Without a height that follows from the panels.
struct PictureSize {
  double width = 0.0;                 ///< in cm
  std::optional<double> height = {};  ///< in cm
};

/// Look of a picture, whatever it shows.
struct PictureLook {
  std::optional<PictureSize> size = {};  ///< as large as the panels need, if not given
  std::optional<double> font_size = {};  ///< in points
  std::optional<std::pair<double, double>> x_range = {}, y_range = {};  ///< of all panels
  std::optional<std::string> title = {}, x_label = {}, y_label = {};    ///< "" for none
  std::optional<bool> legend = {};                                      ///< shown if not given
};

/// The look with those keys of look_page that are there. RequestError with the place of what is
/// wrong.
PictureLook read_look(TableReader& table, PictureLook look = {});

}  // namespace dalembert::study
