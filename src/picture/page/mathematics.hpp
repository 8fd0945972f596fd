#pragma once
// Formulas in sentences, for pages. Only for the sources of this room and of the reports.

#include <string>
#include <string_view>

namespace dalembert::study {

/// The text as HTML, with what is written as in a file shown as in a paper: DLA^{1/2}, x_1, h^2,
/// +-, ->, <=, 8e-05 and names of Greek letters. Names that a user types stay as they are: those
/// with underscores, and options such as alpha=0.4.
std::string html_with_mathematics(std::string_view text);

}  // namespace dalembert::study
