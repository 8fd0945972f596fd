// Numbers from tables with commas are those that were written, and what is no table is refused.
#include "dalembert/document/csv_columns.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dalembert/document/output_file.hpp"
#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

using Columns = std::vector<std::vector<double>>;

/// The columns of a file with this text.
Columns columns_of(const std::string& text, const std::vector<std::string>& names) {
  const test_support::TemporaryFile file(".csv");
  OutputFile(file.path()).write(text);
  return read_columns(file.path(), names);
}

void check_refused(const std::string& text, const std::vector<std::string>& names,
                   const std::string& words) {
  CHECK_THROWS_WITH_AS(columns_of(text, names), doctest::Contains(words.c_str()), RequestError);
}

}  // namespace

TEST_CASE("columns come by name, in the order asked for, and others are not looked at") {
  CHECK(columns_of("t,x,y\n0,1,none\n0.5,2,\n", {"x", "t"}) == Columns{{1, 2}, {0, 0.5}});
  CHECK(columns_of("t, \"x\" ,y\r\n0 ,+1,\"a, b\"\r\n1, -2e-3,0\r\n\r\n", {"x"}) ==
        Columns{{1, -2e-3}});
  CHECK(columns_of("\xef\xbb\xbft\n3", {"t"}) == Columns{{3}});
}

TEST_CASE("numbers with 17 digits keep their bits") {
  constexpr double least = std::numeric_limits<double>::denorm_min();
  const std::string text =
      "x\n0.10000000000000001\n-1.7976931348623157e+308\n4.9406564584124654e-324\n-0\n";
  const std::vector<double> read = columns_of(text, {"x"}).front();
  CHECK(read == std::vector<double>{0.1, -std::numeric_limits<double>::max(), least, 0.0});
  CHECK(std::signbit(read[3]));
}

TEST_CASE("rows are taken until there are enough") {
  const test_support::TemporaryFile file(".csv");
  OutputFile(file.path()).write("x\n1\n2\nwrong\n");
  double sum = 0.0;
  const auto take = [&sum](std::size_t row, std::span<const double> cells) {
    sum += cells[0];
    return row < 1;
  };
  CHECK(read_rows(file.path(), {"x"}, take) == 2);
  CHECK(sum == 3.0);
  CHECK(csv_column_names(file.path()) == std::vector<std::string>{"x"});
}

TEST_CASE("what is no table of numbers is refused with line and column") {
  CHECK_THROWS_WITH_AS(read_columns("/nowhere/at/all.csv", {"t"}),
                       doctest::Contains("there is no such file"), RequestError);
  CHECK_THROWS_WITH_AS(read_columns("/", {"t"}), doctest::Contains("no readable file"),
                       RequestError);
  check_refused("", {"t"}, "no line of names");
  check_refused("\n1\n", {"t"}, "no line of names");
  check_refused("t,x\n", {"t"}, "no rows");
  check_refused("t,x_dot\n0,1\n", {"xdot"}, "\"xdot\"");
  check_refused("t,x,x\n0,1,2\n", {"x"}, "two columns \"x\"");
  check_refused("t,x\n0,1\n0,1,2\n", {"x"}, ":3: the line has 3 cells; there are 2 columns");
  check_refused("t,x\n0,1\n\n1,2\n", {"x"}, "only the end may be blank");
  check_refused("t,x\n0,one\n", {"x"}, ":2: column \"x\" is \"one\"");
  check_refused("t,x\n0,\n", {"x"}, "is empty; it must be a finite number");
  check_refused("t,x\n0,nan\n", {"x"}, "it must be a finite number");
  check_refused("t,x\n0,+-1\n", {"x"}, "it must be a finite number");
  check_refused("t,x\n0,1e999\n", {"x"}, "beyond the range");
  check_refused("t,x\n0,\"1\n", {"x"}, "a quote that does not end");
}
