#pragma once

namespace dalembert::study {

/// "ok", "failed" or "interrupted".
template <class Status>
const char* outcome_word(Status status) {
  return status == Status::ok ? "ok" : status == Status::failed ? "failed" : "interrupted";
}

}  // namespace dalembert::study
