#pragma once
// Pictures on pages: panels that stand side by side where there is room and below each other on a
// phone, with a legend in text. Only for the sources of this room.

#include <string>

#include "dalembert/picture/picture.hpp"

namespace dalembert::study {

/// The style of what follows; once on a page.
extern const char* const picture_style;

std::size_t picture_columns(const Picture& picture);
/// Opens the grid of so many columns; `</div>` closes it.
std::string panels_begin(std::size_t columns);
/// The panels, each an element of a grid. `name` keeps the pictures of one page apart.
std::string panels_html(const Picture& picture, const std::string& name);
/// The legend; empty where there is one entry.
std::string legend_html(const Picture& picture);

}  // namespace dalembert::study
