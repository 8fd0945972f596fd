#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

const char* status_text(RunResult::Status status) {
  switch (status) {
    case RunResult::Status::ok:
      return "ok";
    case RunResult::Status::failed:
      return "failed";
    case RunResult::Status::interrupted:
      break;
  }
  return "interrupted";
}

}  // namespace dalembert::study
