#include "dalembert/study/ensemble/ranked_ensembles.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <memory>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/measure/sample/quantile_search.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/study/ensemble/merge_parts.hpp"
#include "dalembert/study/run_result.hpp"
#include "rank_messages.hpp"

namespace dalembert::study {
namespace {

using Clock = std::chrono::steady_clock;

/// The part of the members that a rank has.
EnsemblePart part_of_rank(std::uint64_t rank, std::uint64_t count, std::uint64_t members) {
  return ensemble_part(rank + 1, count, members);
}

/// What an ensemble has come to on all ranks, as rank 0 knows it.
class Collection {
 public:
  Collection(const EnsemblePlan& whole, std::size_t ranks, EnsembleResult before)
      : whole_(whole), result_(std::move(before)) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      parts_.push_back(
          {"rank " + std::to_string(rank), part_of_rank(rank, ranks, whole.starts->size())});
  }

  void add_records(const std::vector<EnsembleResult>& fresh, std::size_t threads) {
    EnsembleResult all = merge_records(whole_, parts_, fresh, threads);
    result_.members = all.members;
    result_.steps = all.steps;
    append(result_.t, all.t);
    append(result_.alive, all.alive);
    append(result_.growth_t, all.growth_t);
    append(result_.growth_errors, all.growth_errors);
    if (result_.quantities.empty()) {
      result_.quantities = std::move(all.quantities);
      return;
    }
    for (std::size_t i = 0; i < all.quantities.size(); ++i)
      append(result_.quantities[i].records, all.quantities[i].records);
  }

  void set_states(const std::vector<Message>& states) {
    EnsembleState all;
    all.points = MemberPoints(whole_.run.program);
    for (const Message& bytes : states) {
      MessageReader message(bytes);
      const EnsembleState state = get_state(message, whole_.run.program);
      all.step = state.step;
      append_members(all, state);
    }
    result_.state = std::move(all);
  }

  EnsembleResult& result() { return result_; }

  /// Number and extremes of each quantity at the records from some on.
  Message extremes(std::size_t from) const {
    MessageWriter message;
    for (const QuantityStatistics& quantity : result_.quantities) {
      for (std::size_t i = from; i < quantity.records.size(); ++i) {
        const SampleStatistics& record = quantity.records[i];
        message.put(SampleMoments{.count = record.count, .min = record.min, .max = record.max});
      }
    }
    return message.take();
  }

  /// What a part goes on from: its state and how many records there are.
  Message before(std::size_t rank) const {
    const EnsemblePart& part = parts_[rank].part;
    EnsembleResult of_part;
    of_part.steps = result_.steps;
    of_part.t = result_.t;
    of_part.alive.resize(result_.t.size());
    of_part.state.step = result_.state.step;
    // Members without a start have no state.
    std::size_t begin = 0, end = 0;
    whole_.starts->for_each([&](std::size_t member, auto, auto) {
      begin += member < part.first ? 1 : 0;
      end += member < part.end ? 1 : 0;
    });
    const EnsembleState& state = result_.state;
    if (!state.points.empty()) {
      of_part.state.points = MemberPoints(whole_.run.program);
      Point point = empty_point(*whole_.run.program);
      for (std::size_t i = begin; i < end; ++i) {
        state.points.get(i, point);
        of_part.state.points.push_back(point);
      }
    }
    for (const MemberFailure& failure : state.failures) {
      if (failure.member < begin || failure.member >= end) continue;
      of_part.state.failures.push_back(failure);
      of_part.state.failures.back().member -= begin;
    }
    MessageWriter message;
    message.put(result_.status);
    put_records(message, of_part, 0, 0);
    message.put(!state.points.empty());
    if (!state.points.empty()) put_state(message, of_part.state);
    return message.take();
  }

 private:
  template <class T>
  static void append(std::vector<T>& all, const std::vector<T>& fresh) {
    all.insert(all.end(), fresh.begin(), fresh.end());
  }

