#include "dalembert/reproduce/claims.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr std::array<std::pair<const char*, Verdict>, 5> verdict_names{
    {{"holds", Verdict::holds},
     {"qualified", Verdict::qualified},
     {"fails", Verdict::fails},
     {"undecided", Verdict::undecided},
     {"undecidable", Verdict::undecidable}}};

Verdict read_verdict(const DocumentNode& node) {
  for (const auto& [name, verdict] : verdict_names) {
    if (as_text(node) == name) return verdict;
  }
  node.refuse(node.found() +
              " is no verdict; known are holds, qualified, fails, undecided, undecidable");
}

ClaimRecord read_claim(const DocumentNode& node) {
  TableReader table(node);
  ClaimRecord claim{.id = as_text(table.require("id")),
                    .paper = as_text(table.require("paper")),
                    .experiment = as_text(table.require("experiment")),
                    .source = as_text(table.require("source")),
                    .statement = as_text(table.require("statement")),
                    .verdict = read_verdict(table.require("verdict")),
                    .qualification = table.text("qualification")};
  if (const DocumentNode* quick = table.find("quick")) claim.quick = read_verdict(*quick);
  if (claim.verdict != Verdict::holds && claim.qualification.empty())
    node.refuse("claim " + claim.id + " does not hold as it stands and needs a qualification");
  table.finish();
  return claim;
}

Misprint read_misprint(const DocumentNode& node) {
  TableReader table(node);
  Misprint misprint{as_text(table.require("paper")), as_text(table.require("where")),
                    as_text(table.require("text"))};
  table.finish();
  return misprint;
}

}  // namespace

ClaimLibrary read_claims() {
  return read_claims(read_document(data_directory() / "studies" / "claims.toml"));
}

ClaimLibrary read_claims(const DocumentNode& document) {
  TableReader table(document);
  ClaimLibrary library;
  for (const DocumentNode& node : as_list(table.require("claim"))) {
    library.claims.push_back(read_claim(node));
    const auto same = [&](const ClaimRecord& other) {
      return other.id == library.claims.back().id;
    };
    if (std::count_if(library.claims.begin(), library.claims.end(), same) > 1)
      node.refuse("claim " + library.claims.back().id + " is recorded twice");
  }
  if (const DocumentNode* misprints = table.find("misprint")) {
    for (const DocumentNode& node : as_list(*misprints))
      library.misprints.push_back(read_misprint(node));
  }
  table.finish();
  return library;
}

}  // namespace dalembert::reproduce
