#include "dalembert/problem/scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "dalembert/error.hpp"
#include "dalembert/expression/vectors_in_space.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/problem/expressions.hpp"
#include "problem/scope/own_scope.hpp"

namespace dalembert::study {
namespace {

/// Colours that are told apart in print and by everyone. Source: Okabe and Ito 2008.
const std::map<std::string, std::string, std::less<>> colours{
    {"blue", "#0072b2"},   {"orange", "#d55e00"}, {"green", "#009e73"}, {"purple", "#cc79a7"},
    {"yellow", "#e69f00"}, {"sky", "#56b4e9"},    {"grey", "#8a8a8a"},  {"black", ""}};

std::string colour_of(const DocumentNode& shape, const char* usual) {
  const DocumentNode* node = shape.find("colour");
  if (node == nullptr) return colours.find(usual)->second;
  const auto found = colours.find(as_text(*node));
  if (found != colours.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, value] : colours) names.push_back(name);
  node->refuse("is \"" + as_text(*node) + "\", which is no colour of pictures" +
               suggestion(as_text(*node), names));
}

double width_of(const DocumentNode& shape, double usual) {
  const DocumentNode* node = shape.find("width");
  if (node == nullptr) return usual;
  const double width = as_number(*node);
  if (!(width > 0.0 && width <= 100.0))
    node->refuse("is " + node->found() + "; it must be > 0 and at most 100, in pixels");
  return width;
}

/// Reads the shapes of a scene into the numbers of a frame.
class SceneReader {
 public:
  SceneReader(const SceneEntry& scene, Scope scope) : scene_(scene), scope_(std::move(scope)) {}

  Vector numbers;
  std::vector<SceneShape> shapes;
  std::vector<std::size_t> free_radii;

  /// One shape, or with each = "i, 1, n" one for every i.
  void read_all(const ShapeEntry& entry) {
    const DocumentNode* each = entry.table.find("each");
    if (each == nullptr) return read(entry);
    std::vector<std::string> parts;
    std::istringstream text(as_text(*each));
    for (std::string part; std::getline(text, part, ',');) parts.push_back(part);
    if (parts.size() != 3) each->refuse("must be written as \"i, 1, n\": index, first and last");
    std::string& index = parts[0];
    std::erase(index, ' ');
    if (scope_.names.contains(index) || scope_.sizes.contains(index))
      each->refuse("uses the index \"" + index + "\", which is already the name of something else");
    const auto whole = [&](const std::string& part) {
      return parse_whole_number(DocumentNode{part, each->place, each->key}, scope_);
    };
    const long first = whole(parts[1]), last = whole(parts[2]);
    if (last - first > 10000) each->refuse("repeats more than 10000 times");
    for (long i = first; i <= last; ++i) {
      scope_.sizes[index] = i;
      read(entry);
    }
    scope_.sizes.erase(index);
  }

 private:
  void read(const ShapeEntry& entry) {
    const DocumentNode& table = entry.table;
    SceneShape shape{.kind = entry.kind};
    shape.first = numbers.size();
    switch (entry.kind) {
      case ShapeKind::line:
        read_line(table, shape);
        break;
      case ShapeKind::circle:
        read_circle(table, shape);
        break;
      case ShapeKind::ball:
        read_ball(table, shape);
        break;
      case ShapeKind::point:
      case ShapeKind::trail:
        add(vector_at(needed(table, "at")));
        break;
    }
    const bool is_point = entry.kind == ShapeKind::point, is_trail = entry.kind == ShapeKind::trail;
    shape.colour = colour_of(table, is_trail ? "sky" : is_point ? "orange" : "blue");
    shape.width = width_of(table, is_point ? 7.0 : is_trail ? 1.5 : 2.5);
    shape.is_filled = flag(table, "fill");
    shape.count = numbers.size() - shape.first;
    shapes.push_back(std::move(shape));
  }

 public:
  Vector vector_at(const DocumentNode& node) const {
    const std::size_t size = scene_.is_in_space ? 3 : 2;
    if (node.is_text() && scene_.is_in_space) return parse_vector_expression(node, scope_);
    const Vector result = node.is_array() ? parse_expressions(node.array(), scope_) : Vector{};
    if (result.size() != size)
      node.refuse(scene_.is_in_space
                      ? "must be a vector in space: three entries, or a text that stands for one"
                      : "must be a point in the plane, two entries");
    return result;
  }

