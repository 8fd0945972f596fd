#pragma once
// Ranges, tics and labels of the axes of a panel. Only for the sources of this room.

#include <string>

#include "dalembert/picture/picture.hpp"
#include "layout.hpp"

namespace dalembert::study {

/// The commands for both axes of a panel.
std::string axes_commands(const PicturePanel& panel, const PictureLayout& layout);

}  // namespace dalembert::study