  const EnsemblePlan& whole_;
  std::vector<NamedPart> parts_;
  EnsembleResult result_;
};

/// One ensemble on all ranks.
class RankedExecution {
 public:
  RankedExecution(Ranks& ranks, const EnsemblePlan& own, const EnsemblePlan* whole,
                  const EnsembleExecution& execution, EnsembleResult before,
                  double seconds_between_states)
      : ranks_(ranks),
        own_(own),
        whole_(whole),
        execution_(execution),
        between_states_(seconds_between_states) {
    if (whole != nullptr) collection_.emplace(*whole, ranks.count(), std::move(before));
  }

  EnsembleResult operator()() {
    EnsembleExecution of_part = execution_;
    of_part.cancelled = &stops_;
    of_part.passes_values_on = true;
    of_part.window_members = members_per_rank();
    of_part.on_records = [this](const EnsemblePlan&, const EnsembleResult& so_far) {
      exchange(so_far);
    };
    of_part.resume_from = {begin()};
    sent_records_ = of_part.resume_from[0].t.size();
    EnsembleResult result = std::move(execute_ensembles({own_}, of_part)[0]);
    return conclude(result);
  }

 private:
  /// As many as the largest part has: all ranks have windows of the same length.
  std::size_t members_per_rank() const {
    std::uint64_t most = 0;
    for (std::size_t rank = 0; rank < ranks_.count(); ++rank) {
      const EnsemblePart part = part_of_rank(rank, ranks_.count(), own_.part->members_of_all);
      most = std::max<std::uint64_t>(most, part.end - part.first);
    }
    return static_cast<std::size_t>(most);
  }

  /// What the own part goes on from.
  EnsembleResult begin() {
    std::vector<Message> messages;
    for (std::size_t rank = 0; rank < ranks_.count() && collection_; ++rank)
      messages.push_back(collection_->before(rank));
    const Message bytes = ranks_.scatter(std::move(messages));
    MessageReader message(bytes);
    const auto status = message.get<RunResult::Status>();
    EnsembleResult before = get_records(message);
    before.status = status;
    if (message.get<bool>()) before.state = get_state(message, own_.run.program);
    return before;
  }

  /// Rank 0 gets the new records of all, and says whether to stop, and whether it wants states.
  void exchange(const EnsembleResult& so_far) {
    MessageWriter own;
    own.put(execution_.cancelled != nullptr && execution_.cancelled->load());
    put_records(own, so_far, sent_records_, sent_growth_);
    const std::size_t first = sent_records_;
    sent_records_ = so_far.t.size();
    sent_growth_ = so_far.growth_t.size();
    const std::vector<Message> messages = ranks_.gather(own.take());
    MessageWriter decision;
    if (collection_) {
      bool stops = false;
      std::vector<EnsembleResult> fresh;
      for (const Message& bytes : messages) {
        MessageReader message(bytes);
        stops = message.get<bool>() || stops;
        fresh.push_back(get_records(message));
      }
      collection_->add_records(fresh, execution_.threads);
      const std::chrono::duration<double> since = Clock::now() - states_taken_;
      decision.put(stops);
      decision.put(execution_.on_records != nullptr && since.count() >= between_states_);
    }
    const Message decided = ranks_.broadcast(decision.take());
    MessageReader message(decided);
    if (message.get<bool>()) stops_ = true;
    const bool wants_state = message.get<bool>();
    find_quantiles(so_far, first);
    if (wants_state) show(so_far.state);
  }

  /// One quantity at one new record.
  struct Search {
    QuantileSearch search;
    const std::vector<double>* own;  // values of the members of this rank
    QuantileSearch::Counts counts = {};
    std::vector<std::uint32_t> wanted = {};
    std::vector<double> kept = {};
  };

  /// Those of the records from some on, by two looks at the values, which stay where they are but
  /// for the few that lie beside a quantile.
  void find_quantiles(const EnsembleResult& so_far, std::size_t first) {
    if (first == so_far.t.size()) return;
    const Message shared = ranks_.broadcast(collection_ ? collection_->extremes(first) : Message{});
    MessageReader extremes(shared);
    std::vector<Search> searches;
    for (const QuantityStatistics& quantity : so_far.quantities) {
      for (std::size_t i = first; i < so_far.t.size(); ++i)
        searches.push_back({QuantileSearch(extremes.get<SampleMoments>()), &quantity.values[i]});
    }
    for_each_search(searches, [](Search& at) { at.counts = at.search.counts(*at.own); });
    sum_counts(searches);
    share_wanted(searches);
    for_each_search(searches,
                    [](Search& at) { at.kept = at.search.values_in(at.wanted, *at.own); });
    gather_kept(searches);
    if (!collection_) return;
    auto next = searches.begin();
    for (QuantityStatistics& quantity : collection_->result().quantities) {
      for (std::size_t i = first; i < quantity.records.size(); ++i, ++next)
        quantity.records[i].quantiles = next->search.quantiles(next->counts, next->kept);
    }
  }

