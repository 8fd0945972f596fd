#include "dalembert/numeric/parallel_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace dalembert;

TEST_CASE("every index is done once, by a thread of an admissible number") {
  for (const std::size_t threads : {0u, 1u, 2u, 7u}) {
    CAPTURE(threads);
    std::vector<std::atomic<int>> done(100);
    std::atomic<std::size_t> largest_thread = 0;
    parallel_for(threads, done.size(), [&](std::size_t i, std::size_t thread) {
      ++done[i];
      if (thread > largest_thread) largest_thread = thread;
    });
    CHECK(std::all_of(done.begin(), done.end(), [](const auto& count) { return count == 1; }));
    CHECK(largest_thread < std::max<std::size_t>(1, threads));
  }
  parallel_for(3, 0, [](std::size_t, std::size_t) { FAIL("there is nothing to do"); });
}

TEST_CASE("a problem is thrown again, and what has not begun is left out") {
  for (const std::size_t threads : {1u, 3u}) {
    std::atomic<int> begun = 0;
    const auto task = [&](std::size_t i, std::size_t) {
      ++begun;
      if (i == 2) throw std::runtime_error("index 2");
    };
    CHECK_THROWS_WITH_AS(parallel_for(threads, 1000000, task), "index 2", std::runtime_error);
    // With one thread exactly 0, 1, 2; others may have gone on until they saw it.
    CHECK(begun >= 3);
    if (threads == 1) CHECK(begun == 3);
  }
}

TEST_CASE("the problem that one thread would have met is thrown, whichever comes first") {
  for (int again = 0; again < 100; ++again) {
    std::atomic<bool> later_has_thrown = false;
    const auto task = [&](std::size_t i, std::size_t) {
      if (i == 0) {
        while (!later_has_thrown) std::this_thread::yield();
        throw std::runtime_error("index 0");
      }
      later_has_thrown = true;
      throw std::runtime_error("a later index");
    };
    CHECK_THROWS_WITH_AS(parallel_for(2, 5, task), "index 0", std::runtime_error);
  }
}
