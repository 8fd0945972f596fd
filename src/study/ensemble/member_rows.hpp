#pragma once
// Starts that are given one by one. Only for the sources of this room.

#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"

namespace dalembert::study {

/// Whether a list is one of rows, one for each member, and not of expressions for all.
bool are_rows(const std::vector<DocumentNode>& list);

/// The numbers of a list of rows.
class MemberRows {
 public:
  MemberRows() = default;
  /// Entries are numbers, or expressions of what is in scope. RequestError, with the place, where a
  /// row has not `count` entries, which are those of `what`, with `names`.
  MemberRows(const std::vector<DocumentNode>& rows, const Scope& scope, std::size_t count,
             const std::string& what, const std::string& names);

  bool is_empty() const { return values_.empty(); }
  std::vector<double> operator()(std::uint64_t member) const;

 private:
  std::size_t count_ = 0;
  std::vector<double> values_;  // [members, count]
};

}  // namespace dalembert::study