 private:
  static const DocumentNode& needed(const DocumentNode& table, const char* key) {
    if (const DocumentNode* node = table.find(key)) return *node;
    table.refuse("needs the key \"" + std::string(key) + "\"");
  }
  static bool flag(const DocumentNode& table, const char* key) {
    const DocumentNode* node = table.find(key);
    return node != nullptr && as_boolean(*node);
  }
  Expr number_at(const DocumentNode& table, const char* key) const {
    return parse_expression(needed(table, key), scope_);
  }
  void add(const Vector& vector) { numbers.insert(numbers.end(), vector.begin(), vector.end()); }

  /// A segment, a wheel seen from above, or a line by points or by coordinates.
  void read_line(const DocumentNode& table, SceneShape& shape) {
    if (table.find("from") != nullptr || table.find("to") != nullptr) {
      add(vector_at(needed(table, "from")));
      add(vector_at(needed(table, "to")));
    } else if (table.find("at") != nullptr || table.find("heading") != nullptr) {
      read_wheel(table);
    } else if (const DocumentNode* points = table.find("points")) {
      if (!points->is_array()) points->refuse("must be a list of points");
      for (const DocumentNode& point : points->array()) add(vector_at(point));
    } else {
      read_coordinates(table);
    }
    const std::size_t d = scene_.is_in_space ? 3 : 2, count = (numbers.size() - shape.first) / d;
    if (count < 2) table.refuse("has fewer than two points");
    shape.is_closed = flag(table, "closed");
    const DocumentNode* piece = table.find("piece");
    if (piece == nullptr) return;
    shape.piece = static_cast<std::size_t>(as_whole(*piece, 2, 1000000));
    if (count % shape.piece != 0)
      piece->refuse("is " + std::to_string(shape.piece) + ", and there are " +
                    std::to_string(count) + " points, no multiple of it");
  }

  void read_wheel(const DocumentNode& table) {
    if (scene_.is_in_space)
      table.refuse("is a wheel seen from above, in a plane; in space a wheel is a circle");
    const Vector at = vector_at(needed(table, "at"));
    const Expr heading = number_at(table, "heading"), half = 0.5 * number_at(table, "length");
    for (const double side : {-1.0, 1.0})
      add({at[0] + side * half * cos(heading), at[1] + side * half * sin(heading)});
  }

  void read_coordinates(const DocumentNode& table) {
    std::vector<Vector> coordinates;
    for (const char* key : {"x", "y", "z"}) {
      if (!scene_.is_in_space && *key == 'z') {
        if (const DocumentNode* third = table.find(key))
          third->refuse("has no place in a plane; view = \"space\" has three axes");
        continue;
      }
      const DocumentNode& node = needed(table, key);
      coordinates.push_back(parse_expressions(as_list(node), scope_));
      if (coordinates.back().size() != coordinates.front().size())
        node.refuse("has " + std::to_string(coordinates.back().size()) + " entries, and x has " +
                    std::to_string(coordinates.front().size()));
    }
    for (std::size_t i = 0; i < coordinates.front().size(); ++i)
      for (const Vector& coordinate : coordinates) numbers.push_back(coordinate[i]);
  }

  void read_circle(const DocumentNode& table, SceneShape& shape) {
    const Vector centre = vector_at(needed(table, "centre"));
    const Expr radius = number_at(table, "radius");
    add(centre);
    if (!scene_.is_in_space) {
      const DocumentNode* angle = table.find("angle");
      shape.has_spokes = angle != nullptr;
      const Expr turned = angle == nullptr ? Expr(0.0) : parse_expression(*angle, scope_);
      add({radius * cos(turned), radius * sin(turned)});
      add({-radius * sin(turned), radius * cos(turned)});
      return;
    }
    const Vector axis = vector_at(needed(table, "axis"));
    const DocumentNode* spoke = table.find("spoke");
    shape.has_spokes = spoke != nullptr;
    if (spoke == nullptr) {
      // Any two radii at a right angle to the axis will do; which is settled in numbers.
      free_radii.push_back(numbers.size());
      add(axis);
      add({radius, 0.0, 0.0});
      return;
    }
    const Vector along = vector_at(*spoke), across = cross(axis, along);
    add((radius / sqrt(dot(along, along))) * along);
    add((radius / sqrt(dot(across, across))) * across);
  }

