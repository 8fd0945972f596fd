// Texts of problems are loaded or refused with one sentence, within the limits. Seeds: problems/.

#include <string>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "fuzz.hpp"

using namespace dalembert;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limits() = {20'000, 100, 100};  // so that no input takes long
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    make_problem(study::read_problem(study::parse_document(text, "the problem"), "fuzzed"));
  } catch (const RequestError&) {
    return -1;
  }
  return 0;
}
