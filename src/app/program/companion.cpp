#include "companion.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "dalembert/error.hpp"
#include "document/program_folder.hpp"

namespace dalembert::app {

void start_companion(const std::string& name, char* const* words) {
  std::error_code ignored;
  const std::filesystem::path folder = study::program_folder();
  // Never from the directory where the program happens to be called.
  const bool is_beside = !folder.empty() && std::filesystem::exists(folder / name, ignored);
  std::string called = is_beside ? (folder / name).string() : name;
  std::vector<char*> all{called.data()};
  while (*words != nullptr) all.push_back(*words++);
  all.push_back(nullptr);
  execvp(called.c_str(), all.data());  // returns only if it fails
  if (errno == ENOENT)
    throw OutputError("the program " + name + " is neither in " + folder.string() +
                      " nor on the PATH; a full build makes it: cmake --build --preset release");
  throw OutputError("cannot start " + called + ": " + std::strerror(errno));
}

}  // namespace dalembert::app
