#include "ranked_commands.hpp"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "app/arguments/study_arguments.hpp"
#include "app/command_ensemble.hpp"
#include "app/exit_code.hpp"
#include "app/stored/stored_outputs.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "dalembert/result/copies/flush_seconds.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/ensemble/ranked_ensembles.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/version.hpp"
#include "started_ranks.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// The exit code of all ranks, one of which complains.
int code_of(const Ranks& ranks, const SharedFailure& failure) {
  if (ranks.rank() == 0) complain(failure.sentence);
  return failure.kind == SharedFailure::Kind::output ? input_output : bad_request;
}

/// The work of a rank that has no outputs.
int compute_silently(Ranks& ranks, const std::vector<EnsemblePlan>& own,
                     EnsembleExecution execution) {
  catch_interrupts();
  execution.cancelled = &interrupt_flag();
  execute_ranked(ranks, own, {}, execution, flush_seconds());
  return success;
}

/// The text that rank 0 has.
std::string shared_text(Ranks& ranks, const std::string& of_first) {
  const auto* begin = reinterpret_cast<const std::byte*>(of_first.data());
  const std::vector<std::byte> bytes = ranks.broadcast({begin, begin + of_first.size()});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Refuses processes that were started with another version or study than the first.
std::optional<SharedFailure> differences(Ranks& ranks, const std::string& study) {
  const std::string own = version() + "\n" + study;
  const auto* begin = reinterpret_cast<const std::byte*>(own.data());
  const std::vector<std::vector<std::byte>> all = ranks.gather({begin, own.size()});
  return agree(ranks, [&] {
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      if (all[rank] == all[0]) continue;
      throw RequestError("process " + std::to_string(rank) +
                         " of mpirun was started with another version of dalembert, or another "
                         "study, than process 0; start all of them alike");
    }
  });
}

}  // namespace

int run_on_ranks(Ranks& ranks, const StudyArguments& arguments) {
  const Stopwatch stopwatch;
  const bool is_first = ranks.rank() == 0;
  Study study;
  std::vector<EnsemblePlan> own;
  EnsembleExecution execution;
  if (const auto failure = agree(ranks, [&] {
        execution = chosen_execution(arguments);
        study = chosen_study(arguments);
        if (!study.ensemble) {
          throw RequestError("processes of mpirun compute ensembles together, and the study \"" +
                             arguments.study +
                             "\" has no table [ensemble]; start it without mpirun");
        }
        own = plan_ensembles(study_of_rank(study, ranks), {}, arguments.threads);
      }))
    return code_of(ranks, *failure);
  if (const auto failure = differences(ranks, study.text)) return code_of(ranks, *failure);
  if (is_first) print_notes(study);
  const std::vector<EnsemblePlan> plans = gather_plans(ranks, own);
  if (const auto failure = agree(ranks, [&] {
        if (is_first) announce_ensembles(study, arguments, plans, stopwatch.seconds());
      }))
    return code_of(ranks, *failure);
  if (!is_first) return compute_silently(ranks, own, execution);
  return compute_ensembles(study, plans, {}, arguments, [&](const EnsembleExecution& chosen) {
    return execute_ranked(ranks, own, plans, chosen, flush_seconds());
  });
}

int resume_on_ranks(Ranks& ranks, const RankedResume& request) {
  const bool is_first = ranks.rank() == 0, has_other_end = !request.until.empty();
  std::string text;
  std::optional<ResultLock> lock;
  Study study;
  std::vector<EnsemblePlan> own;
  EnsembleExecution execution;
  auto failure = agree(ranks, [&] {
    execution.threads = request.threads;
    execution.instruction_set = chosen_instruction_set(request.instruction_set);
    if (!is_first) return;
    text = read_hdf5_study(request.file);
    lock.emplace(request.file);
    text = read_hdf5_study(request.file);
  });
  if (failure) return code_of(ranks, *failure);
  text = shared_text(ranks, text);
  if ((failure = differences(ranks, text))) return code_of(ranks, *failure);
  failure = agree(ranks, [&] {
    study = continued_study(text, request.file, request.until);
    if (!study.ensemble)
      throw RequestError("\"" + request.file +
                         "\" holds single runs, which one process goes on with; start it without "
                         "mpirun");
    if (is_first) claim_stored_outputs(study, request.file, request.outputs);
    own = plan_ensembles(study_of_rank(study, ranks), {}, request.threads);
  });
  if (failure) return code_of(ranks, *failure);
  std::vector<EnsemblePlan> plans = gather_plans(ranks, own);
  failure = agree(ranks, [&] {
    if (is_first)
      execution.resume_from = ensembles_to_resume(study, request.file, has_other_end, plans);
  });
  if (failure) return code_of(ranks, *failure);
  if (!is_first) return compute_silently(ranks, own, execution);
  const int code = go_on_with_ensembles(
      study, plans, std::move(*lock), execution, [&](const EnsembleExecution& chosen) {
        return execute_ranked(ranks, own, plans, chosen, flush_seconds());
      });
  write_stored_outputs(study, request.file, request.outputs);
  return code;
}

}  // namespace dalembert::app
