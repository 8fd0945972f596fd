#pragma once
// Data sets whose dimensions have names, by the conventions of HDF5's dimension scales, which
// netCDF and with it xarray read. Only for the sources of this room.

#include <string>
#include <vector>

#include "dalembert/result/labelled_table.hpp"
#include "library.hpp"

namespace dalembert::study::hdf5 {

/// Makes one-dimensional data sets of a group the scales of the dimensions of others. Each is
/// called by its name from the group. What was attached before is replaced.
class Scales {
 public:
  explicit Scales(hid_t group) : group_(group) {}
  /// `dimensions`: the scales of a data set's dimensions, in their order.
  void attach(const std::string& data_set, const std::vector<std::string>& dimensions);
  /// All that was attached, in the file.
  void write() const;

 private:
  struct Attached {
    std::string data_set;
    std::vector<std::string> dimensions;
  };
  hid_t group_;
  std::vector<Attached> attached_;
};

/// What the entries along a dimension are called, as a scale of a group.
void write_names(hid_t group, const std::string& dimension, const std::vector<std::string>& names);
/// OutputError where it is no list of texts.
std::vector<std::string> read_names(hid_t group, const std::string& dimension);

/// Writes a table, with its dimensions as scales, into a group. What it has of an earlier table of
/// the same dimensions is overwritten. OutputError where something else has one of its names.
void write_labelled(hid_t group, const LabelledTable& table);

}  // namespace dalembert::study::hdf5
