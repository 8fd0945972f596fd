#include "attribute.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <string_view>

#include "dalembert/error.hpp"
#include "handle.hpp"

namespace dalembert::study::hdf5 {
namespace {

constexpr std::size_t longest_text = std::size_t{1} << 26;
constexpr hsize_t block_of_file = hsize_t{1} << 20;

void write_attribute_data(hid_t object, const std::string& name, hid_t type, hid_t space,
                          const void* data) {
  if (has_attribute(object, name)) check(H5Adelete(object, name.c_str()), "replace an attribute");
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "write an attribute");
  check(H5Awrite(attribute, type, data), "write an attribute");
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "make a data space"}; }

/// An attribute that was found to be of some classes and to have some number of values.
struct OpenAttribute {
  OpenAttribute(hid_t object, const std::string& name)
      : attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose,
                  "read the attribute \"" + name + "\""),
        type(H5Aget_type(attribute), H5Tclose, "read a type"),
        name_(name) {
    const Handle space(H5Aget_space(attribute), H5Sclose, "read a data space");
    count = H5Sget_simple_extent_npoints(space);
    rank = H5Sget_simple_extent_ndims(space);
    kind = H5Tget_class(type);
    size = H5Tget_size(type);
  }
  void must(bool is_good, const char* expected) const {
    if (!is_good) throw OutputError("its attribute \"" + name_ + "\" is not " + expected);
  }

  Handle attribute, type;
  hssize_t count = 0;
  int rank = 0;
  H5T_class_t kind = H5T_NO_CLASS;
  std::size_t size = 0;

 private:
  std::string name_;
};

std::uint64_t number_at(const std::string& bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, size);
  return value;
}

/// The collections of a heap of texts are lists by lengths; HDF5 runs in circles where one is zero.
bool is_good_collection(const std::string& bytes) {
  const std::uint64_t size = bytes.size();
  std::uint64_t at = 16;
  while (at + 16 <= size) {
    const bool is_rest = number_at(bytes, at, 2) == 0;
    const std::uint64_t length = number_at(bytes, at + 8, 8);
    if (length > size || (is_rest && length < 16)) return false;
    at += is_rest ? length : 16 + (length + 7) / 8 * 8;
  }
  return at <= size;
}

std::string bytes_of(std::ifstream& file, std::uint64_t begin, std::uint64_t size) {
  std::string bytes(size, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  return bytes;
}

}  // namespace

Handle variable_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type, H5T_VARIABLE), "make a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a text type");
  return type;
}

void check_heaps(hid_t object) {
  constexpr std::string_view signature("GCOL\1\0\0\0", 8);
  constexpr hsize_t head = 16;  // the signature and the size of a collection
  std::string path(static_cast<std::size_t>(std::max<ssize_t>(0, H5Fget_name(object, nullptr, 0))),
                   '\0');
  H5Fget_name(object, path.data(), path.size() + 1);
  std::ifstream file(path, std::ios::binary);
  const hsize_t end = file_bytes(object);
  for (hsize_t begin = 0; begin < end; begin += block_of_file) {
    // Blocks overlap, since a collection may begin at any byte.
    const std::string bytes =
        bytes_of(file, begin, std::min(block_of_file + head - 1, end - begin));
    for (std::size_t at = bytes.find(signature); at < bytes.size();
         at = bytes.find(signature, at + 1)) {
      if (at + head > bytes.size()) break;
      const std::uint64_t size = number_at(bytes, at + 8, 8), room = end - begin - at;
      if (size < head || size > std::min<std::uint64_t>(room, longest_text) ||
          !is_good_collection(bytes_of(file, begin + at, size)))
        throw OutputError("its texts are damaged");
    }
  }
}

namespace {

std::string variable_text(const OpenAttribute& found) {
  char* data = nullptr;
  check(H5Aread(found.attribute, variable_text_type(), &data), "read an attribute");
  std::string result = data == nullptr ? "" : data;
  H5free_memory(data);
  return result;
}

}  // namespace

bool has_attribute(hid_t object, const std::string& name) {
  const htri_t answer = H5Aexists(object, name.c_str());
  check(answer, "look up its attributes");
  return answer > 0;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const char* data = value.c_str();
  write_attribute_data(object, name, variable_text_type(), scalar_space(), &data);
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
  write_attribute_data(object, name, variable_text_type(), space, data.data());
}

void write_bytes_attribute(hid_t object, const std::string& name, const std::string& value) {
  const hsize_t size = value.size() + 1;  // with the end of a text, so that there is always a byte
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a data space");
  write_attribute_data(object, name, H5T_NATIVE_UINT8, space, value.c_str());
}

std::vector<std::string> texts_read(std::size_t count,
                                    const std::function<herr_t(hid_t, char**)>& read) {
  const Handle type = variable_text_type();
  std::vector<char*> texts(count, nullptr);
  std::vector<std::string> found;
  if (count == 0) return found;
  check(read(type, texts.data()), "read texts");
  for (char* text : texts) {
    found.emplace_back(text == nullptr ? "" : text);
    H5free_memory(text);
  }
  return found;
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const OpenAttribute found(object, name);
  found.must(found.kind == H5T_STRING && found.rank == 0 && found.count == 1, "a text");
  if (H5Tis_variable_str(found.type) > 0) return variable_text(found);
  found.must(found.size <= std::min<hsize_t>(file_bytes(object), longest_text), "a text");
  std::string result(found.size, '\0');
  check(H5Aread(found.attribute, found.type, result.data()), "read an attribute");
  return result.substr(0, result.find('\0'));
}

std::vector<std::string> read_list_attribute(hid_t object, const std::string& name) {
  const OpenAttribute found(object, name);
  found.must(found.kind == H5T_STRING && found.rank == 1 && found.count >= 0 &&
                 found.count <= static_cast<hssize_t>(file_bytes(object)) &&
                 H5Tis_variable_str(found.type) > 0,
             "a list of texts");
  return texts_read(static_cast<std::size_t>(found.count), [&](hid_t type, char** texts) {
    return H5Aread(found.attribute, type, texts);
  });
}

std::string read_bytes_attribute(hid_t object, const std::string& name) {
  const OpenAttribute found(object, name);
  const auto most = static_cast<hssize_t>(std::min<hsize_t>(file_bytes(object), longest_text));
  found.must(found.kind == H5T_INTEGER && found.size == 1 && found.rank == 1 && found.count >= 1 &&
                 found.count <= most,
             "a text");
  std::string result(static_cast<std::size_t>(found.count), '\0');
  check(H5Aread(found.attribute, H5T_NATIVE_UINT8, result.data()), "read an attribute");
  return result.substr(0, result.find('\0'));
}

double read_number_attribute(hid_t object, const std::string& name) {
  const OpenAttribute found(object, name);
  found.must(found.kind == H5T_FLOAT && found.size <= 8 && found.rank == 0 && found.count == 1,
             "a number");
  double value = 0.0;
  check(H5Aread(found.attribute, H5T_NATIVE_DOUBLE, &value), "read an attribute");
  return value;
}

std::uint64_t read_whole_attribute(hid_t object, const std::string& name) {
  const OpenAttribute found(object, name);
  found.must(found.kind == H5T_INTEGER && found.size <= 8 && found.rank == 0 && found.count == 1,
             "a whole number");
  std::uint64_t value = 0;
  check(H5Aread(found.attribute, H5T_NATIVE_UINT64, &value), "read an attribute");
  return value;
}

}  // namespace dalembert::study::hdf5
