// Reading the parts of an ensemble from their result files.
#include "dalembert/result/hdf5/part_reader.hpp"

#include <map>
#include <string>

#include "dalembert/result/hdf5/ensemble_reader.hpp"

namespace dalembert::study {

PartFiles find_parts(const std::vector<std::filesystem::path>& files,
                     const std::vector<Method>& own_methods) {
  std::vector<NamedStudy> studies;
  std::map<std::string, std::filesystem::path> by_name;
  for (const std::filesystem::path& file : files) {
    studies.push_back({"\"" + file.string() + "\"", read_hdf5_study(file)});
    by_name[studies.back().name] = file;
  }
  PartFiles found{whole_of_parts(studies, own_methods), {}};
  for (const NamedPart& part : found.whole.parts) found.files.push_back(by_name.at(part.name));
  return found;
}

std::vector<EnsembleResult> read_parts(const PartFiles& parts, std::vector<EnsemblePlan>& plans) {
  std::vector<std::vector<EnsembleResult>> by_plan(plans.size());
  for (std::size_t k = 0; k < parts.files.size(); ++k) {
    std::vector<EnsemblePlan> of_part;
    for (const EnsemblePlan& plan : plans)
      of_part.push_back(plan_of_part(plan, parts.whole.parts[k].part));
    std::vector<EnsembleResult> results = read_hdf5_ensembles(
        parts.files[k], of_part, {.record_every = parts.whole.study.record_every});
    for (std::size_t i = 0; i < plans.size(); ++i) {
      plans[i].run.record_every = of_part[i].run.record_every;
      by_plan[i].push_back(std::move(results[i]));
    }
  }
  std::vector<EnsembleResult> merged;
  for (std::size_t i = 0; i < plans.size(); ++i)
    merged.push_back(merge_parts(plans[i], parts.whole.parts, std::move(by_plan[i])));
  return merged;
}

}  // namespace dalembert::study
