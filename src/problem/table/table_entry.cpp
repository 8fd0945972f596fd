#include "problem/table/table_entry.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "dalembert/document/csv_columns.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/text/function_names.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/problem/space/space_entry.hpp"

namespace dalembert::study {
namespace {

using Points = std::pair<std::vector<double>, std::vector<double>>;

/// A path in a document is relative to the folder of its file.
std::filesystem::path beside_document(const DocumentNode& path) {
  return std::filesystem::path(path.place.file).parent_path() / as_text(path);
}

Points points_of_file(TableReader& table, const DocumentNode& csv) {
  const std::vector<std::string> columns{table.text("time", "t"), as_text(table.require("value"))};
  try {
    auto found = read_columns(beside_document(csv), columns);
    return {std::move(found[0]), std::move(found[1])};
  } catch (const RequestError& error) {
    csv.refuse(std::string("cannot be used: ") + error.what());
  }
}

std::vector<double> numbers_of(const DocumentNode& list) {
  std::vector<double> numbers;
  for (const DocumentNode& node : as_list(list)) numbers.push_back(as_number(node));
  return numbers;
}

Points points_of(TableReader& table) {
  if (const DocumentNode* csv = table.find("csv")) {
    for (const char* other : {"times", "values"}) {
      if (const DocumentNode* node = table.find(other))
        node->refuse("stands beside csv; the points come from one of them");
    }
    return points_of_file(table, *csv);
  }
  return {numbers_of(table.require("times")), numbers_of(table.require("values"))};
}

Table::Interpolation interpolation_of(TableReader& table) {
  const std::string word = table.text("interpolation", "spline");
  const std::vector<std::string> allowed{"spline", "linear"};
  if (std::ranges::find(allowed, word) == allowed.end())
    table.require("interpolation").refuse("is \"" + word + "\"" + suggestion(word, allowed));
  return word == "linear" ? Table::Interpolation::linear : Table::Interpolation::spline;
}

DocumentNode list_of(const std::vector<double>& numbers) {
  DocumentNode::Array entries;
  for (const double number : numbers) entries.push_back(DocumentNode{number});
  return DocumentNode{std::move(entries)};
}

}  // namespace

TablePointer read_table_entry(const std::string& name, const DocumentNode& node) {
  require_name(name, node);
  const std::vector<std::string> functions = function_names();
  if (std::ranges::find(functions, name) != functions.end())
    node.refuse("has the name of a function that there is already; give it another");
  TableReader table(node);
  auto [times, values] = points_of(table);
  const Table::Interpolation interpolation = interpolation_of(table);
  table.finish();
  try {
    return std::make_shared<const Table>(name, std::move(times), std::move(values), interpolation);
  } catch (const RequestError& error) {
    node.refuse(std::string("is wrong: ") + error.what());
  }
}

DocumentNode with_points(const DocumentNode& node, const Table& table) {
  DocumentNode result = node;
  std::erase_if(result.table(), [](const TableEntry& entry) {
    return entry.first == "csv" || entry.first == "time" || entry.first == "value";
  });
  if (result.find("times") == nullptr) {
    result.table().push_back({"times", list_of(table.arguments())});
    result.table().push_back({"values", list_of(table.values())});
  }
  return result;
}

}  // namespace dalembert::study
