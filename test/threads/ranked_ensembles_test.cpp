// Ensembles of several ranks, which are threads here: the bits of one process.

#include "dalembert/study/ensemble/ranked_ensembles.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_result.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

using Bytes = std::vector<std::byte>;

/// What threads share to be ranks.
struct Meeting {
  explicit Meeting(std::size_t ranks)
      : count(ranks), all(ranks), everyone(static_cast<std::ptrdiff_t>(ranks)) {}
  const std::size_t count;
  std::vector<Bytes> all;
  std::barrier<> everyone;
};

class ThreadRanks : public Ranks {
 public:
  ThreadRanks(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}
  std::size_t rank() const override { return rank_; }
  std::size_t count() const override { return meeting_.count; }
  std::vector<Bytes> gather(std::span<const std::byte> own) override {
    meeting_.all[rank_].assign(own.begin(), own.end());
    meeting_.everyone.arrive_and_wait();
    std::vector<Bytes> gathered = rank_ == 0 ? meeting_.all : std::vector<Bytes>{};
    meeting_.everyone.arrive_and_wait();
    return gathered;
  }
  Bytes broadcast(Bytes of_first) override {
    if (rank_ == 0) meeting_.all[0] = std::move(of_first);
    meeting_.everyone.arrive_and_wait();
    Bytes copy = meeting_.all[0];
    meeting_.everyone.arrive_and_wait();
    return copy;
  }
  Bytes scatter(std::vector<Bytes> of_first) override {
    if (rank_ == 0) meeting_.all = std::move(of_first);
    meeting_.everyone.arrive_and_wait();
    Bytes own = meeting_.all[rank_];
    meeting_.everyone.arrive_and_wait();
    return own;
  }
  [[noreturn]] void end_all(int exit_code) override { std::exit(exit_code); }

 private:
  Meeting& meeting_;
  std::size_t rank_;
};

/// act(ranks) on so many threads.
template <class Act>
void on_threads(std::size_t count, Act act) {
  Meeting meeting(count);
  std::vector<std::jthread> threads;
  for (std::size_t rank = 0; rank < count; ++rank) {
    threads.emplace_back([&meeting, &act, rank] {
      ThreadRanks ranks(meeting, rank);
      act(ranks);
    });
  }
}

/// Some members fall over a cliff and fail, some have no start on the level of energy.
Study cliff(const std::string& until) {
  return read_study(parse_document(R"(
[system]
name = "cliff"
coordinates = ["x"]
[system.lagrangian]
kinetic = "x_dot^2/2"
potential = "x^2/2 - x^4/4"
[ensemble]
size = 100
q = ["a"]
energy = 0.245
attempts = 1
[ensemble.random]
a = { uniform = [0.5, 1.5] }
[run]
step = 0.1
record_every = 3
until = )" + until + R"(
[[method]]
name = "leapfrog"
)",
                                   "test"));
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void check_same(const EnsembleResult& a, const EnsembleResult& b) {
  CHECK(a.status == b.status);
  CHECK(a.message == b.message);
  CHECK(a.t == b.t);
  CHECK(a.alive == b.alive);
  CHECK(a.steps == b.steps);
  CHECK(a.member_steps == b.member_steps);
  CHECK(a.growth_errors.size() == b.growth_errors.size());
  CHECK(same(a.variance.exponent, b.variance.exponent));
  REQUIRE(a.quantities.size() == b.quantities.size());
  for (std::size_t i = 0; i < a.quantities.size(); ++i) {
    REQUIRE(a.quantities[i].records.size() == b.quantities[i].records.size());
    for (std::size_t k = 0; k < a.quantities[i].records.size(); ++k) {
      const SampleStatistics &x = a.quantities[i].records[k], &y = b.quantities[i].records[k];
      CHECK(x.count == y.count);
      CHECK(same(x.mean, y.mean));
      CHECK(same(x.variance, y.variance));
      for (std::size_t q = 0; q < x.quantiles.size(); ++q)
        CHECK(same(x.quantiles[q], y.quantiles[q]));
    }
  }
  REQUIRE(a.state.points.size() == b.state.points.size());
  for (std::size_t i = 0; i < a.state.points.size(); ++i) {
    CHECK(same(a.state.points[i].q[0], b.state.points[i].q[0]));
    CHECK(same(a.state.points[i].v[0], b.state.points[i].v[0]));
    CHECK(a.state.points.time(i) == b.state.points.time(i));
  }
}

}  // namespace

