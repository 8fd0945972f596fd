#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <utility>

namespace dalembert::numeric {

/// The values that were asked for last, by their keys, so that they are not made again. For any
/// number of threads: two that ask at the same time may both make a value, and get the same one.
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
      if (is_first(key)) return values_.front().second;
    }
    Value value = make();
    if (!may_keep(value)) return value;
    const std::scoped_lock lock(mutex_);
    if (is_first(key)) return values_.front().second;
    values_.emplace_front(key, value);
    if (values_.size() > most_) values_.pop_back();
    return value;
  }

 private:
  /// Makes a key the first one; false if it is not there.
  bool is_first(const Key& key) {
    const auto known = std::ranges::find(values_, key, &std::pair<Key, Value>::first);
    if (known == values_.end()) return false;
    values_.splice(values_.begin(), values_, known);
    return true;
  }

  std::size_t most_;
  std::mutex mutex_;
  std::list<std::pair<Key, Value>> values_;  // the latest one first
};

}  // namespace dalembert::numeric
