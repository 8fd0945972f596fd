#include "picture/thinned_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/round_off.hpp"

using namespace dalembert::study;
using Keep = ThinnedRows::Keep;

namespace {

constexpr std::size_t most = 64;

std::array<double, 3> row_at(std::size_t i) {
  const double t = 0.25 * static_cast<double>(i);
  return {t, std::sin(0.37 * t), std::cos(2.9 * t) - 0.001 * t};
}

ThinnedRows thinned_to(Keep keep, std::size_t count) {
  ThinnedRows rows(keep, 3, most);
  for (std::size_t i = 0; i < count; ++i) rows.add(row_at(i), true);
  return rows;
}

std::vector<double> column(const std::vector<double>& rows, std::size_t at) {
  std::vector<double> values;
  for (std::size_t i = at; i < rows.size(); i += 3) values.push_back(rows[i]);
  return values;
}

}  // namespace

TEST_CASE("as many rows as there is room for are kept as they are") {
  for (const Keep keep : {Keep::extremes, Keep::means, Keep::samples}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{17}, most + 1}) {
      std::vector<double> all;
      for (std::size_t i = 0; i < count; ++i)
        for (const double value : row_at(i)) all.push_back(value);
      CHECK(thinned_to(keep, count).rows() == all);
    }
  }
}

TEST_CASE("more rows are kept in the same room, with the first and the last") {
  for (const Keep keep : {Keep::extremes, Keep::means, Keep::samples}) {
    for (const std::size_t count : {most + 2, std::size_t{1000}, std::size_t{12345}}) {
      const std::vector<double> rows = thinned_to(keep, count).rows(), t = column(rows, 0);
      CHECK(t.size() >= most / 2);
      CHECK(t.size() <= most + 4);
      CHECK(std::ranges::is_sorted(t));
      const auto first = row_at(0), last = row_at(count - 1);
      CHECK(std::equal(first.begin(), first.end(), rows.begin()));
      CHECK(std::equal(last.begin(), last.end(), rows.end() - 3));
    }
  }
}

TEST_CASE("extremes of stretches hold those of the whole, where they are") {
  const std::size_t count = 10000;
  const std::vector<double> rows = thinned_to(Keep::extremes, count).rows();
  const std::vector<double> t = column(rows, 0);
  for (std::size_t j = 1; j < 3; ++j) {
    const std::vector<double> values = column(rows, j);
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(row_at(i)[j]);
    const auto [least, largest] = std::ranges::minmax_element(all);
    const auto [kept_least, kept_largest] = std::ranges::minmax_element(values);
    CHECK(*kept_least == *least);
    CHECK(*kept_largest == *largest);
    // Within a stretch, of which there are at least a quarter of the rows that are kept.
    const double stretch = 0.25 * static_cast<double>(count) / (most / 4.0);
    CHECK(std::fabs(t[static_cast<std::size_t>(kept_largest - values.begin())] -
                    0.25 * static_cast<double>(largest - all.begin())) <= stretch);
  }
}

TEST_CASE("means of stretches have the mean of the whole") {
  // 128 stretches were made of 64 rows of the table, 32 of which are there.
  const std::size_t count = 64 * 128 + 2;
  const std::vector<double> values = column(thinned_to(Keep::means, count).rows(), 1);
  double kept = 0.0, all = 0.0;
  for (std::size_t i = 1; i + 1 < values.size(); ++i) kept += values[i];
  for (std::size_t i = 1; i + 1 < count; ++i) all += row_at(i)[1];
  // Sums of some ten thousand numbers up to one.
  CHECK(kept / static_cast<double>(values.size() - 2) ==
        doctest::Approx(all / static_cast<double>(count - 2))
            .epsilon(test_support::round_off_of(1e4)));
}

TEST_CASE("samples are rows, evenly spaced") {
  const std::vector<double> t = column(thinned_to(Keep::samples, 5000).rows(), 0);
  const double step = t[2] - t[1];
  for (std::size_t i = 2; i + 1 < t.size(); ++i) CHECK(t[i] - t[i - 1] == step);
}

TEST_CASE("what is not shown is kept only at the ends, and what is no number gives way") {
  ThinnedRows rows(Keep::extremes, 2, most);
  const std::size_t count = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i);
    rows.add(std::array{t, i % 2 == 0 ? NAN : t}, i >= 500 && i < 800);
  }
  const std::vector<double> kept = rows.rows();
  CHECK(kept.front() == 0.0);
  CHECK(kept[kept.size() - 2] == 999.0);
  for (std::size_t i = 2; i + 2 < kept.size(); i += 2) {
    CHECK(kept[i] >= 500.0);
    CHECK(kept[i] < 800.0);
    CHECK(std::isfinite(kept[i + 1]));
  }
}
