#pragma once

#include "draft.hpp"

namespace dalembert {

/// About how many cycles pass from the operands of a line to its result, through memory.
long latency_of(const TapeDraft::Line& line);
/// About how many cycles pass until the next line can be taken up.
long issue_of(const TapeDraft::Line& line);

/// Orders the lines of each section so that long chains start early and their waiting time is
/// filled.
void schedule(TapeDraft& draft);

}  // namespace dalembert
