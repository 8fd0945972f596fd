#include "study_numbers.hpp"

#include "control_numbers.hpp"
#include "demand.hpp"
#include "exactness_numbers.hpp"
#include "order_numbers.hpp"
#include "run_numbers.hpp"
#include "volume_numbers.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

enum class Measure { orders, runs, exactness, controls, volumes };

}  // namespace

ExperimentCode read_study_numbers(const DocumentNode& entry) {
  TableReader table(entry);
  StudyEntry common{.study = as_text(table.require("study")),
                    .settings = read_texts(table.find("set"), {}),
                    .quick_settings = read_texts(table.find("quick_set"), {})};
  if (const DocumentNode* picture = table.find("picture"))
    common.has_picture = as_boolean(*picture);
  const Measure measure = read_word(&table.require("measure"), Measure::orders,
                                    {{"orders", Measure::orders},
                                     {"runs", Measure::runs},
                                     {"exactness", Measure::exactness},
                                     {"controls", Measure::controls},
                                     {"volumes", Measure::volumes}});
  const DocumentNode& numbers = table.require("numbers");
  if (const DocumentNode* quick = table.find("quick")) common.is_quick = as_boolean(*quick);
  const ExperimentCode code =
      measure == Measure::orders     ? read_order_numbers(common, table, numbers)
      : measure == Measure::runs     ? read_run_numbers(common, numbers)
      : measure == Measure::controls ? read_control_numbers(common, table, numbers)
      : measure == Measure::volumes  ? read_volume_numbers(common, numbers)
                                     : read_exactness_numbers(common, numbers);
  table.finish();
  return [code, place = entry.place.text(),
          is_quick = common.is_quick](const ReproductionEffort& effort) {
    if (effort.quick && !is_quick) return ExperimentOutcome{};
    try {
      return code(effort);
    } catch (const RequestError& error) {
      throw error.at(place);
    }
  };
}

}  // namespace dalembert::reproduce
