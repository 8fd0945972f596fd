#include "dimensions.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>

#include "attribute.hpp"
#include "dalembert/error.hpp"
#include "handle.hpp"
#include "table.hpp"

namespace dalembert::study::hdf5 {
namespace {

Handle opened(hid_t group, const std::string& name) {
  return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "open a data set"};
}

Handle text_of(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type, size), "make a text type");
  return type;
}

void replace_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* data) {
  if (has_attribute(object, name)) check(H5Adelete(object, name), "replace an attribute");
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "write an attribute");
  check(H5Awrite(attribute, type, data), "write an attribute");
}

/// Readers expect texts of a fixed length here.
void write_fixed_text(hid_t object, const char* name, const std::string& text) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a data space");
  replace_attribute(object, name, text_of(text.size() + 1), space, text.c_str());
}

Handle list_space(hsize_t count) {
  return {H5Screate_simple(1, &count, nullptr), H5Sclose, "make a data space"};
}

/// Where a scale is used, as the convention has it in memory.
struct Use {
  hobj_ref_t data_set;
  int dimension;
};

hobj_ref_t reference(hid_t group, const std::string& name) {
  hobj_ref_t found = 0;
  check(H5Rcreate(&found, group, name.c_str(), H5R_OBJECT, -1), "name a data set");
  return found;
}

/// Of each dimension of a data set the list of its scales, which is one.
void write_dimension_list(hid_t data_set, std::vector<hobj_ref_t>& scales) {
  std::vector<hvl_t> lists;
  for (hobj_ref_t& scale : scales) lists.push_back({1, &scale});
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "make a type");
  replace_attribute(data_set, "DIMENSION_LIST", type, list_space(lists.size()), lists.data());
}

void write_reference_list(hid_t scale, const std::vector<Use>& uses) {
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Use)), H5Tclose, "make a type");
  check(H5Tinsert(type, "dataset", offsetof(Use, data_set), H5T_STD_REF_OBJ), "make a type");
  check(H5Tinsert(type, "dimension", offsetof(Use, dimension), H5T_NATIVE_INT), "make a type");
  replace_attribute(scale, "REFERENCE_LIST", type, list_space(uses.size()), uses.data());
}

/// What is small stands with the metadata and its checksums. HDF5 has none for many texts.
Handle layout_of(const std::vector<hsize_t>& shape, hsize_t count, bool has_texts) {
  constexpr hsize_t most_compact = 3500;
  Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a data layout");
  if (count <= most_compact) {
    check(H5Pset_layout(layout, H5D_COMPACT), "make a data layout");
  } else if (!has_texts) {
    check(H5Pset_chunk(layout, static_cast<int>(shape.size()), shape.data()), "make a data layout");
    check(H5Pset_fletcher32(layout), "make a data layout");
  }
  return layout;
}

