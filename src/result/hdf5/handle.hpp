#pragma once
// Owning handles and checked calls for the C interface of HDF5. Only for the sources of this room.

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/error.hpp"

namespace dalembert::study::hdf5 {

/// An identifier that is closed at the end. Throws OutputError where the library refused to make
/// it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close, const char* what) : id_(id), close_(close) {
    if (id < 0) throw OutputError(std::string("HDF5 cannot ") + what);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

void check(herr_t status, const char* what);

Handle open_group(hid_t parent, const std::string& name);
Handle make_group(hid_t parent, const std::string& name);
bool exists(hid_t parent, const std::string& name);

// Attributes; an older one of the same name is replaced.
void write_attribute(hid_t object, const std::string& name, const std::string& value);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::uint64_t value);
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& values);
std::string read_text_attribute(hid_t object, const std::string& name);
double read_number_attribute(hid_t object, const std::string& name);
std::uint64_t read_whole_attribute(hid_t object, const std::string& name);

/// A table of doubles that grows by rows; `columns` = 0 makes a plain column.
Handle make_table(hid_t parent, const std::string& name, hsize_t columns, hsize_t chunk_rows);
Handle open_table(hid_t parent, const std::string& name);
hsize_t row_count(hid_t table);
void resize_rows(hid_t table, hsize_t rows);
/// Appends rows given as count * width doubles.
void append_rows(hid_t table, const std::vector<double>& values, hsize_t count);
/// All values of a table, row after row.
std::vector<double> read_values(hid_t parent, const std::string& name);
/// A fixed vector of doubles, made or overwritten.
void write_vector(hid_t parent, const std::string& name, const std::vector<double>& values);

/// Opens or creates a file whose description on disk changes only when it is flushed.
Handle open_file(const std::filesystem::path& path, bool create, bool writable);

}  // namespace dalembert::study::hdf5
