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

/// A size such as "8.5cmx6cm" or "8.5cm", in cm, mm, in or pt. RequestError with a clause that
/// begins with "is", for who knows where the text stands.
PictureSize parse_picture_size(const std::string& text);
/// A range such as "0:10" or "-pi:pi". RequestError as above.
std::pair<double, double> parse_axis_range(const std::string& text);
/// The size of a font in points, from 4 to 40; RequestError as above for any other.
double checked_font_size(double points);

/// The look with those of the keys size, font_size, x_range, y_range, title, x_label, y_label and
/// legend that are there. RequestError with the place of what is wrong.
PictureLook read_look(TableReader& table);

/// `look` with everything that `changes` says.
PictureLook with_changes(PictureLook look, const PictureLook& changes);

}  // namespace dalembert::study
