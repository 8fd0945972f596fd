#include "dalembert/numeric/recent_values.hpp"

#include <doctest/doctest.h>

#include <string>

using dalembert::numeric::RecentValues;

TEST_CASE("A recent value is made once, until too many others were asked for") {
  RecentValues<std::string, int> recent(2);
  int made = 0;
  const auto get = [&](const std::string& key, bool may_keep = true) {
    return recent.get(
        key, [&] { return ++made; }, [&](int) { return may_keep; });
  };
  CHECK(get("a") == 1);
  CHECK(get("b") == 2);
  CHECK(get("a") == 1);  // and is the latest one now
  CHECK(get("c") == 3);
  CHECK(get("a") == 1);
  CHECK(get("b") == 4);  // had to go
  CHECK(get("d", false) == 5);
  CHECK(get("d") == 6);  // was not kept
  CHECK(get("d") == 6);
}
