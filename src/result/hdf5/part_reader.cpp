// Reading the parts of an ensemble from their result files.
#include "dalembert/result/hdf5/part_reader.hpp"

#include <sstream>

#include "dalembert/document/toml.hpp"
#include "dalembert/result/hdf5/ensemble_reader.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {
namespace {

/// The study of a part, and that of the whole as text.
struct PartStudy {
  EnsemblePart part;
  std::string whole;
};

PartStudy study_of_part(const std::string& file, const std::vector<Method>& own_methods) {
  const std::string text = read_hdf5_study(file);
  const Study study = continued_study(text, file, "", own_methods);
  if (!study.ensemble || !study.ensemble->part) {
    throw RequestError("\"" + file +
                       "\" is no part of an ensemble; parts are computed by dalembert ensemble "
                       "STUDY --part 3/64 --out FILE");
  }
  DocumentNode whole = parse_document(text, file);
  std::erase_if(whole.find("ensemble")->table(),
                [](const TableEntry& entry) { return entry.first == "part"; });
  return {*study.ensemble->part, to_toml(whole)};
}

/// RequestError with the first line in which the studies of two files differ.
[[noreturn]] void refuse_other_study(const NamedPart& one, const std::string& its_study,
                                     const NamedPart& other, const std::string& other_study) {
  std::istringstream lines(its_study), other_lines(other_study);
  std::string line, other_line;
  while (line == other_line && (lines || other_lines)) {
    line.clear();
    other_line.clear();
    std::getline(lines, line);
    std::getline(other_lines, other_line);
  }
  throw RequestError("\"" + one.name + "\" and \"" + other.name +
                     "\" are parts of different studies: the first has the line " + line +
                     ", the second " + other_line);
}

}  // namespace

PartFiles find_parts(const std::vector<std::filesystem::path>& files,
                     const std::vector<Method>& own_methods) {
  PartFiles found;
  std::string study;
  for (const std::filesystem::path& file : files) {
    PartStudy of_part = study_of_part(file.string(), own_methods);
    found.parts.push_back({file.string(), of_part.part});
    if (study.empty()) study = of_part.whole;
    if (of_part.whole != study)
      refuse_other_study(found.parts.front(), study, found.parts.back(), of_part.whole);
  }
  check_coverage(found.parts);
  found.study = continued_study(study, found.parts.front().name, "", own_methods);
  found.study.files.assign(files.begin(), files.end());
  return found;
}

std::vector<EnsembleResult> read_parts(const PartFiles& files, std::vector<EnsemblePlan>& plans) {
  std::vector<std::vector<EnsembleResult>> by_plan(plans.size());
  for (const NamedPart& part : files.parts) {
    std::vector<EnsemblePlan> of_part;
    for (const EnsemblePlan& plan : plans) of_part.push_back(plan_of_part(plan, part.part));
    std::vector<EnsembleResult> results =
        read_hdf5_ensembles(part.name, of_part, {.record_every = files.study.record_every});
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (results[i].status == RunResult::Status::interrupted) {
        throw RequestError("\"" + part.name +
                           "\" has not come to its end; go on with: dalembert "
                           "resume " +
                           part.name);
      }
      plans[i].run.record_every = of_part[i].run.record_every;
      by_plan[i].push_back(std::move(results[i]));
    }
  }
  std::vector<EnsembleResult> merged;
  for (std::size_t i = 0; i < plans.size(); ++i)
    merged.push_back(merge_parts(plans[i], files.parts, std::move(by_plan[i])));
  return merged;
}

}  // namespace dalembert::study
