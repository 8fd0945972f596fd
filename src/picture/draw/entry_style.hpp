#pragma once
// Colours, symbols and dashes of the entries of a legend. Only for the sources of this room.

#include <string>

#include "dalembert/picture/picture.hpp"

namespace dalembert::study {

/// Whether a curve consists of so many points that they are drawn as small dots.
bool is_cloud(const PictureCurve& drawn);

/// The options with which gnuplot draws an entry.
std::string entry_style(const Picture& picture, std::size_t entry);

}  // namespace dalembert::study
