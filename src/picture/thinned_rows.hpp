#pragma once
// Long tables in bounded memory. Only for the sources of this room.

#include <cstddef>
#include <span>
#include <vector>

namespace dalembert::study {

/// Rows of numbers, of which no more than some are kept: all of them, or else what stands for as
/// many rows each, twice as many whenever they would be too many. The first and the last row are
/// always kept as they are.
class ThinnedRows {
 public:
  /// What stands for many rows.
  enum class Keep {
    extremes,  ///< of each column the least and the largest value, in their order; the first column
               ///< increases and is that of the first row and of the middle one
    means,     ///< of each column
    samples,   ///< one of the rows
  };

  ThinnedRows(Keep keep, std::size_t width, std::size_t most_rows);

  /// The next row; it is shown, or only kept as long as it is the first or the last one.
  void add(std::span<const double> row, bool is_shown);
  /// One after the other.
  std::vector<double> rows() const;

 private:
  /// Some rows, one after the other, as they are seen.
  struct Stretch {
    void see(std::span<const double> row, std::size_t middle);
    /// What is kept of them.
    void put(Keep keep, std::vector<double>& rows) const;

    std::size_t count = 0;
    double middle_time = 0.0;
    std::vector<double> first = {}, least = {}, largest = {}, sum = {};
    std::vector<char> ends_with_least = {};
  };

  std::size_t stretch_rows() const;
  void put(std::span<const double> row);
  void halve();

  Keep keep_;
  std::size_t width_, most_;
  std::size_t represented_ = 1;  ///< rows that one in the table stands for
  std::vector<double> first_, table_, last_;
  bool last_is_shown_ = false;
  Stretch stretch_;  ///< of rows that are not in the table yet
};

}  // namespace dalembert::study
