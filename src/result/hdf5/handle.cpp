#include "handle.hpp"

#include <algorithm>

#include "dalembert/result/json_result.hpp"

namespace dalembert::study::hdf5 {
namespace {

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type, H5T_VARIABLE), "make a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a text type");
  return type;
}

void write_attribute_data(hid_t object, const std::string& name, hid_t type, hid_t space,
                          const void* data) {
  if (H5Aexists(object, name.c_str()) > 0)
    check(H5Adelete(object, name.c_str()), "replace an attribute");
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "write an attribute");
  check(H5Awrite(attribute, type, data), "write an attribute");
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "make a data space"}; }

Handle open_attribute(hid_t object, const std::string& name) {
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose,
          ("read the attribute \"" + name + "\"").c_str()};
}

std::vector<hsize_t> shape_of(hid_t table) {
  const Handle space(H5Dget_space(table), H5Sclose, "read a data space");
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

}  // namespace

void check(herr_t status, const char* what) {
  if (status < 0) throw OutputError(std::string("HDF5 cannot ") + what);
}

Handle open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose,
          ("open the group \"" + name + "\"").c_str()};
}
Handle make_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          "make a group"};
}
bool exists(hid_t parent, const std::string& name) {
  return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const char* data = value.c_str();
  write_attribute_data(object, name, text_type(), scalar_space(), &data);
}
void write_attribute(hid_t object, const std::string& name, double value) {
  write_attribute_data(object, name, H5T_NATIVE_DOUBLE, scalar_space(), &value);
}
void write_attribute(hid_t object, const std::string& name, std::uint64_t value) {
  write_attribute_data(object, name, H5T_NATIVE_UINT64, scalar_space(), &value);
}
void write_attribute(hid_t object, const std::string& name,
                     const std::vector<std::string>& values) {
  if (values.empty()) return;
  std::vector<const char*> data;
  for (const std::string& value : values) data.push_back(value.c_str());
  const hsize_t count = data.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a data space");
  write_attribute_data(object, name, text_type(), space, data.data());
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  char* data = nullptr;
  check(H5Aread(attribute, text_type(), &data), "read an attribute");
  std::string result = data == nullptr ? "" : data;
  H5free_memory(data);
  return result;
}
double read_number_attribute(hid_t object, const std::string& name) {
  double value = 0.0;
  check(H5Aread(open_attribute(object, name), H5T_NATIVE_DOUBLE, &value), "read an attribute");
  return value;
}
std::uint64_t read_whole_attribute(hid_t object, const std::string& name) {
  std::uint64_t value = 0;
  check(H5Aread(open_attribute(object, name), H5T_NATIVE_UINT64, &value), "read an attribute");
  return value;
}

Handle make_table(hid_t parent, const std::string& name, hsize_t columns, hsize_t chunk_rows) {
  const int rank = columns == 0 ? 1 : 2;
  const hsize_t shape[] = {0, columns}, most[] = {H5S_UNLIMITED, columns},
                chunk[] = {chunk_rows, columns};
  const Handle space(H5Screate_simple(rank, shape, most), H5Sclose, "make a data space");
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a data layout");
  check(H5Pset_chunk(layout, rank, chunk), "make a data layout");
  return {
      H5Dcreate2(parent, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT),
      H5Dclose, "make a data set"};
}

Handle open_table(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose,
          ("open the data set \"" + name + "\"").c_str()};
}
hsize_t row_count(hid_t table) { return shape_of(table).at(0); }

void resize_rows(hid_t table, hsize_t rows) {
  std::vector<hsize_t> shape = shape_of(table);
  shape.at(0) = rows;
  check(H5Dset_extent(table, shape.data()), "extend a data set");
}

void append_rows(hid_t table, const std::vector<double>& values, hsize_t count) {
  if (count == 0) return;
  std::vector<hsize_t> shape = shape_of(table);
  std::vector<hsize_t> begin(shape.size(), 0), size = shape;
  begin[0] = shape[0];
  size[0] = count;
  resize_rows(table, shape[0] + count);
  const Handle space(H5Dget_space(table), H5Sclose, "read a data space");
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr),
        "select rows");
  const Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                      H5Sclose, "make a data space");
  check(H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()),
        "write records (is the disk full?)");
}

std::vector<double> read_values(hid_t parent, const std::string& name) {
  const Handle table(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose,
                     ("open the data set \"" + name + "\"").c_str());
  std::size_t count = 1;
  for (const hsize_t extent : shape_of(table)) count *= extent;
  std::vector<double> values(count);
  if (count > 0)
    check(H5Dread(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "read a data set");
  return values;
}

void write_vector(hid_t parent, const std::string& name, const std::vector<double>& values) {
  const hsize_t size = values.size();
  if (!exists(parent, name)) {
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a data space");
    const Handle made(H5Dcreate2(parent, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT),
                      H5Dclose, "make a data set");
  }
  const Handle table(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "open a data set");
  if (size > 0)
    check(H5Dwrite(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "write a state");
}

Handle open_file(const std::filesystem::path& path, bool create, bool writable) {
  // Files are closed by their handles. What HDF5 would do at the end of the process crashes where a
  // full disk kept it from writing.
  static const herr_t no_work_at_exit = H5dont_atexit();
  static_cast<void>(no_work_at_exit);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make file access properties");
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Pget_mdc_config(access, &cache), "read cache properties");
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  check(H5Pset_mdc_config(access, &cache), "set cache properties");
  const hid_t id = create ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                          : H5Fopen(path.c_str(), writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
  if (id < 0) {
    throw OutputError("cannot " + std::string(create ? "create" : "open") + " \"" + path.string() +
                      "\" as an HDF5 file");
  }
  return {id, H5Fclose, "open a file"};
}

}  // namespace dalembert::study::hdf5
