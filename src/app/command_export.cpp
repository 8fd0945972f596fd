#include <CLI/CLI.hpp>
#include <memory>

#include "app/stored/rows_at_times.hpp"
#include "app/stored/stored_outputs.hpp"
#include "commands.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct ExportArguments {
  std::string file;
  StoredRequest request;
  TimesRequest times;
};

int export_result(const ExportArguments& arguments) {
  const auto& [file, request, times] = arguments;
  const Study study = read_study(parse_document(read_hdf5_study(file), file));
  if (request.is_empty() && times.is_empty())
    throw RequestError("say what to write: --csv DIR, --json FILE or --plot FILE");
  claim_stored_outputs(study, file, request);
  if (times.is_empty()) {
    write_stored_outputs(study, file, request);
  } else {
    write_rows_at_times(study, file, request, times);
  }
  return success;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a result file as CSV, JSON or a picture");
  command->add_option("file", arguments->file, "A result of dalembert run --out")->required();
  add_stored_outputs(*command, arguments->request);
  add_times(*command, arguments->times);
  command->footer(
      "Examples: dalembert export result.h5 --csv rows --json result.json\n"
      "          dalembert export result.h5 --at 12.34,20 --csv rows");
  command->callback(
      [arguments, &action] { action = [arguments] { return export_result(*arguments); }; });
}

}  // namespace dalembert::app
