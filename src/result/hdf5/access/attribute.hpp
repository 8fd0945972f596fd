#pragma once
// Attributes of groups and data sets. Reading checks rank, class and size before it reads. Only for
// the sources of this room.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "handle.hpp"
#include "library.hpp"

namespace dalembert::study::hdf5 {

/// Refuses a file in whose heaps of texts HDF5 would run in circles. To be called before any text
/// of variable length is read.
void check_heaps(hid_t file);

/// Of texts of any length, in UTF-8.
Handle variable_text_type();
/// So many texts of any length, as `read` brings them.
std::vector<std::string> texts_read(std::size_t count,
                                    const std::function<herr_t(hid_t, char**)>& read);

bool has_attribute(hid_t object, const std::string& name);

// An older one of the same name is replaced.
void write_attribute(hid_t object, const std::string& name, const std::string& value);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::uint64_t value);
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& values);
/// A text as numbers: unlike texts of variable length, which HDF5 keeps in heaps, these are covered
/// by its checksums.
void write_bytes_attribute(hid_t object, const std::string& name, const std::string& value);

std::string read_text_attribute(hid_t object, const std::string& name);
/// A list of texts.
std::vector<std::string> read_list_attribute(hid_t object, const std::string& name);
std::string read_bytes_attribute(hid_t object, const std::string& name);
double read_number_attribute(hid_t object, const std::string& name);
std::uint64_t read_whole_attribute(hid_t object, const std::string& name);

}  // namespace dalembert::study::hdf5
