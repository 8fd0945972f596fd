#pragma once

#include <string>
#include <string_view>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A system as text: its description and all its equations, node by node. What it is restored to
/// compiles to the same tapes, bit for bit, for every method; a printed formula would not, as it
/// does not keep the order of terms.
std::string serialise(const System& system);

/// The system of a text that `serialise` has written. RequestError where the text is damaged or
/// something else, and where its equations make no sense.
System deserialise_system(std::string_view text);

}  // namespace dalembert
