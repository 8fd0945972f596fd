#pragma once

namespace dalembert::study {

/// Seconds between flushes of a result file: about one, or what the environment variable
/// DALEMBERT_FLUSH_SECONDS says; zero flushes at every record, which is for tests.
double flush_seconds();

}  // namespace dalembert::study
