#include "dalembert/result/csv_result.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <fstream>

#include "dalembert/document/output_file.hpp"
#include "dalembert/document/own_output.hpp"
#include "dalembert/study/execution/event_table.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

struct CsvSink::Files {
  std::vector<std::filesystem::path> paths, unfinished;
  std::vector<std::ofstream> streams;

  void check(std::size_t index) const {
    if (!streams[index])
      throw OutputError("cannot write \"" + paths[index].string() + "\" (is the disk full?)");
  }
  void move_to_place(std::size_t index) const {
    std::error_code error;
    std::filesystem::rename(unfinished[index], behind_links(paths[index]), error);
    if (error)
      throw OutputError("cannot write \"" + paths[index].string() + "\": " + error.message());
  }
};

namespace {

constexpr std::size_t longest_number = 32;  // characters

void append_number(std::string& text, double value) {
  std::array<char, longest_number> buffer;
  auto* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  text.append(buffer.data(), end);
}

/// Rows of so many numbers, from memory that stays in the processor's cache.
void write_rows(std::ostream& stream, std::span<const double> rows, std::size_t width) {
  std::array<char, std::size_t{1} << 15> text;
  char* const last = text.data() + text.size() - longest_number - 1;
  char* end = text.data();
  for (std::size_t i = 0, column = 0; i < rows.size(); ++i) {
    if (end > last) {
      stream.write(text.data(), end - text.data());
      end = text.data();
    }
    end = std::to_chars(end, end + longest_number, rows[i]).ptr;
    column = column + 1 == width ? 0 : column + 1;
    *end++ = column == 0 ? '\n' : ',';
  }
  stream.write(text.data(), end - text.data());
}

std::string table_text(const std::vector<std::string>& columns, const std::vector<double>& rows) {
  std::string text;
  for (const std::string& name : columns) text += (text.empty() ? "" : ",") + name;
  text += '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    append_number(text, rows[i]);
    text += (i + 1) % columns.size() == 0 ? '\n' : ',';
  }
  return text;
}

std::filesystem::path section_file(std::filesystem::path records, const std::string& section) {
  return records.replace_extension("." + section + ".csv");
}

}  // namespace

std::string csv_file_name(const RunPlan& plan) {
  std::array<char, 16> number;
  std::snprintf(number.data(), number.size(), "%04zu", plan.index + 1);
  std::string name = number.data();
  for (const std::string& part : {plan.label, plan.method.label}) {
    if (part.empty()) continue;
    name += '-';
    for (const char c : part) {
      const bool plain =
          std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '=';
      if (plain) name += c;
      if (c == ',' || c == '(') name += '-';
    }
  }
  return name.substr(0, 120) + ".csv";
}

std::vector<std::filesystem::path> csv_files(const std::filesystem::path& directory,
                                             const RunPlan& plan) {
  std::vector<std::filesystem::path> files{directory / csv_file_name(plan)};
  for (const SectionChoice& section : plan.sections)
    files.push_back(section_file(files.front(), section.name));
  for (const Event& event : plan.events) files.push_back(section_file(files.front(), event.name));
  return files;
}

CsvSink::CsvSink(const std::filesystem::path& directory, const std::vector<RunPlan>& plans)
    : files_(std::make_unique<Files>()) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw OutputError("cannot make the directory \"" + directory.string() +
                      "\": " + error.message());
  for (const RunPlan& plan : plans) {
    files_->paths.push_back(directory / csv_file_name(plan));
    files_->unfinished.push_back(files_->paths.back().string() + ".unfinished");
    files_->streams.emplace_back(files_->unfinished.back(), std::ios::binary);
    std::string header;
    for (const std::string& name : plan.columns.names) header += (header.empty() ? "" : ",") + name;
    files_->streams.back() << header << '\n';
    files_->streams.back().flush();
    files_->check(plan.index);
  }
}

CsvSink::~CsvSink() = default;

void CsvSink::append(const RunPlan& plan, std::span<const double> rows, const RunResult&) {
  write_rows(files_->streams[plan.index], rows, plan.columns.width());
  files_->streams[plan.index].flush();
  files_->check(plan.index);
}

void CsvSink::finish(const RunPlan& plan, const RunResult& result) {
  files_->streams[plan.index].close();
  files_->check(plan.index);
  files_->move_to_place(plan.index);
  const auto write_table = [&](const std::string& name, const std::vector<std::string>& columns,
                               const std::vector<double>& rows) {
    OutputFile(section_file(files_->paths[plan.index], name)).write(table_text(columns, rows));
  };
  const auto motion = plan.columns.motion_names();
  for (const SectionResult& section : result.diagnostics.sections) {
    std::vector<double> rows;
    for (const Crossing& crossing : section.crossings) {
      rows.push_back(crossing.t);
      rows.insert(rows.end(), crossing.q.begin(), crossing.q.end());
      rows.insert(rows.end(), crossing.v.begin(), crossing.v.end());
    }
    write_table(section.name, {motion.begin(), motion.end()}, rows);
  }
  for (std::size_t i = 0; i < result.diagnostics.events.size(); ++i) {
    const EventResult& event = result.diagnostics.events[i];
    std::vector<double> rows;
    for (const EventOccurrence& occurrence : event.occurrences)
      append_event_row(plan, occurrence, rows);
    write_table(event.name, event_columns(plan, i), rows);
  }
}

}  // namespace dalembert::study
