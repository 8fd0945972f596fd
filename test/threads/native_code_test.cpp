// Compiled steps: their bits, the folder they are kept in, and every reason to do without them.

#include "dalembert/native/native_code.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/step/stepper.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "study/execution/native_steps.hpp"
#include "support/cache_of_test.hpp"
#include "support/small_systems.hpp"
#include "support/temporary_folder.hpp"

using namespace dalembert;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<const StepProgram> program_of(const std::string& method, bool compensated = false) {
  return StepProgram::compile(test_support::pendulum_cvt().system, make_method({method}),
                              {.compensated = compensated});
}

/// All numbers of the state after some steps.
std::vector<double> numbers_after(Stepper& stepper, std::uint64_t steps, double h_factor = 1.0) {
  const test_support::SmallSystem made = test_support::pendulum_cvt();
  // The pendulum turns over, so that its angle is wrapped.
  Point point = stepper.make_point(made.q, std::vector{0.0, 0.0, 1.5 * made.v[2]});
  stepper.set_step(0.1 * h_factor);
  const StepReport report = stepper.advance(point, 0.0, 0, steps);
  std::vector<double> numbers{static_cast<double>(report.status), static_cast<double>(report.steps),
                              static_cast<double>(report.iterations), report.residual, point.t};
  visit_state(stepper.program(), point,
              [&](std::uint32_t, double& value) { numbers.push_back(value); });
  // A nan is one as another.
  for (double& number : numbers)
    if (std::isnan(number)) number = -12345.0;
  return numbers;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    files.push_back(entry.path());
  return files;
}

/// A program that takes the place of a compiler.
std::string script(const fs::path& folder, const std::string& text) {
  const fs::path path = folder / "compiler";
  std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path.string();
}

std::string refusal_of(const NativeOptions& options) {
  const NativeCode code(program_of("dla01"), options);
  code.wait();
  CHECK(code.is_settled());
  CHECK(code.kernel() == nullptr);
  return code.refusal();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Compiled steps leave the bits of the interpreter") {
  const test_support::TemporaryFolder folder;
  int not_finite = 0, not_converged = 0;
  for (const char* method :
       {"dla01", "dla", "leapfrog", "discrete-derivative", "lobatto", "gauss", "newmark"}) {
    for (const bool compensated : {false, true}) {
      CAPTURE(method);
      CAPTURE(compensated);
      const auto program = program_of(method, compensated);
      const NativeCode code(program, {.cache = folder.path()});
      code.wait();
      REQUIRE(code.refusal() == "");
      Stepper interpreted(program, 0.1), native(program, 0.1);
      native.set_kernel(*code.kernel());
      CHECK(numbers_after(native, 3000) == numbers_after(interpreted, 3000));
      // Steps that are refused, for either reason.
      for (const double h_factor : {30.0, 50.0, 120.0, 1e300}) {
        const std::vector<double> numbers = numbers_after(native, 60, h_factor);
        CHECK(numbers == numbers_after(interpreted, 60, h_factor));
        const auto status = static_cast<StepStatus>(numbers.front());
        not_finite += status == StepStatus::not_finite;
        not_converged += status == StepStatus::not_converged;
      }
    }
  }
  CHECK(not_finite >= 7);
  CHECK(not_converged >= 6);
}

TEST_CASE("A stepper switches between two steps and keeps its bits") {
  const test_support::TemporaryFolder folder;
  const auto program = program_of("lobatto");
  Stepper interpreted(program, 0.1), switching(program, 0.1);
  const auto code = std::make_shared<NativeCode>(program, NativeOptions{.cache = folder.path()});
  switching.switch_when_ready(code);
  // Looks for it while it goes on.
  std::uint64_t runs = 0;
  for (; !switching.has_switched() && code->refusal().empty() && runs < 100000; ++runs)
    CHECK(numbers_after(switching, 1500) == numbers_after(interpreted, 1500));
  CHECK(code->refusal() == "");
  CHECK(switching.has_switched());
  CHECK(numbers_after(switching, 5000) == numbers_after(interpreted, 5000));
}

