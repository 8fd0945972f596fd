#include <CLI/CLI.hpp>
#include <memory>

#include "app/stored/stored_outputs.hpp"
#include "commands.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

int export_result(const std::string& file, const StoredRequest& request) {
  const Study study = read_study(parse_document(read_hdf5_study(file), file));
  if (request.is_empty())
    throw RequestError("say what to write: --csv DIR, --json FILE or --plot FILE");
  claim_stored_outputs(study, file, request);
  write_stored_outputs(study, file, request);
  return success;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto file = std::make_shared<std::string>();
  auto request = std::make_shared<StoredRequest>();
  CLI::App* command = app.add_subcommand("export", "Write a result file as CSV, JSON or a picture");
  command->add_option("file", *file, "A result of dalembert run --out")->required();
  add_stored_outputs(*command, *request);
  command->footer("Example: dalembert export result.h5 --csv rows --json result.json");
  command->callback([file, request, &action] {
    action = [file, request] { return export_result(*file, *request); };
  });
}

}  // namespace dalembert::app
