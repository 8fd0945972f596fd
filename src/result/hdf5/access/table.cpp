#include "table.hpp"

#include <algorithm>
#include <cstdint>

#include "dalembert/error.hpp"

namespace dalembert::study::hdf5 {

std::vector<hsize_t> shape_of(hid_t data_set) {
  const Handle space(H5Dget_space(data_set), H5Sclose, "read a data space");
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

namespace {

constexpr hsize_t most_compact = 7000, most_chunk = 65536;  // numbers

/// The number of values of a shape, or more than any file has.
hsize_t count_of(const std::vector<hsize_t>& shape) {
  constexpr hsize_t too_many = hsize_t{1} << 60;
  hsize_t count = 1;
  for (const hsize_t extent : shape)
    count = extent > 0 && count > too_many / extent ? too_many : count * extent;
  return count;
}

/// Chunks are read as wholes, and through what filters make of them: checksums are all of ours.
bool has_known_chunks(hid_t layout, std::size_t rank, hsize_t most) {
  std::vector<hsize_t> chunk(rank);
  if (H5Pget_chunk(layout, static_cast<int>(rank), chunk.data()) != static_cast<int>(rank) ||
      count_of(chunk) > most)
    return false;
  for (int i = 0; i < H5Pget_nfilters(layout); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t none = 0;
    if (H5Pget_filter2(layout, static_cast<unsigned>(i), &flags, &none, nullptr, 0, nullptr,
                       &config) != H5Z_FILTER_FLETCHER32)
      return false;
  }
  return true;
}

/// Why a data set is none that this program has written, or nothing.
const char* what_is_wrong(hid_t table) {
  if (name_count(table) > 1) return "has a second name in the file";
  const Handle type(H5Dget_type(table), H5Tclose, "read a type");
  if (H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) != sizeof(double))
    return "does not hold numbers of double precision";
  const std::vector<hsize_t> shape = shape_of(table);
  if (shape.empty() || shape.size() > 2) return "is neither a column nor a table";
  const Handle layout(H5Dget_create_plist(table), H5Pclose, "read a layout");
  const H5D_layout_t kind = H5Pget_layout(layout);
  if (kind == H5D_VIRTUAL || H5Pget_external_count(layout) != 0) return "lies outside of the file";
  const hsize_t count = count_of(shape), bytes = file_bytes(table),
                stored = H5Dget_storage_size(table);
  if (count * sizeof(double) > stored || stored > bytes) return "is larger than what is stored";
  // An empty table has no chunks yet.
  const hsize_t most = std::max<hsize_t>(bytes / sizeof(double), hsize_t{1} << 21);
  if (kind == H5D_CHUNKED && !has_known_chunks(layout, shape.size(), most))
    return "is stored as no result is";
  return nullptr;
}

}  // namespace

Handle make_table(hid_t parent, const std::string& name, hsize_t columns, hsize_t chunk_rows) {
  const int rank = columns == 0 ? 1 : 2;
  // Chunks fit into the cache that HDF5 has for a data set.
  const hsize_t rows =
      std::clamp<hsize_t>(most_chunk / std::max<hsize_t>(columns, 1), 1, chunk_rows);
  const hsize_t shape[] = {0, columns}, most[] = {H5S_UNLIMITED, columns},
                chunk[] = {rows, columns};
  const Handle space(H5Screate_simple(rank, shape, most), H5Sclose, "make a data space");
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a data layout");
  check(H5Pset_chunk(layout, rank, chunk), "make a data layout");
  check(H5Pset_fletcher32(layout), "make a data layout");
  return {
      H5Dcreate2(parent, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT),
      H5Dclose, "make a data set"};
}

Handle open_table(hid_t parent, const std::string& name) {
  if (!exists(parent, name)) throw OutputError("it has no data set \"" + name + "\"");
  Handle table(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose,
               "open the data set \"" + name + "\"");
  const char* wrong = what_is_wrong(table);
  if (wrong != nullptr) throw OutputError("its data set \"" + name + "\" " + wrong);
  return table;
}

Handle open_table(hid_t parent, const std::string& name, std::size_t columns) {
  Handle table = open_table(parent, name);
  const std::vector<hsize_t> shape = shape_of(table);
  const std::size_t found = shape.size() == 1 ? 1 : shape.at(1);
  if (found != columns) {
    throw OutputError("its data set \"" + name + "\" has " + std::to_string(found) +
                      " columns, where there should be " + std::to_string(columns));
  }
  return table;
}

hsize_t row_count(hid_t table) { return shape_of(table).at(0); }

void resize_rows(hid_t table, hsize_t rows) {
  std::vector<hsize_t> shape = shape_of(table);
  if (shape.at(0) == rows) return;
  shape[0] = rows;
  check(H5Dset_extent(table, shape.data()), "extend a data set");
}

namespace {

/// The place of some rows in a data set, and in memory.
struct RowRange {
  RowRange(hid_t table, hsize_t first, hsize_t count) : size(shape_of(table)) {
    std::vector<hsize_t> begin(size.size(), 0);
    begin[0] = first;
    size.at(0) = count;
    file = Handle(H5Dget_space(table), H5Sclose, "read a data space");
    check(H5Sselect_hyperslab(file, H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr),
          "select rows");
    memory = Handle(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose,
                    "make a data space");
  }
  std::vector<hsize_t> size;
  Handle file, memory;
};

/// The shape of the chunks of a data set; their columns are those of the table.
std::vector<hsize_t> chunk_of(hid_t table) {
  const Handle layout(H5Dget_create_plist(table), H5Pclose, "read a layout");
  std::vector<hsize_t> chunk(shape_of(table).size());
  if (H5Pget_chunk(layout, static_cast<int>(chunk.size()), chunk.data()) < 1)
    throw OutputError("HDF5 cannot copy records");
  return chunk;
}

}  // namespace

void append_rows(hid_t table, const std::vector<double>& values, hsize_t count) {
  if (count == 0) return;
  const hsize_t before = row_count(table);
  resize_rows(table, before + count);
  const RowRange rows(table, before, count);
  if (count_of(rows.size) != values.size())
    throw OutputError("a table has other columns than its rows");
  check(H5Dwrite(table, H5T_NATIVE_DOUBLE, rows.memory, rows.file, H5P_DEFAULT, values.data()),
        "write records (is the disk full?)");
}

void copy_rows(hid_t from, hid_t to) {
  const std::vector<hsize_t> chunk = chunk_of(from);
  if (chunk != chunk_of(to)) throw OutputError("HDF5 cannot copy records");
  const hsize_t begin = row_count(to), end = row_count(from);
  if (begin >= end) return;
  resize_rows(to, end);
  // As they are stored, with their checksums; the first of them has rows of both.
  std::vector<char> bytes;
  std::vector<hsize_t> at(chunk.size(), 0);
  for (at[0] = begin / chunk[0] * chunk[0]; at[0] < end; at[0] += chunk[0]) {
    hsize_t size = 0;
    check(H5Dget_chunk_storage_size(from, at.data(), &size), "copy records");
    bytes.resize(size);
    std::uint32_t mask = 0;
    check(H5Dread_chunk(from, H5P_DEFAULT, at.data(), &mask, bytes.data()), "copy records");
    check(H5Dwrite_chunk(to, H5P_DEFAULT, mask, at.data(), size, bytes.data()),
          "write records (is the disk full?)");
  }
}

std::vector<double> read_values(hid_t parent, const std::string& name,
                                std::optional<std::size_t> count) {
  const Handle table = open_table(parent, name);
  std::vector<double> values;
  const hsize_t found = count_of(shape_of(table));
  if (count && found != *count) {
    throw OutputError("its data set \"" + name + "\" holds " + std::to_string(found) +
                      " numbers, where there should be " + std::to_string(*count));
  }
  values.resize(found);
  if (found > 0 &&
      H5Dread(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw OutputError("its data set \"" + name + "\" is damaged");
  return values;
}

std::vector<double> read_row_range(hid_t table, hsize_t first, hsize_t count) {
  const RowRange rows(table, first, count);
  std::vector<double> values(count_of(rows.size));
  if (H5Dread(table, H5T_NATIVE_DOUBLE, rows.memory, rows.file, H5P_DEFAULT, values.data()) < 0)
    throw OutputError("its records are damaged");
  return values;
}

std::vector<double> read_rows(hid_t parent, const std::string& name, std::size_t columns,
                              std::optional<std::size_t> rows) {
  const hsize_t found = row_count(open_table(parent, name, columns));
  if (rows && found != *rows) {
    throw OutputError("its data set \"" + name + "\" has " + std::to_string(found) +
                      " rows, where there should be " + std::to_string(*rows));
  }
  return read_values(parent, name);
}

void write_vector(hid_t parent, const std::string& name, const std::vector<double>& values) {
  const hsize_t size = values.size();
  if (!exists(parent, name)) {
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a data space");
    const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a data layout");
    // Small ones stand in the metadata, which carry checksums.
    if (size <= most_compact) {
      check(H5Pset_layout(layout, H5D_COMPACT), "make a data layout");
    } else {
      const hsize_t chunk = std::min(size, most_chunk);
      check(H5Pset_chunk(layout, 1, &chunk), "make a data layout");
      check(H5Pset_fletcher32(layout), "make a data layout");
    }
    const Handle made(H5Dcreate2(parent, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                 layout, H5P_DEFAULT),
                      H5Dclose, "make a data set");
    check(size == 0
              ? 0
              : H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "write a state");
    return;
  }
  const Handle table = open_table(parent, name);
  if (shape_of(table) != std::vector<hsize_t>{size})
    throw OutputError("the data set \"" + name + "\" has another size");
  if (size > 0)
    check(H5Dwrite(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "write a state");
}

}  // namespace dalembert::study::hdf5
