#include "dalembert/problem/scene/scene_entry.hpp"

#include <algorithm>
#include <map>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"

namespace dalembert::study {
namespace {

/// A word of a table [[picture.*]], the kind that it stands for, and its keys.
struct ShapeWord {
  const char* word;
  ShapeKind kind;
  std::vector<std::string> keys;
};

const std::vector<ShapeWord>& shape_words() {
  static const std::vector<ShapeWord> words{
      {"line", ShapeKind::line, {"points", "x", "y", "z", "piece", "closed", "fill"}},
      {"segment", ShapeKind::line, {"from", "to"}},
      {"wheel", ShapeKind::line, {"at", "heading", "length"}},
      {"circle", ShapeKind::circle, {"centre", "radius", "angle", "axis", "spoke", "fill"}},
      {"ball", ShapeKind::ball, {"centre", "radius", "radii", "axes", "body"}},
      {"point", ShapeKind::point, {"at"}},
      {"trail", ShapeKind::trail, {"at"}}};
  return words;
}

const ShapeWord& shape_word(const DocumentNode& node, const std::string& word) {
  const auto& words = shape_words();
  const auto found = std::ranges::find(words, word, &ShapeWord::word);
  if (found != words.end()) return *found;
  std::vector<std::string> known;
  for (const ShapeWord& one : words) known.emplace_back(one.word);
  node.refuse("is no shape of a picture" + suggestion(word, known));
}

void check_keys(const DocumentNode& shape, const ShapeWord& word) {
  if (!shape.is_table())
    shape.refuse("must be a table, written as [[picture." + std::string(word.word) + "]]");
  std::vector<std::string> keys = word.keys;
  keys.insert(keys.end(), {"colour", "width", "each"});
  for (const auto& [key, value] : shape.table())
    if (std::ranges::find(keys, key) == keys.end())
      value.refuse("is no key of such a shape" + suggestion(key, keys));
}

bool read_choice(const DocumentNode& node, const std::string& no, const std::string& yes) {
  const std::string& word = as_text(node);
  if (word != no && word != yes)
    node.refuse("is \"" + word + "\"; it must be \"" + no + "\" or \"" + yes + "\"");
  return word == yes;
}

}  // namespace

SceneEntry read_scene(const DocumentNode& node) {
  if (!node.is_table()) node.refuse("must be a table, [picture]");
  SceneEntry scene;
  for (const auto& [key, value] : node.table()) {
    if (key == "view") {
      scene.is_in_space = read_choice(value, "plane", "space");
    } else if (key == "up") {
      scene.is_up_reversed = read_choice(value, "z", "-z");
    } else if (key == "follow") {
      scene.follow = value;
    } else {
      const ShapeWord& word = shape_word(value, key);
      for (const DocumentNode& shape : as_list(value)) {
        check_keys(shape, word);
        scene.shapes.push_back({word.kind, shape});
      }
    }
  }
  if (scene.shapes.empty())
    node.refuse("shows nothing; it needs shapes, as [[picture.point]] with at = [\"x\", \"y\"]");
  return scene;
}

}  // namespace dalembert::study
