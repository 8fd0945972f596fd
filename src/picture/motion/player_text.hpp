#pragma once

#include <string_view>

namespace dalembert::study {

/// The program of a page that plays a motion; the build makes its source from player.js.
std::string_view player_text();
/// Its SHA-256, in hexadecimal digits.
std::string_view player_hash();

}  // namespace dalembert::study
