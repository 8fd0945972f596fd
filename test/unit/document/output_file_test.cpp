#include "dalembert/document/output_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::TemporaryFile;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

fs::path partial_of(const fs::path& path, const std::string& number = "") {
  return path.parent_path() / ("." + path.stem().string() + ".partial" + number + ".json");
}

}  // namespace

TEST_CASE("an output is there when it is complete, and leaves nothing beside it") {
  const TemporaryFile file(".json");
  {
    OutputFile output(file.path());
    CHECK(output.temporary_path() == partial_of(file.path()));
    CHECK_FALSE(fs::exists(file.path()));
  }
  CHECK_FALSE(fs::exists(partial_of(file.path())));
  OutputFile(file.path()).write("text");
  CHECK(contents(file.path()) == "text");
  CHECK_FALSE(fs::exists(partial_of(file.path())));
}

TEST_CASE("two outputs of one name are written side by side, and the last one stays") {
  const TemporaryFile file(".json");
  std::optional<OutputFile> first(file.path()), second(file.path());
  CHECK(second->temporary_path() == partial_of(file.path(), "-2"));
  second->write("second");
  first->write("first");
  CHECK(contents(file.path()) == "first");
}

TEST_CASE("what killed runs left beside an output is removed, and its mode is forgotten") {
  const TemporaryFile file(".json");
  for (const char* number : {"", "-2", "-3"}) {
    std::ofstream(partial_of(file.path(), number)) << "left over";
    fs::permissions(partial_of(file.path(), number), fs::perms::owner_read);
  }
  {
    const OutputFile output(file.path());
    CHECK(contents(output.temporary_path()).empty());
    CHECK((fs::status(output.temporary_path()).permissions() & fs::perms::owner_write) !=
          fs::perms::none);
    CHECK_FALSE(fs::exists(partial_of(file.path(), "-2")));
    CHECK_FALSE(fs::exists(partial_of(file.path(), "-3")));
  }
  CHECK_FALSE(fs::exists(partial_of(file.path())));
}
