
#include "dalembert/claims/paper_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "dalembert/document/toml.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

const char* const opening =
    "number = \"1\"\ncitation = \"c\"\n"
    "[[experiment]]\nname = \"e\"\nsource = \"Fig. 1\"\ntitle = \"t\"\ncaption = \"c\"\n";

PaperFile read(const std::string& text) {
  return read_paper(parse_document(opening + text, "paper.toml"), "p");
}

std::string claim(const std::string& id, const std::string& rest) {
  return "[[claim]]\nid = \"" + id +
         "\"\nexperiment = \"e\"\nsource = \"Fig. 1\"\nstatement = \"s\"\n" + rest;
}

}  // namespace

TEST_CASE("claims and misprints are read as they stand") {
  const PaperFile library =
      read(claim("1-A", "verdict = \"holds\"\n") +
           claim("1-B", "verdict = \"qualified\"\nqualification = \"half\"\nquick = \"fails\"\n") +
           "[[misprint]]\nwhere = \"Eq. (1)\"\ntext = \"a sign\"\n");
  REQUIRE(library.claims.size() == 2);
  CHECK(library.claims[0].id == "1-A");
  CHECK(library.claims[0].paper == "p");
  CHECK(library.experiments[0].source == "Fig. 1");
  CHECK(library.claims[0].verdict == Verdict::holds);
  CHECK(!library.claims[0].quick);
  CHECK(library.claims[1].verdict == Verdict::qualified);
  CHECK(library.claims[1].quick == Verdict::fails);
  CHECK(library.claims[1].qualification == "half");
  REQUIRE(library.misprints.size() == 1);
  CHECK(library.misprints[0].where == "Eq. (1)");
}

TEST_CASE("short runs may be recorded as too short to decide") {
  const PaperFile library = read(claim("1-A", "verdict = \"holds\"\nquick = \"undecided\"\n"));
  CHECK(library.claims[0].quick == Verdict::undecided);
}

TEST_CASE("claims are found by the method or problem that they are about, in lines by verdict") {
  const PaperFile paper =
      read(claim("1-A", "verdict = \"holds\"\nabout = [\"dla\", \"suslov\"]\n") +
           claim("1-B", "verdict = \"fails\"\nqualification = \"no\"\nabout = [\"dla\"]\n") +
           claim("1-C", "verdict = \"holds\"\n") +
           claim("1-D", "verdict = \"holds\"\nabout = [\"dla\"]\n"));
  const ClaimLibrary library{paper.claims, {}};
  CHECK(verdict_lines(claims_about(library, "dla")) ==
        std::vector<std::string>{"holds: 1-A, 1-D", "fails: 1-B"});
  CHECK(verdict_lines(claims_about(library, "suslov")) == std::vector<std::string>{"holds: 1-A"});
  CHECK(claims_about(library, "gauss").empty());
}

TEST_CASE("every method of the library that a paper made for it has a claim of its own") {
  const ClaimLibrary library = read_claims();
  for (const char* name :
       {"dla", "dla01", "leapfrog", "gni", "discrete-derivative", "newmark", "generalized-alpha",
        "herglotz", "lie-newmark", "newmark-composition", "velocity-dla", "reduced-gradient",
        "hamel", "gonzalez-full", "lobatto", "lie-lobatto", "spark"})
    CHECK_MESSAGE(!claims_about(library, name).empty(), name);
}

TEST_CASE("a wrong file of claims is refused with its line") {
  const auto refused = [](const std::string& text, const char* words) {
    CHECK_THROWS_WITH_AS(read(text), doctest::Contains(words), RequestError);
  };
  refused(claim("1-A", "verdict = \"perhaps\"\n"),
          "known are holds, qualified, fails, undecided, undecidable");
  refused(claim("1-A", "verdict = \"fails\"\n"), "needs a qualification");
  refused(claim("1-A", "verdict = \"holds\"\n") + claim("1-A", "verdict = \"holds\"\n"),
          "recorded twice");
  refused(claim("1-A", "verdict = \"holds\"\nverdikt = 1\n"), "toml:14");
  refused(claim("1-A", "verdict = \"holds\"\nabout = [\"dla02\"]\n"),
          "is the text \"dla02\", which is no method and no problem of the library; did you mean");
  refused("[[claim]]\nid = \"1-A\"\n", "experiment");
  refused(
      "[[claim]]\nid = \"1-A\"\nexperiment = \"f\"\nsource = \"s\"\nstatement = \"s\"\nverdict = "
      "\"holds\"\n",
      "no experiment of this paper");
}

TEST_CASE("a statement about a step that our text of the paper has lost cannot be decided") {
  const ClaimLibrary library = read_claims();
  const auto claim = std::find_if(library.claims.begin(), library.claims.end(),
                                  [](const ClaimRecord& record) { return record.id == "002-B.1"; });
  REQUIRE(claim != library.claims.end());
  CHECK(claim->verdict == Verdict::undecidable);
  CHECK(claim->qualification.find("lost in the text") != std::string::npos);
}
