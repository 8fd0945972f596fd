#include <doctest/doctest.h>

#include <string>

#include "dalembert/error.hpp"
#include "dalembert/study/ensemble/ensemble_part.hpp"
#include "dalembert/study/ensemble/merge_parts.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

std::string complaint_about(std::vector<NamedPart> parts) {
  try {
    check_coverage(parts);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

std::vector<NamedPart> all_parts(std::uint64_t of, std::uint64_t members) {
  std::vector<NamedPart> parts;
  for (std::uint64_t number = 1; number <= of; ++number)
    parts.push_back({"file " + std::to_string(number), ensemble_part(number, of, members)});
  return parts;
}

}  // namespace

TEST_CASE("parts of an ensemble cover its members in order, in whole blocks of nearly one size") {
  for (const std::uint64_t members : {1U, 16U, 17U, 200U, 1000U, 10007U}) {
    const std::uint64_t blocks = (members + members_per_block - 1) / members_per_block;
    for (std::uint64_t of = 1; of <= blocks; ++of) {
      std::uint64_t next = 0, nodes = 0;
      for (std::uint64_t number = 1; number <= of; ++number) {
        const EnsemblePart part = ensemble_part(number, of, members);
        CHECK(part.first == next);
        CHECK(part.end > part.first);
        CHECK(part.first % members_per_block == 0);
        const std::uint64_t its_blocks =
            (part.end - part.first + members_per_block - 1) / members_per_block;
        CHECK(its_blocks >= blocks / of);
        CHECK(its_blocks <= blocks / of + 1);
        for (const MomentTree::Node& node : part.nodes()) {
          CHECK(node.first == nodes);
          nodes += node.blocks;
        }
        next = part.end;
      }
      CHECK(next == members);
      CHECK(nodes == blocks);
    }
  }
}

TEST_CASE("a part is read from its number and how many there are") {
  const EnsemblePart part = read_ensemble_part("2/3", 100);
  CHECK(part.text() == "2/3");
  CHECK(part.first == 32);
  CHECK(part.end == 64);
  for (const char* wrong : {"", "/", "1", "1/", "/2", "0/2", "3/2", "1/2/3", " 1/2", "1/2 ", "-1/2",
                            "1.0/2", "1/8", "1/18446744073709551616"})
    CHECK_THROWS_AS(read_ensemble_part(wrong, 100), RequestError);
}

TEST_CASE("which parts are missing, doubled or of another number is said") {
  std::vector<NamedPart> parts = all_parts(12, 1000);
  std::swap(parts[3], parts[8]);
  CHECK(complaint_about(parts).empty());
  check_coverage(parts);
  CHECK(parts[3].part.number == 4);
  parts = all_parts(12, 1000);
  parts.erase(parts.begin() + 11);
  parts.erase(parts.begin() + 6, parts.begin() + 9);
  parts.erase(parts.begin() + 2, parts.begin() + 4);
  CHECK(complaint_about(parts) == "parts 3, 4, 7 to 9 and 12 of 12 are missing");
  parts = all_parts(2, 1000);
  parts.erase(parts.begin());
  CHECK(complaint_about(parts) == "part 1 of 2 is missing");
  parts = all_parts(2, 1000);
  parts.push_back({"another", parts[0].part});
  CHECK(complaint_about(parts) == "file 1 and another are both part 1/2; give one of them");
  parts[2].part = ensemble_part(2, 3, 1000);
  CHECK(complaint_about(parts).find("another is part 2/3") != std::string::npos);
}