  template <class Act>
  void for_each_search(std::vector<Search>& searches, Act act) const {
    parallel_for(execution_.threads, searches.size(),
                 [&](std::size_t i, std::size_t) { act(searches[i]); });
  }

  /// At rank 0 over all ranks.
  void sum_counts(std::vector<Search>& searches) {
    MessageWriter own;
    for (const Search& at : searches) own.put_all(std::span<const std::uint32_t>(at.counts));
    const std::vector<Message> messages = ranks_.gather(own.take());
    for (std::size_t rank = 1; rank < messages.size(); ++rank) {
      MessageReader message(messages[rank]);
      for (Search& at : searches) {
        const auto counts = message.get_all<std::uint32_t>();
        for (std::size_t i = 0; i < counts.size(); ++i) at.counts[i] += counts[i];
      }
    }
  }

  void share_wanted(std::vector<Search>& searches) {
    MessageWriter of_first;
    for (const Search& at : searches) {
      if (collection_)
        of_first.put_all(std::span<const std::uint32_t>(at.search.wanted_parts(at.counts)));
    }
    const Message shared = ranks_.broadcast(of_first.take());
    MessageReader message(shared);
    for (Search& at : searches) at.wanted = message.get_all<std::uint32_t>();
  }

  void gather_kept(std::vector<Search>& searches) {
    MessageWriter own;
    for (const Search& at : searches) own.put_all(std::span<const double>(at.kept));
    const std::vector<Message> messages = ranks_.gather(own.take());
    for (std::size_t rank = 1; rank < messages.size(); ++rank) {
      MessageReader message(messages[rank]);
      for (Search& at : searches) {
        const auto kept = message.get_all<double>();
        at.kept.insert(at.kept.end(), kept.begin(), kept.end());
      }
    }
  }

  void show(const EnsembleState& own) {
    gather_states(own);
    if (!collection_) return;
    execution_.on_records(*whole_, collection_->result());
    states_taken_ = Clock::now();
  }

  void gather_states(const EnsembleState& own) {
    MessageWriter message;
    put_state(message, own);
    const std::vector<Message> messages = ranks_.gather(message.take());
    if (collection_) collection_->set_states(messages);
  }

  /// With the last states and the work of all ranks, rank 0 comes to the end that one process comes
  /// to; elsewhere nothing.
  EnsembleResult conclude(const EnsembleResult& own) {
    gather_states(own.state);
    MessageWriter work;
    work.put(own.status);
    work.put(own.member_steps);
    work.put(own.newton_iterations);
    work.put(own.native);
    work.put(own.seconds);
    work.put(own.stepper_seconds);
    const std::vector<Message> messages = ranks_.gather(work.take());
    if (!collection_) return {};
    EnsembleResult& all = collection_->result();
    bool is_complete = true;
    double seconds = 0.0;
    for (const Message& bytes : messages) {
      MessageReader message(bytes);
      is_complete =
          message.get<RunResult::Status>() != RunResult::Status::interrupted && is_complete;
      all.member_steps += message.get<std::uint64_t>();
      all.newton_iterations += message.get<std::uint64_t>();
      all.native = message.get<bool>() || all.native;
      const double of_rank = message.get<double>();
      seconds = of_rank > seconds ? of_rank : seconds;
      all.stepper_seconds += message.get<double>();
    }
    all.seconds += seconds;
    all.status = is_complete ? RunResult::Status::ok : RunResult::Status::interrupted;
    // No step is left but a shorter last one.
    std::atomic<bool> no_steps = true;
    EnsembleExecution rest = execution_;
    rest.cancelled = &no_steps;
    rest.steps_done = nullptr;
    rest.resume_from = {std::move(all)};
    return std::move(execute_ensembles({*whole_}, rest)[0]);
  }

