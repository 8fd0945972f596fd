#pragma once

#include "draft.hpp"

namespace dalembert {

/// Gives registers slots: pinned ones keep theirs, temporaries share.
Tape allocate(const TapeDraft& draft);

}  // namespace dalembert
