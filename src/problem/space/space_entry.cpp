#include "dalembert/problem/space/space_entry.hpp"

#include <algorithm>
#include <cctype>

namespace dalembert::study {
namespace {

bool is_name(const std::string& text) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  return !text.empty() && letter(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [&](unsigned char c) { return letter(c) || std::isdigit(c); });
}

/// The tables [[key]].
std::vector<DocumentNode> tables_at(TableReader& problem, const char* key) {
  const DocumentNode* node = problem.find(key);
  if (node == nullptr) return {};
  const std::string how = "must be tables, each written [[" + std::string(key) + "]]";
  if (!node->is_array()) node->refuse(how);
  for (const DocumentNode& entry : node->array()) {
    if (!entry.is_table()) node->refuse(how);
  }
  return node->array();
}

bool is_pair(const DocumentNode& node) {
  const auto is_vector = [](const DocumentNode& entry) {
    return entry.is_text() ||
           (entry.is_array() && std::ranges::none_of(entry.array(), &DocumentNode::is_array) &&
            entry.array().size() == 3);
  };
  return node.is_array() && node.array().size() == 2 &&
         std::ranges::all_of(node.array(), is_vector);
}

}  // namespace

void require_name(const std::string& name, const DocumentNode& node) {
  if (!is_name(name)) {
    node.refuse("has the name \"" + name +
                "\"; a name is a letter followed by letters, digits and underscores");
  }
}

SpaceEntry read_space_entry(TableReader& problem) {
  SpaceEntry space;
  if (const DocumentNode* gravity = problem.find("gravity")) space.gravity = *gravity;
  for (const auto& [name, node] : problem.entries("vectors")) {
    require_name(name, node);
    space.vectors.emplace_back(name, node);
  }
  space.bodies = tables_at(problem, "body");
  space.contacts = tables_at(problem, "contact");
  if (space.gravity && space.bodies.empty())
    space.gravity->refuse("has no effect: there is no [[body]] that it pulls");
  return space;
}

std::vector<std::pair<DocumentNode, DocumentNode>> read_joints(const DocumentNode& node) {
  std::vector<std::pair<DocumentNode, DocumentNode>> joints;
  const bool is_one = is_pair(node);
  const std::vector<DocumentNode> pairs = is_one ? std::vector{node} : as_list(node);
  for (const DocumentNode& pair : pairs) {
    if (!is_pair(pair)) {
      node.refuse(
          "must be two points that are the same, as [\"a.point(0, 0, h)\", \"b.point(0, 0, 0)\"], "
          "or "
          "a list of such pairs");
    }
    joints.emplace_back(pair.array()[0], pair.array()[1]);
  }
  return joints;
}

}  // namespace dalembert::study