  Ranks& ranks_;
  const EnsemblePlan& own_;
  const EnsemblePlan* whole_;
  const EnsembleExecution& execution_;
  double between_states_;
  std::optional<Collection> collection_;  // at rank 0
  std::size_t sent_records_ = 0, sent_growth_ = 0;
  Clock::time_point states_taken_ = Clock::now();
  std::atomic<bool> stops_ = false;
};

}  // namespace

Study study_of_rank(Study study, const Ranks& ranks) {
  EnsembleEntry& entry = *study.ensemble;
  if (entry.part) {
    throw RequestError(entry.place.text(),
                       "a part of an ensemble is computed by one process, not by " +
                           std::to_string(ranks.count()) + " ranks");
  }
  try {
    entry.part = part_of_rank(ranks.rank(), ranks.count(), entry.size);
  } catch (const RequestError& error) {
    throw RequestError(std::string("each rank computes a part of the members: ") + error.what());
  }
  for (Study& variant : study.variants) variant = study_of_rank(std::move(variant), ranks);
  return study;
}

std::optional<SharedFailure> agree(Ranks& ranks, const std::function<void()>& action) {
  SharedFailure own{SharedFailure::Kind::none, ""};
  try {
    action();
  } catch (const OutputError& error) {
    own = {SharedFailure::Kind::output, error.what()};
  } catch (const std::exception& error) {
    own = {SharedFailure::Kind::request, error.what()};
  }
  const auto put = [](const SharedFailure& failure) {
    MessageWriter message;
    message.put(failure.kind);
    message.put_text(failure.sentence);
    return message.take();
  };
  const auto get = [](const Message& bytes) {
    MessageReader message(bytes);
    const auto kind = message.get<SharedFailure::Kind>();
    return SharedFailure{kind, message.get_text()};
  };
  SharedFailure first{SharedFailure::Kind::none, ""};
  for (const Message& bytes : ranks.gather(put(own)))
    if (first.kind == SharedFailure::Kind::none) first = get(bytes);
  const SharedFailure agreed = get(ranks.broadcast(put(first)));
  if (agreed.kind == SharedFailure::Kind::none) return std::nullopt;
  return agreed;
}

std::vector<EnsemblePlan> gather_plans(Ranks& ranks, const std::vector<EnsemblePlan>& own) {
  MessageWriter message;
  for (const EnsemblePlan& plan : own) put_starts(message, *plan.starts);
  const std::vector<Message> messages = ranks.gather(message.take());
  if (messages.empty()) return {};
  std::vector<MessageReader> readers;
  for (const Message& bytes : messages) readers.emplace_back(bytes);
  std::vector<EnsemblePlan> whole = own;
  for (EnsemblePlan& plan : whole) {
    MemberStarts starts = plan.starts->range(0, 0);
    for (MessageReader& reader : readers) append_starts(reader, starts);
    plan.starts = std::make_shared<const MemberStarts>(std::move(starts));
    plan.part.reset();
  }
  return whole;
}

std::vector<EnsembleResult> execute_ranked(Ranks& ranks, std::vector<EnsemblePlan> own,
                                           const std::vector<EnsemblePlan>& whole,
                                           const EnsembleExecution& execution,
                                           double seconds_between_states) {
  std::vector<EnsembleResult> results;
  for (std::size_t i = 0; i < own.size(); ++i) {
    MessageWriter distance;
    if (!whole.empty()) distance.put(whole[i].run.record_every);
    const Message bytes = ranks.broadcast(distance.take());
    own[i].run.record_every = MessageReader(bytes).get<std::uint64_t>();
    EnsembleResult before =
        i < execution.resume_from.size() ? execution.resume_from[i] : EnsembleResult{};
    results.push_back(RankedExecution(ranks, own[i], whole.empty() ? nullptr : &whole[i], execution,
                                      std::move(before), seconds_between_states)());
  }
  if (whole.empty()) results.clear();
  return results;
}

}  // namespace dalembert::study
