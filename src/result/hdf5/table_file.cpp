#include "dalembert/result/hdf5/table_file.hpp"

#include "dalembert/document/output_file.hpp"
#include "result/hdf5/access/attribute.hpp"
#include "result/hdf5/access/dimensions.hpp"
#include "result/hdf5/access/handle.hpp"
#include "result_file.hpp"

namespace dalembert::study {

using namespace hdf5;

namespace {

void write_tables(const std::filesystem::path& path, const Study* study,
                  const std::string& analysis, const std::vector<RunTable>& runs) {
  OutputFile output(path);
  try {
    make_file(output.temporary_path(), [&](hid_t file) {
      write_version(file);
      if (study != nullptr) write_study(file, *study);
      write_attribute(file, "analysis", analysis);
      const Handle all = make_group(file, "runs");
      for (const RunTable& run : runs) {
        const Handle group =
            make_group(file, run.plan == nullptr ? analysis : run_group_name(*run.plan));
        if (run.plan != nullptr) write_run_request(group, *run.plan);
        write_attribute(group, "status", run.status);
        write_attribute(group, "message", run.message);
        write_labelled(group, run.table);
      }
    });
  } catch (const OutputError& error) {
    throw OutputError("cannot write \"" + path.string() + "\": " + error.what());
  }
  output.commit();
}

}  // namespace

void write_table_file(const std::filesystem::path& path, const Study& study,
                      const std::string& analysis, const std::vector<RunTable>& runs) {
  write_tables(path, &study, analysis, runs);
}

void write_table_file(const std::filesystem::path& path, const std::string& analysis,
                      const LabelledTable& table) {
  write_tables(path, nullptr, analysis, {{nullptr, table}});
}

void check_table_file(const std::filesystem::path& path) {
  check_writable(path);
  try {
    library();
  } catch (const OutputError& error) {
    throw OutputError("cannot write \"" + path.string() + "\": " + error.what());
  }
}

}  // namespace dalembert::study
