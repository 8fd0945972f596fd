#include "dalembert/result/ensemble_csv.hpp"

#include <fmt/core.h>

#include <ostream>

#include "dalembert/document/output_file.hpp"
#include "dalembert/result/csv_result.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "study/ensemble/ensemble_summary.hpp"

namespace dalembert::study {
namespace {

std::string number(double value) { return fmt::format("{}", value); }  // reads back the same

std::string statistics_text(const EnsembleResult& result) {
  std::string text = "t,alive";
  for (const QuantityStatistics& quantity : result.quantities)
    for (const char* column : ensemble_columns) text += "," + quantity.name + "_" + column;
  text += '\n';
  for (std::size_t i = 0; i < result.t.size(); ++i) {
    text += number(result.t[i]) + "," + std::to_string(result.alive[i]);
    for (const QuantityStatistics& quantity : result.quantities)
      for (const double value : column_values(quantity.records[i])) text += "," + number(value);
    text += '\n';
  }
  return text;
}

void write_members(std::ostream& out, const EnsemblePlan& plan, const EnsembleResult& result) {
  const RecordColumns& columns = plan.run.columns;
  const MemberStates initial = initial_states(plan), final = final_states(plan, result);
  std::string text = "member,failed_in_step,t";
  for (const char* when : {"initial_", "final_"}) {
    for (std::size_t i = columns.q_begin(); i < columns.energy(); ++i)
      text += "," + (when + columns.names[i]);
  }
  out << text << '\n';
  auto failure = result.failures.begin();
  for (std::size_t member = 0; member < result.size(); ++member) {
    const std::size_t of_all = plan.first_member() + member;
    text = std::to_string(of_all) + ",";
    if (failure != result.failures.end() && failure->member == of_all)
      text += std::to_string((failure++)->step);
    text += "," + number(final.t(member));
    for (const MemberStates* states : {&initial, &final}) {
      std::vector<double> values;
      for (const auto& part : {states->q(member), states->v(member), states->lambda(member)})
        values.insert(values.end(), part.begin(), part.end());
      for (std::size_t i = columns.q_begin(); i < columns.energy(); ++i)
        text += values.empty() ? "," : "," + number(values[i - columns.q_begin()]);
    }
    out << text << '\n';
  }
}

}  // namespace

EnsembleCsv::EnsembleCsv(std::filesystem::path directory) : directory_(std::move(directory)) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) {
    throw OutputError("cannot make the directory \"" + directory_.string() +
                      "\": " + error.message());
  }
  check_writable(directory_ / "0001.csv");
}

void EnsembleCsv::write(const EnsemblePlan& plan, const EnsembleResult& result) const {
  std::filesystem::path path = directory_ / csv_file_name(plan.run);
  OutputFile(path).write(statistics_text(result));
  path.replace_extension("members.csv");
  OutputFile(path).write([&](std::ostream& out) { write_members(out, plan, result); });
}

}  // namespace dalembert::study
