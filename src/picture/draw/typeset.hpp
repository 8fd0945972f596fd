#pragma once
// Names and formulas as a paper shows them, in the markup of gnuplot's enhanced texts. Only for the
// sources of this room.

#include <cstddef>
#include <string>
#include <string_view>

namespace dalembert::study {

/// The label of an axis: names of columns and formulas, as "theta_1_dot (rad/s)", "x1^2" or
/// "R[1,3]". Greek letters are written as such; an index stands below after a single letter or a
/// Greek one; a dot stands above for a rate. Longer names are words: "driver energy".
std::string formula_markup(std::string_view text);

/// A line that contains names and formulas, as the legend and titles of panels do: as above, but
/// longer names and those in "dla(alpha=0.4)" or "delta-robot" stay as they are.
std::string sentence_markup(std::string_view text);

/// The text as it stands, whatever is in it.
std::string plain_markup(std::string_view text);

/// The number of characters that a reader of the markup sees.
std::size_t shown_length(std::string_view markup);

}  // namespace dalembert::study
