#include "problem/start/named_start.hpp"

#include <algorithm>

#include "problem/group_entry.hpp"
#include "problem/rotation_entry.hpp"

namespace dalembert::study {
namespace {

/// What `read` makes of the value of each entry and its first factor, one after the other. A
/// coordinate may be left out that is free, with `ending` after its name.
template <class Read>
Vector entry_by_entry(const NamedStart& about, const DocumentNode& node, const char* ending,
                      Read read) {
  TableReader table(node);
  Vector result;
  std::size_t first = 0;
  for (const Extent& extent : about.extents) {
    const std::string& name = extent.entry->name;
    const bool is_free = std::ranges::find(about.free, name + ending) != about.free.end();
    const bool is_left_out = is_free && table.find(name) == nullptr;
    const Vector part =
        is_left_out ? zeros(1)
                    : read(extent, about.configuration.factors()[first], table.require(name));
    result.insert(result.end(), part.begin(), part.end());
    first += extent.count;
  }
  table.finish();
  return result;
}

}  // namespace

Vector NamedStart::position(const DocumentNode& table, bool project) const {
  return entry_by_entry(
      *this, table, "",
      [&](const Extent& extent, const Configuration::Factor& factor, const DocumentNode& value) {
        if (factor.group.is_flat()) return read_constants(value, extent.count, scope);
        return read_group_element(value, factor.group, scope, project);
      });
}

Vector NamedStart::velocity(const DocumentNode& table, const Vector& q) const {
  return entry_by_entry(
      *this, table, "_dot",
      [&](const Extent& extent, const Configuration::Factor& factor, const DocumentNode& value) {
        if (factor.group.is_flat()) return read_constants(value, extent.count, scope);
        const Vector element = slice(q, factor.storage, factor.group.storage_size());
        return read_group_velocity(value, factor.group, element, scope);
      });
}

}  // namespace dalembert::study
