#include "thinned_rows.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert::study {

ThinnedRows::ThinnedRows(Keep keep, std::size_t width, std::size_t most_rows)
    : keep_(keep), width_(width), most_(std::max<std::size_t>(most_rows / 4, 1) * 4) {}

void ThinnedRows::add(std::span<const double> row, bool is_shown) {
  if (first_.empty()) {
    first_.assign(row.begin(), row.end());
    return;
  }
  if (last_is_shown_) put(last_);
  last_.assign(row.begin(), row.end());
  last_is_shown_ = is_shown;
}

std::vector<double> ThinnedRows::rows() const {
  std::vector<double> all = first_;
  all.insert(all.end(), table_.begin(), table_.end());
  if (stretch_.count > 0) stretch_.put(keep_, all);
  all.insert(all.end(), last_.begin(), last_.end());
  return all;
}

/// Extremes are two rows in the place of twice as many as one stands for.
std::size_t ThinnedRows::stretch_rows() const {
  return keep_ == Keep::extremes ? 2 * represented_ : represented_;
}

void ThinnedRows::put(std::span<const double> row) {
  if (represented_ == 1) {
    table_.insert(table_.end(), row.begin(), row.end());
  } else {
    stretch_.see(row, stretch_rows() / 2);
    if (stretch_.count < stretch_rows()) return;
    stretch_.put(keep_, table_);
    stretch_.count = 0;
  }
  if (table_.size() == most_ * width_) halve();
}

void ThinnedRows::halve() {
  const std::size_t at_once = keep_ == Keep::extremes ? 4 : 2;
  std::vector<double> half;
  for (std::size_t row = 0; row < most_; row += at_once) {
    Stretch stretch;
    for (std::size_t i = row; i < row + at_once; ++i)
      stretch.see(std::span(table_).subspan(i * width_, width_), at_once / 2);
    stretch.put(keep_, half);
  }
  table_ = std::move(half);
  represented_ *= 2;
}

void ThinnedRows::Stretch::see(std::span<const double> row, std::size_t middle) {
  if (count++ == 0) {
    first.assign(row.begin(), row.end());
    least = largest = sum = first;
    ends_with_least.assign(row.size(), 0);
    middle_time = row[0];
    return;
  }
  if (count - 1 == middle) middle_time = row[0];
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double value = row[i];
    sum[i] += value;
    // What is no number gives way to any.
    if (value < least[i] || std::isnan(least[i])) {
      least[i] = value;
      ends_with_least[i] = 1;
    }
    if (value > largest[i] || std::isnan(largest[i])) {
      largest[i] = value;
      ends_with_least[i] = 0;
    }
  }
}

void ThinnedRows::Stretch::put(Keep keep, std::vector<double>& rows) const {
  if (keep == Keep::samples || count == 1) {
    rows.insert(rows.end(), first.begin(), first.end());
  } else if (keep == Keep::means) {
    for (const double value : sum) rows.push_back(value / static_cast<double>(count));
  } else {
    for (const bool is_second : {false, true}) {
      const std::size_t begin = rows.size();
      for (std::size_t i = 0; i < first.size(); ++i)
        rows.push_back((ends_with_least[i] != 0) == is_second ? least[i] : largest[i]);
      rows[begin] = is_second ? middle_time : first[0];
    }
  }
}

}  // namespace dalembert::study
