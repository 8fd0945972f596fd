#pragma once

#include <string_view>

namespace dalembert {

/// The Greek letter of that name, as "psi" or "Omega", in UTF-8; "" if there is none that differs
/// from a Latin one.
std::string_view greek_letter(std::string_view name);

}  // namespace dalembert