void write_array(hid_t group, const LabelledTable& table, const LabelledArray& array) {
  std::vector<hsize_t> shape;
  hsize_t count = 1;
  for (const std::string& dimension : array.dimensions) {
    shape.push_back(table.size_of(dimension));
    count *= shape.back();
  }
  const auto* texts = std::get_if<std::vector<std::string>>(&array.values);
  const auto* counts = std::get_if<std::vector<std::int64_t>>(&array.values);
  const Handle type =
      texts != nullptr ? variable_text_type()
                       : Handle(H5Tcopy(counts != nullptr ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE),
                                H5Tclose, "make a type");
  if (!exists(group, array.name)) {
    const Handle space =
        shape.empty()
            ? Handle(H5Screate(H5S_SCALAR), H5Sclose, "make a data space")
            : Handle(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                     H5Sclose, "make a data space");
    const Handle made(H5Dcreate2(group, array.name.c_str(), type, space, H5P_DEFAULT,
                                 layout_of(shape, count, texts != nullptr), H5P_DEFAULT),
                      H5Dclose, "make a data set");
  }
  const Handle data_set = opened(group, array.name);
  const Handle found(H5Dget_type(data_set), H5Tclose, "read a type");
  if (shape_of(data_set) != shape || H5Tget_class(found) != H5Tget_class(type))
    throw OutputError("\"" + array.name + "\" is something else than the results of a study there");
  std::vector<const char*> words;
  const void* values = nullptr;
  if (texts != nullptr) {
    for (const std::string& text : *texts) words.push_back(text.c_str());
    values = words.data();
  } else if (counts != nullptr) {
    values = counts->data();
  } else {
    values = std::get<std::vector<double>>(array.values).data();
  }
  check(H5Dwrite(data_set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write a table");
  if (!array.description.empty()) write_attribute(data_set, "description", array.description);
  if (!array.units.empty()) write_attribute(data_set, "units", array.units);
}

/// Names of parts, or numbers from 1 on, along a dimension for which the table has nothing.
void write_missing_scale(hid_t group, const LabelledTable& table,
                         const LabelledTable::Dimension& dimension) {
  if (std::ranges::find(table.coordinates, dimension.name, &LabelledArray::name) !=
      table.coordinates.end())
    return;
  LabelledArray scale{dimension.name, "", {dimension.name}, dimension.parts};
  if (dimension.parts.empty()) {
    std::vector<std::int64_t> numbers(dimension.size);
    std::iota(numbers.begin(), numbers.end(), std::int64_t{1});
    scale.values = std::move(numbers);
  }
  write_array(group, table, scale);
}

}  // namespace

void Scales::attach(const std::string& data_set, const std::vector<std::string>& dimensions) {
  attached_.push_back({data_set, dimensions});
}

void Scales::write() const {
  std::map<std::string, std::vector<Use>> uses;
  for (const auto& [name, dimensions] : attached_) {
    std::vector<hobj_ref_t> scales;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      scales.push_back(reference(group_, dimensions[i]));
      uses[dimensions[i]].push_back({reference(group_, name), static_cast<int>(i)});
    }
    write_dimension_list(opened(group_, name), scales);
  }
  for (const auto& [name, places] : uses) {
    const Handle scale = opened(group_, name);
    write_fixed_text(scale, "CLASS", "DIMENSION_SCALE");
    write_fixed_text(scale, "NAME", name);
    write_reference_list(scale, places);
  }
}

void write_names(hid_t group, const std::string& dimension, const std::vector<std::string>& names) {
  write_array(group, {{{dimension, names.size()}}, {}, {}}, {dimension, "", {dimension}, names});
}

std::vector<std::string> read_names(hid_t group, const std::string& dimension) {
  const Handle data_set = opened(group, dimension);
  const Handle space(H5Dget_space(data_set), H5Sclose, "read a data space"),
      type(H5Dget_type(data_set), H5Tclose, "read a type");
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (H5Sget_simple_extent_ndims(space) != 1 || count < 0 ||
      count > static_cast<hssize_t>(file_bytes(group)) || H5Tis_variable_str(type) <= 0)
    throw OutputError("its data set \"" + dimension + "\" is no list of texts");
  return texts_read(static_cast<std::size_t>(count), [&](hid_t text, char** texts) {
    return H5Dread(data_set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
  });
}

void write_labelled(hid_t group, const LabelledTable& table) {
  for (const LabelledArray& coordinate : table.coordinates) write_array(group, table, coordinate);
  for (const LabelledTable::Dimension& dimension : table.dimensions)
    write_missing_scale(group, table, dimension);
  Scales scales(group);
  // Readers of netCDF take a list of names from here.
  std::string others;
  for (const LabelledArray& coordinate : table.coordinates) {
    if (coordinate.dimensions == std::vector{coordinate.name}) continue;
    others += (others.empty() ? "" : " ") + coordinate.name;
    if (!coordinate.dimensions.empty()) scales.attach(coordinate.name, coordinate.dimensions);
  }
  for (const LabelledArray& variable : table.variables) {
    write_array(group, table, variable);
    if (!variable.dimensions.empty()) scales.attach(variable.name, variable.dimensions);
  }
  scales.write();
  write_attribute(group, "coordinates", others);
}

}  // namespace dalembert::study::hdf5
