#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dalembert {

/// The candidate that a wrong name was most likely meant to be, or "". Wrong, missing, further and
/// exchanged neighbouring letters count one each, capitals nothing: one of them in a name of up to
/// four letters, two in one of up to eight, a third of a longer one. Otherwise a candidate that
/// begins with the name, or that the name begins with, from three letters on.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// The sentence end `; did you mean "x"?` or `; known are a, b` for a name that is not among
/// `candidates`.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

/// Names from elsewhere, each with the one that stands for it here.
using OtherNames = std::span<const std::pair<std::string_view, std::string_view>>;
/// The name here of one from elsewhere; "" where there is none.
std::string_view meant_by(std::string_view name, OtherNames others);

}  // namespace dalembert