  void read_ball(const DocumentNode& table, SceneShape& shape) {
    if (!scene_.is_in_space)
      table.refuse("is a ball, which needs view = \"space\"; in a plane there are circles");
    Vector radii;
    if (const DocumentNode* three = table.find("radii")) {
      radii = parse_expressions(as_list(*three), scope_);
      if (radii.size() != 3) three->refuse("must be a list of three half axes");
    } else {
      radii = Vector(3, number_at(table, "radius"));
    }
    add(vector_at(needed(table, "centre")));
    const DocumentNode *axes = table.find("axes"), *body = table.find("body");
    shape.has_spokes = axes != nullptr || body != nullptr;
    for (std::size_t i = 0; i < 3; ++i) {
      Vector axis(3, Expr(0.0));
      axis[i] = 1.0;
      if (axes != nullptr) {
        if (!axes->is_array() || axes->array().size() != 3)
          axes->refuse("must be a list of three vectors, the body's axes");
        axis = vector_at(axes->array()[i]);
      } else if (body != nullptr) {
        const auto found = scope_.matrices.find(as_text(*body));
        if (found == scope_.matrices.end() || found->second.rows() != 3)
          body->refuse("is \"" + as_text(*body) + "\", which is no rotation of the problem");
        for (std::size_t k = 0; k < 3; ++k) axis[k] = found->second(k, i);
      }
      add(radii[i] * axis);
    }
  }

  const SceneEntry& scene_;
  Scope scope_;
};

/// Radii at a right angle to an axis, in the place of it and of (radius, 0, 0).
void settle_radii(double* axis) {
  double* const other = axis + 3;
  const double radius = other[0], length = numeric::hypot(axis[0], axis[1], axis[2]);
  const double n[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  // The axis of space that is furthest from it.
  std::size_t k = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::fabs(n[i]) < std::fabs(n[k])) k = i;
  double u[3] = {-n[k] * n[0], -n[k] * n[1], -n[k] * n[2]};
  u[k] += 1.0;
  const double size = numeric::hypot(u[0], u[1], u[2]);
  for (double& entry : u) entry *= radius / size;
  const double v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2],
                       n[0] * u[1] - n[1] * u[0]};
  std::copy(u, u + 3, axis);
  std::copy(v, v + 3, other);
}

}  // namespace

Scene::Scene(const ProblemFile& problem, const System& system, const Sizes& sizes,
             std::span<const double> parameters) {
  if (!problem.scene)
    throw RequestError("problem \"" + problem.name +
                       "\" has no table [picture], which says how it looks");
  const SceneEntry& entry = *problem.scene;
  is_in_space_ = entry.is_in_space;
  is_up_reversed_ = entry.is_up_reversed;
  const Symbols symbols = system.symbols();
  SceneReader reader(entry, own_scope(problem, system, complete_sizes(problem, sizes), symbols));
  for (const ShapeEntry& shape : entry.shapes) reader.read_all(shape);
  if (entry.follow) {
    followed_ = reader.numbers.size();
    const Vector point = reader.vector_at(*entry.follow);
    reader.numbers.insert(reader.numbers.end(), point.begin(), point.end());
  }
  shapes_ = std::move(reader.shapes);
  free_radii_ = std::move(reader.free_radii);
  frame_size_ = reader.numbers.size();
  function_ = StateFunction<double>(system, symbols, reader.numbers, parameters);
  frame_.resize(frame_size_);
}

std::span<const double> Scene::frame(double t, std::span<const double> q,
                                     std::span<const double> v) {
  function_.evaluate(t, q, v, {}, frame_);
  for (const std::size_t first : free_radii_) settle_radii(frame_.data() + first);
  return frame_;
}

}  // namespace dalembert::study
