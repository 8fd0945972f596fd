// Texts of studies are planned or refused with one sentence, within the limits. Seeds: studies/.

#include <string>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "fuzz.hpp"

using namespace dalembert;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limits() = {100'000, 100, 100};  // so that no input takes long
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const study::Study read = study::read_study(study::parse_document(text, "the study"));
    if (!read.ensemble) static_cast<void>(study::plan_runs(read));
  } catch (const RequestError&) {
    return -1;
  } catch (const OutputError&) {  // a problem's file that is not there
    return -1;
  }
  return 0;
}
