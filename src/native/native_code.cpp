#include "dalembert/native/native_code.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>

#include "code_cache.hpp"
#include "compiler.hpp"
#include "dalembert/error.hpp"
#include "dalembert/step/detail/stage_loop.hpp"
#include "dalembert/version.hpp"
#include "kernel_text.hpp"
#include "native/text/stage/stage_lanes_text.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

/// Longer tapes take compilers minutes.
constexpr std::size_t longest_tape = 20000;

constexpr std::chrono::milliseconds time_between_looks{50};

/// Doubles of the vectors in which the stages of one trajectory lie; 0 if they do not, or if there
/// are none. The interpreter has them in vectors of four at least.
int stage_width(const StepProgram& program, const NativeOptions& options) {
  constexpr int least = 4;
  const int width = doubles_in_vector(options.instruction_set);
  const std::vector<TapeStages>& stages = program.tape().stages;
  // The set-up, which compensated steps have in each of them, is made for the fallback too.
  const bool fits = width >= least && !stages.empty() && !program.options().compensated &&
                    std::ranges::all_of(
                        stages, [&](const TapeStages& each) { return fit_in_lanes(each, width); });
  return fits ? width : 0;
}

/// Packs of members of a block, and how many go side by side: many where steps are short and wait
/// for each of their operations, one where the compiler has enough to do with it.
NumberForm form_of(const StepProgram& program, const NativeOptions& options) {
  if (options.members == 1) return {.stage_width = stage_width(program, options)};
  constexpr std::size_t short_tape = 150, long_tape = 3000;
  const std::size_t lines = program.tape().code.size();
  const int width = doubles_in_vector(options.instruction_set);
  const int packs = lines <= short_tape ? 4 : lines <= long_tape ? 2 : 1;
  return {width, std::gcd(packs, options.members / width)};
}

/// Lines of a step that are compiled.
std::size_t lines_compiled(const StepProgram& program, const NumberForm& form) {
  const Tape& tape = program.tape();
  if (form.stage_width == 0) return tape.code.size();
  std::size_t lines = tape.further.end - tape.further.begin;
  for (const TapeSection& section : tape.sections)
    if (!section.is_fallback) lines += section.end - section.begin;
  for (const TapeStages& stages : tape.stages) {
    const std::size_t count = stages.nodes.size(),
                      packs = padded_stages(count) / static_cast<std::size_t>(form.stage_width);
    lines += packs * (stages.rates->code.size() + count * stages.before.size());
    if (stages.function != nullptr) lines += packs * 2 * stages.function->code.size();
  }
  return lines;
}

/// How much more a compiler has to do than for one double.
double work_of_form(const NumberForm& form) {
  constexpr double of_vectors = 1.5;
  return form.is_one() ? 1.0 : of_vectors * form.packs;
}

/// What a line takes the interpreter, in lines that add or multiply.
double work_of_line(const Instruction& line) {
  const double n = line.b;
  switch (line.operation) {
    case TapeOperation::sine_cosine:
    case TapeOperation::power:
    case TapeOperation::atan2:
    case TapeOperation::sin:
    case TapeOperation::cos:
    case TapeOperation::tan:
    case TapeOperation::asin:
    case TapeOperation::acos:
    case TapeOperation::atan:
    case TapeOperation::sinh:
    case TapeOperation::cosh:
    case TapeOperation::tanh:
    case TapeOperation::exp:
    case TapeOperation::log:
    case TapeOperation::sinc:
    case TapeOperation::sinhc:
    case TapeOperation::sinc_root:
    case TapeOperation::table:
      return 15.0;
    case TapeOperation::solve:
      return n * n * n / 3.0 + 2.0 * n * n;
    case TapeOperation::factor:
      return n * n * n / 3.0 + n * n;
    case TapeOperation::substitute:
      return n * n;
    default:
      return 1.0;
  }
}

