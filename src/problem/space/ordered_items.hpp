#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// Something that gives names to expressions, and may use names that others give.
struct NamedItem {
  const DocumentNode* node;           ///< where it is written
  std::vector<std::string> provides;  ///< names
  std::function<void()> make;
  std::vector<std::string> needs = {};  ///< names beside those that stand in its texts
};

/// Makes all items, each after those whose names stand in its texts; else in the order given.
/// RequestError for names that need each other.
void make_in_order(std::vector<NamedItem> items);

/// The words in the texts of a node, with dots inside: "coin.velocity".
std::set<std::string> words_in(const DocumentNode& node);

}  // namespace dalembert::study
