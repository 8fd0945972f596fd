#include "member_rows.hpp"

#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {

bool are_rows(const std::vector<DocumentNode>& list) {
  return !list.empty() && list.front().is_array();
}

MemberRows::MemberRows(const std::vector<DocumentNode>& rows, const Scope& scope, std::size_t count,
                       const std::string& what, const std::string& names)
    : count_(count) {
  values_.reserve(rows.size() * count);
  for (const DocumentNode& row : rows) {
    if (!row.is_array()) row.refuse("stands among lists, one for each member; it must be a list");
    if (row.array().size() != count) {
      row.refuse("has " + std::to_string(row.array().size()) + " entries; " + what +
                 " of a member needs " + std::to_string(count) + names);
    }
    for (const DocumentNode& entry : row.array()) values_.push_back(parse_constant(entry, scope));
  }
}

std::vector<double> MemberRows::operator()(std::uint64_t member) const {
  const auto first = values_.begin() + static_cast<std::ptrdiff_t>(member * count_);
  return {first, first + static_cast<std::ptrdiff_t>(count_)};
}

}  // namespace dalembert::study
