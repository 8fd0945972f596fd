#include "result/copies/two_copies.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "dalembert/error.hpp"
#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::TemporaryFile;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void append_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

}  // namespace

TEST_CASE("a file in two copies is always one of them, and each gets what it lacks") {
  const TemporaryFile file(".txt");
  append_text(file.path(), "older");
  {
    TwoCopies copies(file.path());
    CHECK(copies.prepare() == TwoCopies::Holds::nothing);
    append_text(copies.copy(), "1");
    CHECK(text_of(file.path()) == "older");
    copies.publish();
    CHECK(text_of(file.path()) == "1");
    CHECK(copies.prepare() == TwoCopies::Holds::all);  // the older file was none of the two
    append_text(copies.copy(), "2");
    copies.publish();
    CHECK(text_of(file.path()) == "12");
    CHECK(copies.prepare() == TwoCopies::Holds::all_but_last);
    CHECK(text_of(copies.copy()) == "1");
    append_text(copies.copy(), "23");
    copies.publish();
    CHECK(text_of(file.path()) == "123");
    const std::ifstream reader(copies.copy());  // what somebody reads stays as it is
    CHECK(copies.prepare() == TwoCopies::Holds::all);
    CHECK(text_of(copies.copy()) == "123");
    CHECK_THROWS_AS(TwoCopies(ResultLock(file.path())), OutputError);  // one at a time
  }
  CHECK(text_of(file.path()) == "123");
  CHECK_NOTHROW(TwoCopies(ResultLock(file.path())));
}

TEST_CASE("a file that is extended is a copy itself, unless it has other names") {
  const TemporaryFile file(".txt"), other(".txt");
  append_text(file.path(), "1");
  TwoCopies copies(ResultLock(file.path()));
  CHECK(copies.prepare() == TwoCopies::Holds::all);
  append_text(copies.copy(), "2");
  fs::create_hard_link(file.path(), other.path());
  copies.publish();
  CHECK(text_of(file.path()) == "12");
  CHECK(copies.prepare() == TwoCopies::Holds::all);
  CHECK(text_of(other.path()) == "1");
}

TEST_CASE("who has the lock of a result reads it before it is written, and nobody else writes") {
  const TemporaryFile file(".txt");
  append_text(file.path(), "1");
  ResultLock lock(file.path());
  CHECK_THROWS_WITH_AS(ResultLock(file.path()), doctest::Contains("another run is writing it"),
                       OutputError);
  CHECK_THROWS_AS(TwoCopies{file.path()}, OutputError);
  {
    TwoCopies copies(std::move(lock));
    CHECK_THROWS_AS(ResultLock(file.path()), OutputError);
  }
  CHECK_NOTHROW(ResultLock(file.path()));
  CHECK_THROWS_WITH_AS(ResultLock("/nowhere/at/all"), doctest::Contains("/nowhere/at/all"),
                       OutputError);
}

TEST_CASE("places where no file can be are refused") {
  CHECK_THROWS_AS(TwoCopies(fs::path("/nowhere/at/all")), OutputError);
  CHECK_THROWS_AS(TwoCopies(fs::path("/tmp")), OutputError);
  CHECK_THROWS_AS(TwoCopies(fs::path("/dev/null")), OutputError);
}