TEST_CASE("A stepper does without a kernel that has other bits") {
  class Wrong : public LaterKernel {
   public:
    const Kernel* kernel() const override { return &wrong_; }
    bool is_settled() const override { return true; }

   private:
    Kernel wrong_{1, 1, number_kernel().set_up,
                  [](const StepView& view, void* slots, void* workspace, std::uint64_t first,
                     std::uint64_t steps, AdvanceReport* reports) {
                    number_kernel().advance(view, slots, workspace, first, steps, reports);
                    double& last = static_cast<double*>(slots)[view.entries[0].input];
                    last += 0x1p-52;
                  }};
  };
  const auto program = program_of("leapfrog");
  Stepper interpreted(program, 0.1), doubting(program, 0.1);
  doubting.switch_when_ready(std::make_shared<Wrong>());
  CHECK(numbers_after(doubting, 100) == numbers_after(interpreted, 100));
  CHECK(!doubting.has_switched());
}

TEST_CASE("What was compiled is found again, unless it is damaged") {
  const test_support::TemporaryFolder folder, tools;
  const fs::path count = tools.path() / "count";
  const NativeOptions options{
      .compiler = script(tools.path(), "echo . >> " + count.string() + "\nexec cc \"$@\""),
      .cache = folder.path() / "within" / "kept"};
  const auto program = program_of("leapfrog");
  const auto compiled_times = [&] {
    std::error_code none;
    return fs::exists(count) ? fs::file_size(count, none) / 2 : 0;
  };
  const auto make = [&] {
    const NativeCode code(program, options);
    code.wait();
    CHECK(code.refusal() == "");
    REQUIRE(code.kernel() != nullptr);
    Stepper interpreted(program, 0.1), native(program, 0.1);
    native.set_kernel(*code.kernel());
    CHECK(numbers_after(native, 100) == numbers_after(interpreted, 100));
  };
  make();
  CHECK(compiled_times() == 1);
  make();
  CHECK(compiled_times() == 1);
  const std::vector<fs::path> files = files_in(options.cache);
  REQUIRE(files.size() == 1);  // nothing is left of the work
  CHECK((fs::status(options.cache).permissions() & fs::perms::all) == fs::perms::owner_all);
  const auto size = fs::file_size(files.front());
  fs::resize_file(files.front(), size / 2);
  make();
  CHECK(compiled_times() == 2);
  {
    std::fstream file(files.front(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size / 2));
    file.put('\x55').put('\xaa').put('\x55');
  }
  make();
  CHECK(compiled_times() == 3);
  // A file that another may write to is not loaded.
  fs::permissions(files.front(), fs::perms::others_write, fs::perm_options::add);
  make();
  CHECK(compiled_times() == 4);
}

TEST_CASE("Several compile the same at the same time") {
  const test_support::TemporaryFolder folder;
  const auto program = program_of("dla");
  std::vector<std::unique_ptr<NativeCode>> codes;
  for (int i = 0; i < 4; ++i)
    codes.push_back(std::make_unique<NativeCode>(program, NativeOptions{.cache = folder.path()}));
  for (const auto& code : codes) {
    code->wait();
    CHECK(code->refusal() == "");
    CHECK(code->kernel() != nullptr);
  }
  CHECK(files_in(folder.path()).size() == 1);
}

TEST_CASE("Every reason to do without compiled steps is told") {
  const test_support::TemporaryFolder folder, tools;
  const fs::path& cache = folder.path();
  CHECK(refusal_of({.compiler = "no-such-compiler", .cache = cache}) ==
        "there is no C compiler \"no-such-compiler\"");
  const auto refusal_by = [&](const std::string& text) {
    return refusal_of({.compiler = script(tools.path(), text), .cache = cache});
  };
  CHECK(contains(refusal_by("exit 3"), "failed with exit code 3"));
  CHECK(contains(refusal_by("kill -9 $$"), "was ended by signal 9"));
  CHECK(contains(refusal_by("exit 0"), "has written nothing"));
  // It is told where to write by the word after -o.
  const std::string target = "while [ \"$1\" != -o ]; do shift; done; ";
  CHECK(contains(refusal_by(target + "echo nonsense > $2"), "cannot be loaded"));
  CHECK(contains(refusal_by(target + "echo 'int x;' | cc -shared -x c - -o $2"),
                 "has no steps in it"));
  const fs::path open = folder.path() / "open";
  fs::create_directory(open);
  fs::permissions(open, fs::perms::all);
  CHECK(contains(refusal_of({.cache = open}), "others may write"));
  const fs::path file = folder.path() / "file";
  std::ofstream(file) << "in the way\n";
  CHECK(contains(refusal_of({.cache = file / "below"}), "cannot be made"));
}

