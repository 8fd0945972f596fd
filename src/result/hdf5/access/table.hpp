#pragma once
// Data sets of doubles. Opening one checks its class, rank, layout and sizes. Only for the sources
// of this room.

#include <optional>
#include <string>
#include <vector>

#include "handle.hpp"
#include "library.hpp"

namespace dalembert::study::hdf5 {

/// The extents of a data set, none of a single value.
std::vector<hsize_t> shape_of(hid_t data_set);

/// A table of doubles that grows by rows; `columns` = 0 makes a plain column. Its chunks carry
/// checksums, which are HDF5's own.
Handle make_table(hid_t parent, const std::string& name, hsize_t columns, hsize_t chunk_rows);
Handle open_table(hid_t parent, const std::string& name);
/// One that has so many columns.
Handle open_table(hid_t parent, const std::string& name, std::size_t columns);
hsize_t row_count(hid_t table);
void resize_rows(hid_t table, hsize_t rows);
/// Appends rows given as count * width doubles.
void append_rows(hid_t table, const std::vector<double>& values, hsize_t count);
/// Appends the rows that a table of the same columns and chunks has more.
void copy_rows(hid_t from, hid_t to);
/// All values of a table, row after row; so many, if given.
std::vector<double> read_values(hid_t parent, const std::string& name,
                                std::optional<std::size_t> count = {});
/// The values of some rows of a table, row after row.
std::vector<double> read_row_range(hid_t table, hsize_t first, hsize_t count);
/// All values of a table with so many columns, and so many rows, if given.
std::vector<double> read_rows(hid_t parent, const std::string& name, std::size_t columns,
                              std::optional<std::size_t> rows = {});
/// A fixed vector of doubles, made or overwritten.
void write_vector(hid_t parent, const std::string& name, const std::vector<double>& values);

}  // namespace dalembert::study::hdf5
