#include "serialised_table.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace dalembert {

void write_table(const Table& table, SerialWriter& writer) {
  writer.text(table.name());
  writer.whole(table.interpolation() == Table::Interpolation::linear ? 1 : 0);
  writer.whole(table.values().size());
  for (const auto* list : {&table.arguments(), &table.values()}) {
    for (const double value : *list) writer.number(value);
  }
}

TablePointer read_table(SerialReader& reader) {
  std::string name = reader.text();
  const bool is_linear = reader.flag();
  const auto size = static_cast<std::size_t>(reader.whole(Table::most_points));
  std::vector<double> arguments(size), values(size);
  for (auto* list : {&arguments, &values}) {
    for (double& value : *list) value = reader.number();
  }
  return std::make_shared<const Table>(
      std::move(name), std::move(arguments), std::move(values),
      is_linear ? Table::Interpolation::linear : Table::Interpolation::spline);
}

}  // namespace dalembert
