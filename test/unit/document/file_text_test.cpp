#include "dalembert/document/file_text.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;

TEST_CASE("a file is read to its end or not at all") {
  const test_support::TemporaryFile file(".txt");
  CHECK_THROWS_AS(file_text(file.path()), OutputError);  // there is none
  CHECK_THROWS_AS(file_text("/tmp"), OutputError);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{200000}}) {
    const std::string text(size, 'x');
    std::ofstream(file.path()) << text;
    CHECK(file_text(file.path()) == text);
  }
}
