#pragma once

#include <string>
#include <vector>

#include "reproduce/reproduce.hpp"

namespace dalembert::reproduce {

/// A row per claim: its number, verdict, what was measured.
std::string reproduction_text(const std::vector<Reproduced>& results);
std::string reproduction_json(const std::vector<Reproduced>& results, bool quick);

}  // namespace dalembert::reproduce
