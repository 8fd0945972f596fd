#include "dalembert/study/ensemble/merge_parts.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/measure/sample/sample_moments.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {
namespace {

/// The statistics of one record of a quantity over the members of all parts.
SampleStatistics merged_record(const std::vector<NamedPart>& parts,
                               const std::vector<const QuantityStatistics*>& of_parts,
                               std::size_t record, bool has_values) {
  MomentTree tree;
  std::vector<double> values;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<MomentTree::Node> nodes = parts[i].part.nodes();
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      nodes[k].moments = of_parts[i]->moments.at(record).at(k);
      tree.add(nodes[k]);
    }
    if (!has_values) continue;
    const std::vector<double>& of_part = of_parts[i]->values.at(record);
    values.insert(values.end(), of_part.begin(), of_part.end());
  }
  SampleStatistics all = statistics_of(tree.total());
  if (has_values) add_quantiles(all, values);
  return all;
}

QuantityStatistics merged_quantity(const std::vector<NamedPart>& parts,
                                   const std::vector<EnsembleResult>& results, std::size_t which,
                                   std::size_t threads) {
  std::vector<const QuantityStatistics*> of_parts;
  for (const EnsembleResult& result : results) of_parts.push_back(&result.quantities.at(which));
  const std::size_t records = results.front().t.size();
  const bool has_values = std::ranges::all_of(of_parts, [&](const QuantityStatistics* quantity) {
    return quantity->values.size() == records;
  });
  QuantityStatistics all{.name = of_parts.front()->name};
  all.records.resize(records);
  parallel_for(threads, records, [&](std::size_t record, std::size_t) {
    all.records[record] = merged_record(parts, of_parts, record, has_values);
  });
  return all;
}

struct StudyOfPart {
  EnsemblePart part;
  std::string whole;  ///< the study of the whole
};

StudyOfPart study_of_part(const NamedStudy& named, const std::vector<Method>& own_methods) {
  const Study study = continued_study(named.text, named.name, "", own_methods);
  if (!study.ensemble || !study.ensemble->part) {
    throw RequestError(named.name +
                       " is no part of an ensemble; parts are computed by dalembert ensemble "
                       "STUDY --part 3/64 --out FILE");
  }
  DocumentNode whole = parse_document(named.text, named.name);
  std::erase_if(whole.find("ensemble")->table(),
                [](const TableEntry& entry) { return entry.first == "part"; });
  return {*study.ensemble->part, to_toml(whole)};
}

/// The first line of a text that another does not have.
std::string own_line(const std::string& text, const std::string& other) {
  std::set<std::string> known;
  std::istringstream lines(text), other_lines(other);
  for (std::string line; std::getline(other_lines, line);) known.insert(line);
  for (std::string line; std::getline(lines, line);)
    if (!known.contains(line)) return line;
  return "";
}

/// RequestError with a line that only one of the studies of two parts has.
[[noreturn]] void refuse_other_study(const std::string& one, const std::string& study_of_one,
                                     const std::string& two, const std::string& study_of_two) {
  std::string difference;
  const auto add = [&](const std::string& name, const std::string& line) {
    if (line.empty()) return;
    difference += (difference.empty() ? ": only " : ", and only ") + name + " has the line " + line;
  };
  add(one, own_line(study_of_one, study_of_two));
  add(two, own_line(study_of_two, study_of_one));
  throw RequestError(one + " and " + two + " are parts of different studies" + difference);
}

void check_complete(const std::vector<NamedPart>& parts,
                    const std::vector<EnsembleResult>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].status == RunResult::Status::interrupted)
      throw RequestError(parts[i].name + " has not come to its end; resume it first");
  }
}

void check_records(const std::vector<NamedPart>& parts,
                   const std::vector<EnsembleResult>& results) {
  const EnsembleResult& first = results.front();
  for (std::size_t i = 1; i < results.size(); ++i) {
    if (results[i].t == first.t && results[i].growth_t == first.growth_t &&
        results[i].steps == first.steps)
      continue;
    throw RequestError(parts[i].name + " has other records than " + parts[0].name);
  }
}

}  // namespace

