#include "dalembert/problem/start/recorded_start.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "dalembert/document/csv_columns.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/make_system.hpp"
#include "problem/start/free_start.hpp"

namespace dalembert::study {
namespace {

using Row = std::vector<double>;

/// Which row is asked for.
struct RowChoice {
  std::filesystem::path file;
  const DocumentNode* row = nullptr;   ///< or
  const DocumentNode* time = nullptr;  ///< or neither: the last
};

/// For sentences: "3 rows".
std::string rows_in_words(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

/// The row of this number, from 0, or from the end if it is negative.
Row row_of_number(const RowChoice& choice, const std::vector<std::string>& names,
                  std::int64_t number) {
  const bool from_end = number < 0;
  const auto kept = static_cast<std::size_t>(from_end ? -number : 1);
  std::deque<Row> rows;
  const auto take = [&](std::size_t index, std::span<const double> cells) {
    rows.emplace_back(cells.begin(), cells.end());
    if (rows.size() > kept) rows.pop_front();
    return from_end || index < static_cast<std::size_t>(number);
  };
  const std::size_t count = read_rows(choice.file, names, take);
  if (count == 0) throw RequestError(choice.file.string(), "there are no rows of numbers");
  const bool is_there = from_end ? kept <= count : static_cast<std::size_t>(number) < count;
  if (!is_there) {
    choice.row->refuse("is " + std::to_string(number) + ", but \"" + choice.file.string() +
                       "\" has " + rows_in_words(count) + "; rows count from 0, and from -1 " +
                       "backwards from the last");
  }
  return rows.front();
}

/// The first row of exactly this time, which is the first cell.
Row row_of_time(const RowChoice& choice, const std::vector<std::string>& names) {
  const double wanted = parse_constant(*choice.time);
  Row nearest;
  const auto take = [&](std::size_t, std::span<const double> cells) {
    if (nearest.empty() || std::fabs(cells[0] - wanted) < std::fabs(nearest[0] - wanted))
      nearest.assign(cells.begin(), cells.end());
    return nearest[0] != wanted;
  };
  if (read_rows(choice.file, names, take) == 0)
    throw RequestError(choice.file.string(), "there are no rows of numbers");
  if (nearest[0] != wanted) {
    choice.time->refuse("is " + to_string(wanted) + ", and \"" + choice.file.string() +
                        "\" has no row of this time; the nearest is at " + to_string(nearest[0]));
  }
  return nearest;
}

void check_alone(const DocumentNode& table) {
  for (const char* key : {"name", "q", "zeta", "v", "p", "position", "velocity"}) {
    if (const DocumentNode* other = table.find(key))
      other->refuse("stands beside csv, which gives positions and velocities; give one of them");
  }
  if (table.find("row") != nullptr && table.find("time") != nullptr)
    table.find("time")->refuse("stands beside row, which names a row, too; give one of them");
}

void check_not_recorded(const DocumentNode& table) {
  for (const char* key : {"row", "time"}) {
    if (const DocumentNode* node = table.find(key))
      node->refuse("belongs to the key csv, the file that the state is read from");
  }
}

DocumentNode numbers_node(const DocumentNode& place, const std::string& key,
                          std::span<const double> values) {
  DocumentNode list{DocumentNode::Array{}, place.place, key};
  for (const double value : values) list.array().push_back({value, place.place, key});
  return list;
}

/// The system that the start is of.
System system_of(const ProblemFile& problem, const Sizes& sizes, const DocumentNode& table) {
  Sizes chosen;
  if (const DocumentNode* own = table.find("sizes"); own != nullptr && own->is_table()) {
    for (const auto& [key, node] : own->table())
      chosen[key] = as_whole(node, 0, std::numeric_limits<std::int32_t>::max());
  }
  for (const auto& [name, value] : sizes) chosen[name] = value;
  return make_system(problem, chosen);
}

/// The names of the columns of a state.
struct StateNames {
  std::vector<std::string> q = {}, v = {}, lambda = {};
};

StateNames state_names(const System& system) {
  StateNames names;
  for (const Coordinate& number : system.configuration().storage()) names.q.push_back(number.name);
  if (!system.is_skew_gradient()) names.v = system.configuration().velocity_columns();
  names.lambda = system.multiplier_names();
  return names;
}

/// Whether multipliers are taken if they are there: they belong to the very state that is recorded.
bool takes_multipliers(const DocumentNode& table) {
  const DocumentNode* project = table.find("project");
  const bool moves = table.find("free") != nullptr || (project != nullptr && as_boolean(*project));
  return !moves && table.find("lambda") == nullptr;
}

/// A state by columns, t first if it is wanted.
class RecordedState {
 public:
  RecordedState(const RowChoice& choice, const StateNames& wanted, const DocumentNode& table) {
    const std::vector<std::string> known = csv_column_names(choice.file);
    const auto is_known = [&known](const std::string& name) {
      return std::ranges::find(known, name) != known.end();
    };
    std::vector<std::string> free;
    if (const DocumentNode* node = table.find("free")) free = free_names(*node);
    has_time_ = choice.time != nullptr || is_known("t");
    if (has_time_) names_.emplace_back("t");
    for (const auto* part : {&wanted.q, &wanted.v}) {
      for (const std::string& name : *part) {
        const bool is_free = std::ranges::find(free, name) != free.end();
        if (is_known(name) || !is_free) names_.push_back(name);
      }
    }
    has_multipliers_ = takes_multipliers(table) && !wanted.lambda.empty() &&
                       std::ranges::all_of(wanted.lambda, is_known);
    if (has_multipliers_) names_.insert(names_.end(), wanted.lambda.begin(), wanted.lambda.end());
    if (choice.time != nullptr) {
      row_ = row_of_time(choice, names_);
    } else {
      constexpr std::int64_t most = 10'000'000;
      const std::int64_t number = choice.row == nullptr ? -1 : as_whole(*choice.row, -most, most);
      row_ = row_of_number(choice, names_, number);
    }
  }

  std::optional<double> t() const {
    return has_time_ ? std::optional<double>(row_[0]) : std::nullopt;
  }
  bool has_multipliers() const { return has_multipliers_; }
  /// The numbers of these names; what is free and missing is sought from 0.
  Row values(const std::vector<std::string>& names) const {
    Row result;
    const auto first = names_.begin() + (has_time_ ? 1 : 0);
    for (const std::string& name : names) {
      const auto found = std::find(first, names_.end(), name);
      result.push_back(found == names_.end()
                           ? 0.0
                           : row_[static_cast<std::size_t>(std::distance(names_.begin(), found))]);
    }
    return result;
  }

 private:
  bool has_time_ = false, has_multipliers_ = false;
  std::vector<std::string> names_ = {};
  Row row_ = {};
};

}  // namespace

std::optional<RecordedStart> read_recorded_start(const ProblemFile& problem, const Sizes& sizes,
                                                 const DocumentNode& table,
                                                 const std::filesystem::path& base) {
  if (!table.is_table()) return {};
  const DocumentNode* csv = table.find("csv");
  if (csv == nullptr) {
    check_not_recorded(table);
    return {};
  }
  check_alone(table);
  const RowChoice choice{base / as_text(*csv), table.find("row"), table.find("time")};
  const System system = system_of(problem, sizes, table);
  const StateNames names = state_names(system);
  try {
    const RecordedState state(choice, names, table);
    if (state.t().value_or(0.0) != 0.0 && system.traits().time_dependent) {
      csv->refuse("gives a state of t = " + to_string(*state.t()) +
                  ", but runs begin at t = 0, and this problem depends on time");
    }
    RecordedStart start{table, choice.file};
    auto& entries = start.table.table();
    std::erase_if(entries, [](const auto& entry) {
      return entry.first == "csv" || entry.first == "row" || entry.first == "time";
    });
    entries.push_back({"q", numbers_node(*csv, "initial.q", state.values(names.q))});
    if (!names.v.empty())
      entries.push_back({"v", numbers_node(*csv, "initial.v", state.values(names.v))});
    if (state.has_multipliers()) {
      entries.push_back(
          {"lambda", numbers_node(*csv, "initial.lambda", state.values(names.lambda))});
    }
    return start;
  } catch (const RequestError& error) {
    if (error.place().empty() || error.place().starts_with(choice.file.string()))
      csv->refuse("names a file that is no recorded state: " + std::string(error.what()));
    throw;
  }
}

}  // namespace dalembert::study
