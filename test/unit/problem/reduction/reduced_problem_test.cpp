#include "dalembert/problem/reduction/reduced_problem.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

std::vector<double> accelerations_of(const System& system, const std::vector<double>& q,
                                     const std::vector<double>& v) {
  const Symbols s = system.symbols();
  StateFunction<double> found(system, s, system.eliminated(s.q, s.v, s.t).acceleration);
  const auto values = found(0.0, q, v);
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("what the library says of reductions holds, and what is written is the reduced system") {
  std::size_t measured = 0;
  for (const std::string& name : problem_names()) {
    const ProblemFile file = read_problem_file(find_problem(name));
    if (!file.reduction) continue;
    ++measured;
    const Problem problem = load_problem(name);
    for (const bool in_tau : {false, true}) {
      for (const bool reconstructs : {false, true}) {
        CAPTURE(name);
        CAPTURE(in_tau);
        const ChaplyginReduction reduction =
            reduce_problem(file, problem, {.hamiltonize = in_tau, .reconstruct = reconstructs});
        CHECK(reduction.request.symmetry == file.reduction->symmetry);
        const std::string text = reduced_problem_text(file, problem, reduction);
        const ProblemFile written = read_problem(parse_document(text, "reduced.toml"), "reduced");
        const Problem read = make_problem(written);
        CHECK(written.starts.size() >= 1);
        const Start& start = read.starts.front();
        const std::vector<double> expected = accelerations_of(reduction.system, start.q, start.v);
        const std::vector<double> found = accelerations_of(read.system, start.q, start.v);
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
          CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-14));
      }
    }
  }
  CHECK(measured == 3);  // who gives a problem a [reduction] counts it here
}

TEST_CASE("what is chosen takes the place of what the file says") {
  const ProblemFile file = read_problem_file(find_problem("particle-free"));
  const Problem problem = load_problem("particle-free");
  const ChaplyginReduction other = reduce_problem(file, problem, {.symmetry = {"x"}});
  CHECK(other.left == std::vector<std::size_t>{1, 2});
  CHECK_THROWS_WITH_AS(
      reduce_problem(file, problem, {.multiplier = "1/(1 + y^2)", .hamiltonize = true}),
      doctest::Contains("does not reduce it"), RequestError);
  CHECK_THROWS_WITH_AS(
      reduce_problem(file, problem, {.multiplier = "1/(1 + yy^2)", .hamiltonize = true}),
      doctest::Contains("--multiplier"), RequestError);
}