TEST_CASE("Who does not wait ends the compiler") {
  const test_support::TemporaryFolder folder, tools;
  const auto begin = std::chrono::steady_clock::now();
  {
    const NativeCode code(
        program_of("dla01"),
        {.compiler = script(tools.path(), "sleep 600 & sleep 600"), .cache = folder.path()});
    CHECK(!code.is_settled());
    CHECK(code.kernel() == nullptr);
  }
  // Not a measure of speed: without an end it would be ten minutes.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::minutes(5));
  CHECK(files_in(folder.path()).empty());
}

TEST_CASE("What was not compiled before can be done without") {
  const test_support::TemporaryFolder folder;
  const auto program = program_of("leapfrog");
  const auto kernel_of = [&](bool compiles) {
    const NativeCode code(program, {.cache = folder.path(), .compiles = compiles});
    code.wait();
    CHECK(code.refusal() == "");
    return code.kernel() != nullptr;
  };
  CHECK(!kernel_of(false));
  CHECK(kernel_of(true));
  CHECK(kernel_of(false));
}

TEST_CASE("Estimates grow with the tape and the steps") {
  const auto small = program_of("leapfrog"), large = program_of("energy-collocation");
  CHECK(NativeCode::seconds_to_compile(*large) > NativeCode::seconds_to_compile(*small));
  CHECK(NativeCode::seconds_interpreted(*large, 10) > NativeCode::seconds_interpreted(*small, 10));
  CHECK(NativeCode::seconds_interpreted(*small, 1000) ==
        doctest::Approx(100.0 * NativeCode::seconds_interpreted(*small, 10)));
  // Sines take longer than sums and products.
  const auto polynomial =
      StepProgram::compile(test_support::chaotic().system, make_method({"leapfrog"}));
  const auto seconds_of_line = [](const StepProgram& program) {
    return NativeCode::seconds_interpreted(program, 1) /
           static_cast<double>(program.tape().code.size());
  };
  CHECK(seconds_of_line(*small) > 1.5 * seconds_of_line(*polynomial));
}

TEST_CASE("Runs of some hundredths of a second look for steps that were compiled before") {
  const test_support::CacheOfTest cache;
  study::NativeSteps steps({}, {});
  const char* const text =
      "problem = \"pendulum-cvt\"\ninitial = { name = \"oscillating\" }\n"
      "run = { step = 0.1, steps = 1, native = \"auto\" }\n"
      "method = [{ name = \"leapfrog\" }]\n";
  study::RunPlan plan =
      study::plan_runs(study::read_study(study::parse_document(text, "text"))).front();
  // Some 0.1 us each.
  CHECK(steps.of(plan, 40000) == nullptr);
  CHECK(steps.of(plan, 400000) != nullptr);
  plan.native = NativeUse::off;
  CHECK(steps.of(plan, 400000) == nullptr);
}

TEST_CASE("Compiled steps watch what the interpreter watches, and end where it does") {
  const test_support::TemporaryFolder folder;
  const test_support::SmallSystem made = test_support::pendulum_cvt();
  for (const char* method : {"leapfrog", "lobatto"}) {
    CAPTURE(method);
    const auto program =
        StepProgram::compile(made.system, make_method({method}), {.watched = true});
    const NativeCode code(program, {.cache = folder.path()});
    code.wait();
    REQUIRE(code.kernel() != nullptr);
    Stepper interpreted(program, 0.1), compiled(program, 0.1);
    compiled.set_kernel(*code.kernel());
    Point a = interpreted.make_point(made.q, made.v), b = a;
    for (Stepper* stepper : {&interpreted, &compiled}) stepper->watch();
    CHECK(interpreted.advance(a, 0.0, 0, 1000).steps == 1000);
    CHECK(compiled.advance(b, 0.0, 0, 1000).steps == 1000);
    const auto [lowest, highest] = interpreted.range(0);
    CHECK(lowest < highest);
    for (std::size_t i = 0; i < program->watched().size(); ++i) {
      CHECK(interpreted.range(i).lowest == compiled.range(i).lowest);
      CHECK(interpreted.range(i).highest == compiled.range(i).highest);
    }
    // Somewhere in the second half of what the energy has been.
    for (Stepper* stepper : {&interpreted, &compiled})
      stepper->set_bounds(0, {lowest, lowest / 2.0 + highest / 2.0});
    const StepReport seen = interpreted.advance(a, 0.0, 1000, 100000),
                     met = compiled.advance(b, 0.0, 1000, 100000);
    CHECK(seen.status == StepStatus::ok);
    CHECK(seen.steps < 100000);
    CHECK(met.steps == seen.steps);
    CHECK(a.v == b.v);
  }
}
