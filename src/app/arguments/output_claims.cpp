#include "app/arguments/output_claims.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "dalembert/document/own_output.hpp"
#include "dalembert/result/csv_result.hpp"
#include "dalembert/result/hdf5/existing_result.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;
namespace fs = std::filesystem;

namespace {

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code error;
  if (fs::equivalent(one, other, error) && !error) return true;
  return fs::weakly_canonical(behind_links(one), error) ==
         fs::weakly_canonical(behind_links(other), error);
}

/// A device or a pipe, which may stand for several outputs.
bool is_no_file(const fs::path& path) {
  std::error_code ignored;
  return path.empty() || path == "-" || fs::is_other(path, ignored);
}

[[noreturn]] void refuse(const std::string& option, const fs::path& path, const std::string& what) {
  throw RequestError(option + " \"" + path.string() + "\" " + what);
}

}  // namespace

OutputClaims::OutputClaims(std::vector<fs::path> inputs, bool force)
    : inputs_(std::move(inputs)), force_(force) {}

void OutputClaims::refuse_double(const std::string& option, const fs::path& path) {
  for (const fs::path& input : inputs_) {
    if (is_same_file(input, path))
      refuse(option, path, "is a file that this command reads; name another one to write to");
  }
  for (const Claim& claim : claims_) {
    if (is_same_file(claim.path, path))
      refuse(option, path, "is also written by " + claim.option + "; name two files");
  }
  claims_.push_back({option, path});
}

void OutputClaims::claim(const std::string& option, const fs::path& path) {
  if (is_no_file(path)) return;
  refuse_double(option, path);
  if (!force_ && !is_own_output(path)) {
    refuse(option, path,
           "exists and was not made by dalembert; name another file, or replace it with --force");
  }
}

void OutputClaims::claim_result(const std::string& option, const fs::path& path) {
  if (is_no_file(path)) return;
  refuse_double(option, path);
  if (force_) return;
  const std::optional<ReasonToKeep> reason = reason_to_keep(path);
  if (!reason) return;
  refuse(option, path,
         reason->what + "; name another file, " +
             (reason->can_be_resumed ? "continue it with dalembert resume, " : "") +
             "or replace it with --force");
}

void OutputClaims::claim_directory(const std::string& option, const fs::path& directory) const {
  std::error_code error;
  if (force_ || !fs::is_directory(directory, error) || fs::is_empty(directory, error)) return;
  const fs::path index = directory / "index.html";
  if (fs::exists(index, error) && is_own_output(index)) return;
  refuse(option, directory,
         "holds files that are no pages of dalembert; name another directory, or add --force");
}

namespace {

/// --out is for results that can be resumed; who names another form means another option.
void refuse_other_form(const fs::path& out) {
  const std::string ending = out.extension().string();
  const auto refuse_for = [&](const std::string& option) {
    throw RequestError("--out " + out.string() +
                       ": --out writes an HDF5 result, as result.h5; for " + ending.substr(1) +
                       " give " + option);
  };
  if (ending == ".csv") refuse_for("--csv DIR");
  if (ending == ".json") refuse_for("--json " + out.string());
  if (ending == ".svg" || ending == ".png" || ending == ".pdf")
    refuse_for("--plot " + out.string());
}

}  // namespace

void claim_outputs(const StudyArguments& arguments, const Study& study,
                   const std::vector<RunPlan>& plans) {
  OutputClaims claims(study.files, arguments.force);
  claims.claim("--json", arguments.json);
  claims.claim("--plot", arguments.plot);
  refuse_other_form(arguments.out);
  claims.claim_result("--out", arguments.out);
  if (arguments.csv.empty()) return;
  for (const RunPlan& plan : plans) {
    for (const fs::path& path : csv_files(arguments.csv, plan)) claims.claim("--csv", path);
    fs::path members = fs::path(arguments.csv) / csv_file_name(plan);
    if (study.ensemble) claims.claim("--csv", members.replace_extension("members.csv"));
  }
}

void add_force_option(CLI::App& command, bool& force) {
  command.add_flag("--force", force,
                   "Replace files that were not made by dalembert, and results that took more than "
                   "a minute to compute");
}

}  // namespace dalembert::app
