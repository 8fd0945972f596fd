#pragma once

#include "draft.hpp"

namespace dalembert {

/// Orders the lines of each section so that long chains start early and their waiting time is
/// filled.
void schedule(TapeDraft& draft);

}  // namespace dalembert
