#pragma once
// Files of a command beside its table: the same options, claims and files for all of them.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/output_file.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

/// The files that were asked for; "" for none, JSON also to standard output with "-".
struct ReportPaths {
  std::string out, json, csv, html, plot;
};

/// Contents of the files, as the help says them; an option without words is not added.
struct ReportWords {
  std::string json, csv, plot = {}, html = {}, out = {};
};

/// Adds --out, --json, --csv, --html and --plot.
void add_report_options(CLI::App& command, ReportPaths& paths, const ReportWords& words);

/// Forms of what was found. Each is made where its file was asked for.
struct ReportViews {
  std::string text;  ///< the table
  std::function<std::string()> json = {}, csv = {}, html = {};
  std::function<void(const std::string&path)> plot = {}, out = {};
};

/// The files of a command: claimed, and opened where they appear whole, before anything is
/// computed.
class ReportOutputs {
 public:
  /// `inputs`: the files that the command reads. Throws as OutputClaims and check_picture_file.
  ReportOutputs(const ReportPaths& paths, std::vector<std::filesystem::path> inputs, bool force);
  void write(const ReportViews& views);

 private:
  ReportPaths paths_;
  std::optional<study::OutputFile> json_, csv_, html_;
};

}  // namespace dalembert::app
