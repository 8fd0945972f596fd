#pragma once
// The tables of a problem file.

#include "dalembert/document/node.hpp"
#include "dalembert/expression/table/table.hpp"

namespace dalembert::study {

/// The table of this name as written: `csv`, with the columns `time` and `value`, or `times` and
/// `values`. RequestError where it is none.
TablePointer read_table_entry(const std::string& name, const DocumentNode& node);

/// The same table with its points in place of the name of a file.
DocumentNode with_points(const DocumentNode& node, const Table& table);

}  // namespace dalembert::study