/// What sweeps take it: lines and the moves by rates for each stage, or, where those of one
/// trajectory lie in vectors, as much as for two and for one and some work on the vectors.
double work_of_stages(const TapeStages& stages, bool is_in_vectors) {
  constexpr double sweeps = 9.0, vectors = 2.0, vector_work = 10.0;
  const auto count = static_cast<double>(stages.nodes.size()),
             size = static_cast<double>(stages.before.size()),
             beside = static_cast<double>(stages.path.size()) / count;
  double lines = size * count * (is_in_vectors ? 1.0 : count) + size * vector_work;
  const auto add = [&](const Tape* tape, double places) {
    if (tape == nullptr) return;
    for (const Instruction& line : tape->code)
      lines += (is_in_vectors ? vectors : places) * work_of_line(line);
  };
  add(stages.rates.get(), count);
  add(stages.function.get(), beside);
  return sweeps * lines;
}

/// A file, or a folder with all that is in it, that is removed at the end.
class RemovedFile {
 public:
  explicit RemovedFile(fs::path path) : path_(std::move(path)) {}
  RemovedFile(const RemovedFile&) = delete;
  RemovedFile& operator=(const RemovedFile&) = delete;
  ~RemovedFile() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string compiler_name(const NativeOptions& options) {
  if (!options.compiler.empty()) return options.compiler;
  const char* chosen = std::getenv("DALEMBERT_CC");
  return chosen != nullptr && *chosen != '\0' ? chosen : "cc";
}

/// What tells one compiler from another, without starting it.
std::string identity(const fs::path& compiler) {
  std::error_code error;
  const fs::path real = fs::canonical(compiler, error);
  const auto size = fs::file_size(real, error);
  const auto time =
      static_cast<std::int64_t>(fs::last_write_time(real, error).time_since_epoch().count());
  return real.string() + " " + std::to_string(size) + " " + std::to_string(time);
}

}  // namespace

/// The thread that compiles, and what it finds.
class NativeCode::Work {
 public:
  Work(std::shared_ptr<const StepProgram> program, NativeOptions options)
      : program_(std::move(program)), options_(std::move(options)) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {  // the system gives no more threads
      run();
    }
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    compiler_.cancel();
    if (thread_.joinable()) thread_.join();
    if (library_ != nullptr) dlclose(library_);
  }

  const Kernel* kernel() const { return found_.load(std::memory_order_acquire); }
  bool is_settled() const { return is_settled_.load(std::memory_order_acquire); }
  void wait(const std::atomic<bool>* cancelled) const {
    std::unique_lock lock(mutex_);
    // A handler of signals can set a flag and wake nobody.
    while (!settled_.wait_for(lock, time_between_looks, [this] { return is_settled(); }))
      if (cancelled != nullptr && *cancelled) return;
  }
  std::string refusal() const {
    const std::scoped_lock lock(mutex_);
    return refusal_;
  }

 private:
  void run() {
    std::string refusal;
    try {
      make();
    } catch (const std::exception& error) {
      refusal = error.what();
    }
    const std::scoped_lock lock(mutex_);
    refusal_ = std::move(refusal);
    is_settled_.store(true, std::memory_order_release);
    settled_.notify_all();
  }

  std::vector<std::string> flags() const { return native_flags(options_.instruction_set); }

  void make() {
    if (lines_compiled(*program_, form_of(*program_, options_)) > longest_tape)
      throw RequestError("a step has more than " + std::to_string(longest_tape) + " lines");
    const std::string name = compiler_name(options_);
    const std::optional<fs::path> compiler = find_program(name);
    if (!compiler) throw RequestError("there is no C compiler \"" + name + "\"");
    const fs::path folder = options_.cache.empty() ? CodeCache::usual_folder() : options_.cache;
    if (folder.empty()) throw RequestError("there is no folder for compiled steps");
    const CodeCache cache(folder);
    const std::string text = kernel_text(*program_, options_.members, form_of(*program_, options_));
    std::string origin = version() + " " + identity(*compiler);
    for (const std::string& flag : flags()) origin += " " + flag;
    const std::string key = fingerprint(origin + "\n" + text);
    const std::optional<fs::path> known = cache.find(key);
    if (known || options_.compiles) load(known ? *known : compiled(cache, key, *compiler, text));
  }

  fs::path compiled(const CodeCache& cache, const std::string& key, const fs::path& compiler,
                    const std::string& text) {
    const RemovedFile source(cache.temporary(key, ".c")), target(cache.temporary(key, ".o"));
    std::ofstream file(source.path(), std::ios::binary);
    file << text;
    file.close();
    if (!file) throw OutputError("the file " + source.path().string() + " cannot be written");
    // A compiler that is ended leaves its files behind.
    const RemovedFile scratch(cache.temporary(key, ".d"));
    fs::create_directory(scratch.path());
    const std::string failure =
        compiler_.compile(compiler, flags(), source.path(), target.path(), scratch.path());
    if (!failure.empty()) throw OutputError(failure);
    return cache.take(key, target.path());
  }

  void load(const fs::path& path) {
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      std::error_code ignored;
      fs::remove(path, ignored);  // the next run compiles anew
      throw OutputError(path.string() + " cannot be loaded");
    }
    const NumberForm form = form_of(*program_, options_);
    void* const set_up = dlsym(library_, "dalembert_set_up");
    void* const advance = dlsym(library_, "dalembert_advance");
    if (advance == nullptr || (set_up == nullptr && form.stage_width == 0))
      throw OutputError(path.string() + " has no steps in it");
    kernel_.width = form.width;
    kernel_.members = options_.members;
    kernel_.set_up = set_up == nullptr ? number_kernel().set_up
                                       : reinterpret_cast<decltype(Kernel::set_up)>(set_up);
    kernel_.advance = reinterpret_cast<decltype(Kernel::advance)>(advance);
    found_.store(&kernel_, std::memory_order_release);
  }

  std::shared_ptr<const StepProgram> program_;
  NativeOptions options_;
  CompilerRun compiler_;
  void* library_ = nullptr;
  Kernel kernel_;
  std::atomic<const Kernel*> found_{nullptr};
  std::atomic<bool> is_settled_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable settled_;
  std::string refusal_;
  std::thread thread_;  // the last member: it uses the others
};

