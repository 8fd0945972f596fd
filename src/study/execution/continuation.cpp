#include "dalembert/study/execution/continuation.hpp"

#include "dalembert/document/toml.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert::study {

namespace {

/// A step that was chosen by its error stays, wherever the run ends.
void keep_chosen_step(DocumentNode& run) {
  const DocumentNode* end = run.find("until");
  if (end == nullptr || run.find("tolerance") == nullptr || run.find("tolerance_until") != nullptr)
    return;
  run.table().push_back({"tolerance_until", *end});
}

}  // namespace

Study continued_study(const std::string& text, const std::string& place, const std::string& until,
                      const std::vector<Method>& own_methods) {
  DocumentNode document = parse_document(text, place);
  if (until.empty()) return read_study(document, std::filesystem::path(), own_methods);
  if (const DocumentNode* sweep = document.find("sweep"); sweep != nullptr && sweep->is_table()) {
    for (const char* key : {"run.until", "run.steps"})
      if (sweep->find(key) != nullptr)
        throw RequestError(place + ": the ends of its runs are swept (" + key +
                           "), so that none of them is later for all; resume it without an end");
  }
  if (DocumentNode* run = document.find("run"); run != nullptr && run->is_table()) {
    std::erase_if(run->table(), [](const TableEntry& entry) { return entry.first == "steps"; });
    keep_chosen_step(*run);
  }
  apply_setting(document, "run.until=" + until);
  document.find("run")->find("until")->place = {"until = " + until};
  return read_study(document, std::filesystem::path(), own_methods);
}

void refuse_earlier_end(const Study& study, const RunPlan& plan, double reached) {
  if (!study.until) return;
  // A method that takes whole steps only ends at the nearest.
  const double before = plan.last_step > 0.0 ? 0.0 : 0.5 * plan.step;
  if (reached <= *study.until + before) return;
  throw RequestError("the end " + to_string(*study.until) + " is before t = " + to_string(reached) +
                     ", which the result has reached; give a later time");
}

}  // namespace dalembert::study
