#pragma once

#include <string>
#include <vector>

#include "dalembert/method/method.hpp"

namespace dalembert::study {

/// A method from a text such as "dla01", "dla(alpha=0.4)" or "compose(base=dla(alpha=1/2),
/// scheme=suzuki-4)", the form in which tables print methods; texts with commas stand in quotes, as
/// in lobatto(nodes="0, 1/2, 1"); then options "alpha=0.4" that replace
/// or add to those in the text. Numbers may be constant expressions. RequestError, saying what is
/// wrong, for a text that is not of this form and for a number that cannot be read;
/// RequestError for an unknown method. Options are checked by `make_method`.
MethodSpec parse_method(const std::string& text, const std::vector<std::string>& settings = {});

}  // namespace dalembert::study