NativeCode::NativeCode(std::shared_ptr<const StepProgram> program, const NativeOptions& options) {
  check_available(options.instruction_set);
  if (options.members != 1) {
    const int width = doubles_in_vector(options.instruction_set);
    if (options.members < width || options.members % width != 0) {
      throw RequestError("compiled steps are for 1 member or for blocks of whole vectors of " +
                         std::to_string(width) + ", not for " + std::to_string(options.members) +
                         " members");
    }
  }
  work_ = std::make_unique<Work>(std::move(program), options);
}

NativeCode::~NativeCode() = default;

const Kernel* NativeCode::kernel() const { return work_->kernel(); }
bool NativeCode::is_settled() const { return work_->is_settled(); }
void NativeCode::wait(const std::atomic<bool>* cancelled) const { work_->wait(cancelled); }
std::string NativeCode::refusal() const { return work_->refusal(); }

bool NativeCode::is_faster(const StepProgram& program, const NativeOptions& options) {
  return options.members > 1 || program.tape().stages.empty() ||
         form_of(program, options).stage_width > 0;
}

double NativeCode::seconds_interpreted(const StepProgram& program, std::uint64_t steps,
                                       const NativeOptions& options) {
  const double seconds_per_line = options.members > 1 ? 0.25e-9 : 1.3e-9;
  constexpr double passes = 3.0;
  double lines = 0.0;
  for (const TapeStages& stages : program.tape().stages)
    lines += work_of_stages(stages, options.members == 1);
  for (const TapeSection& section : program.tape().sections) {
    if (section.is_fallback) continue;
    for (std::size_t i = section.begin; i < section.end; ++i)
      lines += (section.loop < 0 ? 1.0 : passes) * work_of_line(program.tape().code[i]);
  }
  return seconds_per_line * lines * static_cast<double>(steps);
}

double NativeCode::seconds_to_compile(const StepProgram& program, const NativeOptions& options) {
  constexpr double first = 0.06, seconds_per_line = 0.5e-3;
  const NumberForm form = form_of(program, options);
  return first +
         seconds_per_line * work_of_form(form) * static_cast<double>(lines_compiled(program, form));
}

}  // namespace dalembert
