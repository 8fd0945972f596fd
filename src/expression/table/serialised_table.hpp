#pragma once
// The points of a table in a serialised text.

#include "dalembert/expression/text/serialise.hpp"

namespace dalembert {

void write_table(const Table& table, SerialWriter& writer);
/// RequestError where the text is damaged, or no table.
TablePointer read_table(SerialReader& reader);

}  // namespace dalembert