TEST_CASE("ranks come to the results of one process, from the begin and from an earlier end") {
  for (const std::string until : {"12.0", "12.05"}) {
    const Study study = cliff(until);
    const std::vector<EnsemblePlan> plans = plan_ensembles(study);
    const EnsembleResult one = execute_ensembles(plans, {})[0];
    CHECK(one.status == RunResult::Status::failed);
    const Study earlier = cliff("6.0");
    for (const std::size_t count : {1U, 2U, 3U, 7U}) {
      EnsembleResult together, resumed;
      std::size_t shown = 0;
      on_threads(count, [&](Ranks& ranks) {
        const std::vector<EnsemblePlan> own = plan_ensembles(study_of_rank(study, ranks));
        const std::vector<EnsemblePlan> whole = gather_plans(ranks, own);
        CHECK(whole.empty() == (ranks.rank() != 0));
        EnsembleExecution execution;
        execution.on_records = [&](const EnsemblePlan& plan, const EnsembleResult& so_far) {
          CHECK(plan.starts->size() == 100);
          CHECK(so_far.state.points.size() == plan.starts->count());
          ++shown;
        };
        std::vector<EnsembleResult> results = execute_ranked(ranks, own, whole, execution, 0.0);
        CHECK(results.size() == whole.size());
        if (ranks.rank() == 0) together = std::move(results[0]);

        // The first half alone, then by these ranks to the end.
        const std::vector<EnsemblePlan> first = plan_ensembles(earlier);
        EnsembleExecution on;
        if (ranks.rank() == 0) on.resume_from = execute_ensembles(first, {});
        results = execute_ranked(ranks, own, whole, on);
        if (ranks.rank() == 0) resumed = std::move(results[0]);
      });
      CHECK(shown > 1);
      check_same(together, one);
      check_same(resumed, one);
    }
  }
}

TEST_CASE("an interrupt of one rank stops all after the same records") {
  const Study study = cliff("1e7");
  std::atomic<bool> interrupt = false;
  on_threads(3, [&](Ranks& ranks) {
    const std::vector<EnsemblePlan> own = plan_ensembles(study_of_rank(study, ranks));
    const std::vector<EnsemblePlan> whole = gather_plans(ranks, own);
    EnsembleExecution execution;
    execution.cancelled = ranks.rank() == 2 ? &interrupt : nullptr;
    execution.on_records = [&](const EnsemblePlan&, const EnsembleResult& so_far) {
      if (so_far.t.size() > 1) interrupt = true;
    };
    const std::vector<EnsembleResult> results = execute_ranked(ranks, own, whole, execution, 0.0);
    if (ranks.rank() != 0) return;
    CHECK(results[0].status == RunResult::Status::interrupted);
    CHECK(results[0].state.step == results[0].steps);
    CHECK(results[0].t.back() == doctest::Approx(0.1 * static_cast<double>(results[0].steps)));
    CHECK(results[0].steps > 0);
  });
}

TEST_CASE("what goes wrong at one rank is known to all") {
  on_threads(3, [](Ranks& ranks) {
    CHECK(!agree(ranks, [] {}));
    const auto failure = agree(ranks, [&] {
      if (ranks.rank() == 1) throw OutputError("no disk");
      if (ranks.rank() == 2) throw std::runtime_error("no luck");
    });
    REQUIRE(failure.has_value());
    CHECK(failure->kind == SharedFailure::Kind::output);
    CHECK(failure->sentence == "no disk");
    Study small = cliff("1.0");
    small.ensemble->size = 20;
    CHECK_THROWS_AS(study_of_rank(small, ranks), RequestError);  // two blocks for three ranks
  });
}

TEST_CASE("threads draw the starts that one does") {
  Study study = cliff("1.0");
  study.ensemble->size = 3000;
  const std::vector<EnsemblePlan> one = plan_ensembles(study),
                                  several = plan_ensembles(study, {}, 3);
  const MemberStarts &a = *one[0].starts, &b = *several[0].starts;
  REQUIRE(a.size() == 3000);
  REQUIRE(b.size() == 3000);
  CHECK(a.count() < 3000);
  CHECK(a.failures() == b.failures());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].q == b[i].q);
    CHECK(a[i].v == b[i].v);
  }
}
