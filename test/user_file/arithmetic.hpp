#pragma once

namespace user_file {

/// Runs what the file instantiates, so that no linker leaves it out.
double use_everything();

}  // namespace user_file
