// Result files with changed bytes are read or refused, and nothing else. An input is a list of
// changes to a good file, so that it is short: the file is made at the begin, or named by
// DALEMBERT_FUZZ_RESULT.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "fuzz.hpp"

namespace {

using namespace dalembert;
using namespace dalembert::study;
namespace fs = std::filesystem;

const char* study_text =
    "problem = \"pendulum-cvt\"\n[initial]\nname = \"rotating\"\n[run]\nstep = 0.1\nsteps = 60\n"
    "[[method]]\nname = \"dla\"\n[[diagnostic]]\nkind = \"section\"\nof = \"sin(xi)\"\n";

struct Good {
  Good()
      : path(fs::temp_directory_path() /
             ("dalembert-fuzz-" + std::to_string(std::random_device{}()) + ".h5")) {
    const char* given = std::getenv("DALEMBERT_FUZZ_RESULT");
    if (given == nullptr) {
      make();
    } else {
      fs::copy_file(given, path, fs::copy_options::overwrite_existing);
    }
    text = read_hdf5_study(path);
    plans = plan_runs(read_study(parse_document(text, "the study")));
    std::ifstream file(path, std::ios::binary);
    bytes = {std::istreambuf_iterator<char>(file), {}};
  }
  Good(const Good&) = delete;
  Good& operator=(const Good&) = delete;
  ~Good() { fs::remove(path); }

  void make() const {
    const Study asked = read_study(parse_document(study_text, "the study"));
    const std::vector<RunPlan> made = plan_runs(asked);
    Hdf5Sink sink(path, asked, made);
    ExecutionOptions options;
    options.sinks = {&sink};
    execute_runs(made, options);
    sink.close();
  }

  fs::path path;
  std::string text, bytes;
  std::vector<RunPlan> plans;
};

std::size_t place(fuzz::Bytes& input, std::size_t size) {
  std::size_t value = 0;
  for (int i = 0; i < 3; ++i) value = value << 8 | input.next();
  // Descriptions stand near the begin.
  return value % (value % 2 == 0 ? size : std::min<std::size_t>(size, 8192));
}

std::string changed(std::string bytes, fuzz::Bytes& input) {
  for (int change = 0; change < 8 && !input.empty(); ++change) {
    const unsigned kind = input.next() % 8;
    const std::size_t at = place(input, bytes.size()), count = 1 + input.next() % 16;
    if (kind == 0) {
      bytes.resize(std::max<std::size_t>(at, 1));
    } else if (kind == 1) {
      bytes.replace(at, count, bytes.substr(place(input, bytes.size()), count));
    } else if (kind == 2) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << count % 8));
    } else if (kind == 3) {
      bytes.replace(at, count, std::string(count, count % 2 == 0 ? '\0' : '\xff'));
    } else {
      bytes[at] = static_cast<char>(input.next());
    }
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Good good;
  fuzz::Bytes input(data, size);
  std::ofstream(good.path, std::ios::binary) << changed(good.bytes, input);
  try {
    if (read_hdf5_study(good.path) == good.text) {
      std::vector<RunPlan> plans = good.plans;
      read_hdf5_results(good.path, plans);
    }
  } catch (const OutputError&) {
    return -1;
  }
  return 0;
}
