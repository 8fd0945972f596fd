// Runs a target, or libFuzzer does in its place: every file named is run as it is, then changed
// copies of these, by a fixed random seed. An input that ends the program, or
// takes minutes, is kept.
//
//   fuzz_angles [--runs N] [--seconds S] [--seed K] [--keep FILE] [FILE or FOLDER]...

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz.hpp"

namespace {

using Input = std::string;
constexpr std::size_t longest_input = 4096;
/// An input that takes longer hangs: the slowest of a build with sanitizers take a tenth of it.
constexpr unsigned most_seconds = 120;

const char* kept_file = "fuzz-found";
Input current;  // read by the handler of a signal

int run(const Input& input) {
  current = input;
  alarm(most_seconds);
  return LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()),
                                current.size());
}

extern "C" void keep_input(int signal) {
  if (std::FILE* file = std::fopen(kept_file, "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

Input content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void add_seeds(const std::filesystem::path& path, std::vector<Input>& seeds) {
  if (!std::filesystem::is_directory(path)) {
    seeds.push_back(content(path));
    return;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) seeds.push_back(content(file));
}

/// Bytes, for targets that take numbers from them.
std::vector<Input> random_seeds(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Input> seeds(200);
  for (Input& input : seeds) {
    for (std::size_t size = 20 + random() % 600; size > 0; --size)
      input += static_cast<char>(random());
  }
  return seeds;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<Input>& seeds) : random_(seed), seeds_(seeds) {}

  Input next() {
    Input input = pick(learnt_.empty() || random_() % 3 == 0 ? seeds_ : learnt_);
    for (std::size_t count = 1 + random_() % 4; count > 0; --count) change(input);
    if (input.size() > longest_input) input.resize(longest_input);
    return input;
  }

  /// Inputs that were not refused are changed further, beside the seeds.
  void learn(const Input& input) {
    if (learnt_.size() < 1000) {
      learnt_.push_back(input);
    } else {
      learnt_[random_() % learnt_.size()] = input;
    }
  }

 private:
  const Input& pick(const std::vector<Input>& list) { return list[random_() % list.size()]; }
  std::size_t place(const Input& input) { return random_() % (input.size() + 1); }

  void change(Input& input) {
    static const char* words[] = {
        "(", ")", "[",   "]",  ",",    "+",     "-",    "*",    "/",      "^",     "x",  "1e300",
        "0", "1", "nan", "\"", "\n",   "=",     "sin(", "sum(", "i,1,9,", "sqrt(", "t",  "pi",
        "{", "}", ".",   "-1", "1e-9", "each(", "w[i]", "abs",  "99",     "#",     "[[", "atan2("};
    const std::size_t at = place(input), length = random_() % 12;
    switch (random_() % 7) {
      case 0:
        input.insert(at, words[random_() % std::size(words)]);
        break;
      case 1:
        input.erase(at, 1 + length);
        break;
      case 2:
        if (at < input.size()) input[at] = static_cast<char>(random_());
        break;
      case 3:
        input.insert(at, 1, static_cast<char>(32 + random_() % 95));
        break;
      case 4:  // a piece of another input
        input.insert(at, pick(seeds_).substr(0, 1 + random_() % 40));
        break;
      case 5:  // a piece of its own, elsewhere
        if (!input.empty()) input.insert(at, input.substr(random_() % input.size(), 1 + length));
        break;
      default:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << random_() % 8));
    }
  }

  std::mt19937_64 random_;
  const std::vector<Input>& seeds_;
  std::vector<Input> learnt_;
};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 1000, seed = 1;
  double seconds = 1e9;
  std::vector<Input> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--runs" && has_value) {
      runs = static_cast<std::uint64_t>(std::stod(argv[++i]));
    } else if (argument == "--seconds" && has_value) {
      seconds = std::stod(argv[++i]);
    } else if (argument == "--seed" && has_value) {
      seed = std::stoull(argv[++i]);
    } else if (argument == "--keep" && has_value) {
      kept_file = argv[++i];
    } else {
      add_seeds(argument, seeds);
    }
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGALRM})
    std::signal(signal, keep_input);
  for (const Input& input : seeds) run(input);
  if (seeds.empty()) seeds = random_seeds(seed);
  Mutator mutator(seed, seeds);
  std::uint64_t done = 0, accepted = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (; done < runs && passed() < seconds; ++done) {
    const Input input = mutator.next();
    if (run(input) == 0) {
      mutator.learn(input);
      ++accepted;
    }
  }
  std::printf("%zu seeds and %llu inputs (%llu not refused) in %.1f s, nothing found\n",
              seeds.size(), static_cast<unsigned long long>(done),
              static_cast<unsigned long long>(accepted), passed());
}
