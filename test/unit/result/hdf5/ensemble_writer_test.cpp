#include "dalembert/result/hdf5/ensemble_writer.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/result/hdf5/ensemble_reader.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::TemporaryFile;

namespace {

Study ensemble_study(int steps) {
  return read_study(
      parse_document("problem = \"chaotic\"\n[ensemble]\nsize = 6\nseed = 3\nenergy = 3.0\n[run]\n"
                     "step = 0.1\nrecord_every = 10\nsteps = " +
                         std::to_string(steps) + "\n[[method]]\nname = \"dla\"\n",
                     "text"));
}

EnsembleResult ensemble_to_file(const std::filesystem::path& path, const Study& study, bool goes_on,
                                std::vector<EnsembleResult> before = {}) {
  const std::vector<EnsemblePlan> plans = plan_ensembles(study);
  EnsembleHdf5 file =
      goes_on ? EnsembleHdf5(ResultLock(path), study, plans) : EnsembleHdf5(path, study, plans);
  EnsembleExecution execution;
  execution.resume_from = std::move(before);
  EnsembleResult result = execute_ensembles(plans, execution).at(0);
  file.finish(plans[0], result);
  file.close();
  return result;
}

EnsembleResult read_ensemble_file(const std::filesystem::path& path, const Study& study,
                                  bool has_other_end = false) {
  std::vector<EnsemblePlan> plans = plan_ensembles(study);
  return read_hdf5_ensembles(path, plans, {.has_other_end = has_other_end}).at(0);
}

void check_same_ensemble(const EnsembleResult& a, const EnsembleResult& b) {
  CHECK(a.steps == b.steps);
  CHECK(a.t == b.t);
  CHECK(a.alive == b.alive);
  REQUIRE(a.quantities.size() == b.quantities.size());
  for (std::size_t i = 0; i < a.quantities.size(); ++i) {
    CHECK(a.quantities[i].name == b.quantities[i].name);
    REQUIRE(a.quantities[i].records.size() == b.quantities[i].records.size());
    for (std::size_t k = 0; k < a.quantities[i].records.size(); ++k) {
      CHECK(a.quantities[i].records[k].mean == b.quantities[i].records[k].mean);
      CHECK(a.quantities[i].records[k].quantiles == b.quantities[i].records[k].quantiles);
    }
  }
  REQUIRE(a.state.points.size() == b.state.points.size());
  for (std::size_t i = 0; i < a.state.points.size(); ++i) {
    CHECK(a.state.points[i].q == b.state.points[i].q);
    CHECK(a.state.points[i].v == b.state.points[i].v);
  }
  CHECK(a.growth_errors == b.growth_errors);
}

}  // namespace

TEST_CASE("an ensemble reads back from its file as the same numbers") {
  const TemporaryFile file(".h5");
  const EnsembleResult made = ensemble_to_file(file.path(), ensemble_study(100), false);
  CHECK(made.t.size() == 11);
  CHECK(made.state.points.size() == 6);
  check_same_ensemble(read_ensemble_file(file.path(), ensemble_study(100)), made);
}

TEST_CASE("an ensemble that goes on from its file ends with the bits of one that never stopped") {
  const TemporaryFile file(".h5"), whole(".h5");
  ensemble_to_file(file.path(), ensemble_study(35),
                   false);  // off the grid of records
  std::vector<EnsembleResult> before{read_ensemble_file(file.path(), ensemble_study(100), true)};
  const EnsembleResult parts =
      ensemble_to_file(file.path(), ensemble_study(100), true, std::move(before));
  check_same_ensemble(parts, ensemble_to_file(whole.path(), ensemble_study(100), false));
  check_same_ensemble(read_ensemble_file(file.path(), ensemble_study(100)),
                      read_ensemble_file(whole.path(), ensemble_study(100)));
}
