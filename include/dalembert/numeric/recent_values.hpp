#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <utility>

namespace dalembert::numeric {

/// The values that were asked for last, by their keys, so that they are not made again. For any
/// number of threads; two that ask at the same time may both make a value.
template <class Key, class Value>
class RecentValues {
 public:
  /// Keeps so many values at most.
  explicit RecentValues(std::size_t most) : most_(most) {}

  /// The value of a key; of one that is not there what make() gives, which is kept where
  /// may_keep(value) says so.
  template <class Make, class MayKeep>
  Value get(const Key& key, Make make, MayKeep may_keep) {
    {
      const std::scoped_lock lock(mutex_);
      const auto known = std::ranges::find(values_, key, &std::pair<Key, Value>::first);
      if (known != values_.end()) {
        values_.splice(values_.begin(), values_, known);
        return known->second;
      }
    }
    Value value = make();
    if (!may_keep(value)) return value;
    const std::scoped_lock lock(mutex_);
    values_.emplace_front(key, value);
    if (values_.size() > most_) values_.pop_back();
    return value;
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::list<std::pair<Key, Value>> values_;  // the latest one first
};

}  // namespace dalembert::numeric
