#include "result/hdf5/access/rehearsal.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <string>

#include "dalembert/error.hpp"
#include "support/temporary_file.hpp"

namespace dalembert::study::hdf5 {
namespace {

TEST_CASE("a rehearsal notices a crash and nothing else") {
  int calls = 0;
  rehearse([&] { ++calls; });
  // What was done in the other process is not seen in this one.
  CHECK(calls == 0);
  rehearse([] { throw OutputError("for the process that asked"); });
  CHECK_THROWS_AS(rehearse([] { std::raise(SIGSEGV); }), OutputError);
  CHECK_THROWS_AS(rehearse([] { std::raise(SIGKILL); }), OutputError);
}

TEST_CASE("formats of HDF5 before 1.10 are recognised by what they begin with") {
  const std::string signature("\x89HDF\r\n\x1a\n", 8);
  for (const auto& [version, lacks] : {std::pair{0, true}, {1, true}, {2, false}, {3, false}}) {
    const test_support::TemporaryFile file(".h5");
    std::ofstream(file.path(), std::ios::binary) << signature << static_cast<char>(version);
    CHECK(lacks_checksums(file.path()) == lacks);
  }
  CHECK_FALSE(lacks_checksums("there-is-no-such-file.h5"));
}

}  // namespace
}  // namespace dalembert::study::hdf5
