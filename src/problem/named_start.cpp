#include "problem/named_start.hpp"

#include "problem/group_entry.hpp"
#include "problem/rotation_entry.hpp"

namespace dalembert::study {
namespace {

/// What `read` makes of the value of each entry and its first factor, one after the other.
template <class Read>
Vector entry_by_entry(const NamedStart& about, const DocumentNode& node, Read read) {
  TableReader table(node);
  Vector result;
  std::size_t first = 0;
  for (const Extent& extent : about.extents) {
    const DocumentNode& value = table.require(extent.entry->name);
    const Vector part = read(extent, about.configuration.factors()[first], value);
    result.insert(result.end(), part.begin(), part.end());
    first += extent.count;
  }
  table.finish();
  return result;
}

}  // namespace

Vector NamedStart::position(const DocumentNode& table, bool project) const {
  return entry_by_entry(
      *this, table,
      [&](const Extent& extent, const Configuration::Factor& factor, const DocumentNode& value) {
        if (factor.group.is_flat()) return read_constants(value, extent.count, scope);
        return read_group_element(value, factor.group, scope, project);
      });
}

Vector NamedStart::velocity(const DocumentNode& table, const Vector& q) const {
  return entry_by_entry(
      *this, table,
      [&](const Extent& extent, const Configuration::Factor& factor, const DocumentNode& value) {
        if (factor.group.is_flat()) return read_constants(value, extent.count, scope);
        const Vector element = slice(q, factor.storage, factor.group.storage_size());
        return read_group_velocity(value, factor.group, element, scope);
      });
}

}  // namespace dalembert::study
