#include "report_outputs.hpp"

#include <CLI/CLI.hpp>
#include <utility>

#include "app/arguments/output_claims.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/result/hdf5/table_file.hpp"

namespace dalembert::app {

using namespace study;

void add_report_options(CLI::App& command, ReportPaths& paths, const ReportWords& words) {
  if (!words.out.empty())
    command.add_option("--out", paths.out, "Write " + words.out + " to an HDF5 file");
  if (!words.json.empty())
    command.add_option("--json", paths.json,
                       "Write " + words.json + " as JSON to a file, or to standard output with -");
  if (!words.csv.empty())
    command.add_option("--csv", paths.csv, "Write " + words.csv + " to a CSV file");
  if (!words.html.empty()) command.add_option("--html", paths.html, "Write " + words.html);
  if (!words.plot.empty())
    command.add_option("--plot", paths.plot,
                       "Draw " + words.plot + ": a file ending in .svg, .png or .pdf");
}

ReportOutputs::ReportOutputs(const ReportPaths& paths, std::vector<std::filesystem::path> inputs,
                             bool force)
    : paths_(paths) {
  OutputClaims claims(std::move(inputs), force);
  claims.claim_result("--out", paths.out);
  claims.claim("--json", paths.json);
  claims.claim("--csv", paths.csv);
  claims.claim("--html", paths.html);
  claims.claim("--plot", paths.plot);
  if (!paths.plot.empty()) check_picture_file(paths.plot);
  if (!paths.out.empty()) check_table_file(paths.out);
  if (!paths.json.empty() && paths.json != "-") json_.emplace(paths.json);
  if (!paths.csv.empty()) csv_.emplace(paths.csv);
  if (!paths.html.empty()) html_.emplace(paths.html);
}

void ReportOutputs::write(const ReportViews& views) {
  print_table(views.text, paths_.json == "-");
  if (paths_.json == "-") print(views.json());
  if (json_) json_->write(views.json());
  if (csv_) csv_->write(views.csv());
  if (html_) html_->write(views.html());
  if (!paths_.out.empty()) views.out(paths_.out);
  if (!paths_.plot.empty()) views.plot(paths_.plot);
}

}  // namespace dalembert::app
