#pragma once
// Which files a command writes, settled before anything is computed.

#include <filesystem>
#include <string>
#include <vector>

#include "app/arguments/study_arguments.hpp"
#include "dalembert/study/run_plan.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

/// Keeps a command from writing over what it reads, over what it writes itself under another
/// option, and, without --force, over files that it did not make and over long results.
class OutputClaims {
 public:
  /// `inputs`: the files that the command reads.
  OutputClaims(std::vector<std::filesystem::path> inputs, bool force);

  /// JSON, CSV, a page or a picture; "" and "-" stand for no file. RequestError, with the option.
  void claim(const std::string& option, const std::filesystem::path& path);
  /// An HDF5 result. RequestError, as above.
  void claim_result(const std::string& option, const std::filesystem::path& path);
  /// A directory of pages: empty, or filled by this program before.
  void claim_directory(const std::string& option, const std::filesystem::path& directory) const;

 private:
  struct Claim {
    std::string option;
    std::filesystem::path path;
  };
  void refuse_double(const std::string& option, const std::filesystem::path& path);

  std::vector<std::filesystem::path> inputs_;
  std::vector<Claim> claims_;
  bool force_;
};

/// Claims everything that a study's command was asked to write.
void claim_outputs(const StudyArguments& arguments, const study::Study& study,
                   const std::vector<study::RunPlan>& plans);

/// Adds the option --force.
void add_force_option(CLI::App& command, bool& force);

}  // namespace dalembert::app