void check_coverage(std::vector<NamedPart>& parts) {
  if (parts.empty()) throw RequestError("there is no part to merge");
  std::ranges::stable_sort(parts, {}, [](const NamedPart& part) { return part.part.number; });
  const NamedPart& first = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].part.of != first.part.of) {
      throw RequestError(parts[i].name + " is part " + parts[i].part.text() + ", and " +
                         first.name + " is part " + first.part.text() +
                         "; parts of one ensemble are of the same number of parts");
    }
    if (parts[i].part.number == parts[i - 1].part.number) {
      throw RequestError(parts[i - 1].name + " and " + parts[i].name + " are both part " +
                         parts[i].part.text() + "; give one of them");
    }
  }
  std::vector<std::uint64_t> missing;
  auto next = parts.begin();
  for (std::uint64_t number = 1; number <= first.part.of; ++number) {
    const bool is_there = next != parts.end() && next->part.number == number;
    is_there ? static_cast<void>(++next) : missing.push_back(number);
  }
  if (missing.empty()) return;
  throw RequestError(parts_text(missing, first.part.of) + (missing.size() == 1 ? " is" : " are") +
                     " missing");
}

WholeOfParts whole_of_parts(const std::vector<NamedStudy>& studies,
                            const std::vector<Method>& own_methods) {
  WholeOfParts whole;
  std::string study;
  for (const NamedStudy& named : studies) {
    StudyOfPart of_part = study_of_part(named, own_methods);
    whole.parts.push_back({named.name, of_part.part});
    if (study.empty()) study = of_part.whole;
    if (of_part.whole != study)
      refuse_other_study(studies.front().name, study, named.name, of_part.whole);
  }
  check_coverage(whole.parts);
  whole.study = continued_study(study, whole.parts.front().name, "", own_methods);
  return whole;
}

EnsemblePlan plan_of_part(const EnsemblePlan& whole, const EnsemblePart& part) {
  EnsemblePlan plan = whole;
  plan.part = part;
  plan.starts = std::make_shared<const MemberStarts>(whole.starts->range(
      static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.end)));
  return plan;
}

void append_members(EnsembleState& all, const EnsembleState& part) {
  for (const MemberFailure& failure : part.failures) {
    all.failures.push_back(failure);
    all.failures.back().member += all.points.size();
  }
  Point point = empty_point(*part.points.program());
  for (std::size_t i = 0; i < part.points.size(); ++i) {
    part.points.get(i, point);
    all.points.push_back(point);
  }
}

EnsembleResult merge_records(const EnsemblePlan& whole, const std::vector<NamedPart>& parts,
                             const std::vector<EnsembleResult>& results, std::size_t threads) {
  check_records(parts, results);
  EnsembleResult all;
  all.members = whole.starts->size();
  all.steps = results.front().steps;
  all.t = results.front().t;
  all.growth_t = results.front().growth_t;
  all.alive.resize(all.t.size(), 0);
  all.growth_errors.resize(all.growth_t.size());
  for (std::size_t i = 0; i < results.front().quantities.size(); ++i)
    all.quantities.push_back(merged_quantity(parts, results, i, threads));
  for (const EnsembleResult& part : results) {
    for (std::size_t i = 0; i < all.t.size(); ++i) all.alive[i] += part.alive[i];
    for (std::size_t i = 0; i < all.growth_t.size(); ++i)
      std::ranges::copy(part.growth_errors[i], std::back_inserter(all.growth_errors[i]));
  }
  return all;
}

EnsembleResult merge_parts(const EnsemblePlan& whole, const std::vector<NamedPart>& parts,
                           std::vector<EnsembleResult> results) {
  check_complete(parts, results);
  EnsembleResult all = merge_records(whole, parts, results);
  all.status = RunResult::Status::ok;
  all.state.step = results.front().state.step;
  all.state.points = MemberPoints(whole.run.program);
  for (EnsembleResult& part : results) {
    append_members(all.state, part.state);
    all.member_steps += part.member_steps;
    all.newton_iterations += part.newton_iterations;
    all.seconds += part.seconds;
    all.stepper_seconds += part.stepper_seconds;
    part = {};
  }
  return all;
}

}  // namespace dalembert::study
