#include "companion.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "dalembert/error.hpp"

namespace dalembert::app {

void start_companion(const std::string& name, char* const* words) {
  std::error_code ignored;
  const std::filesystem::path beside =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / name;
  std::string called = std::filesystem::exists(beside, ignored) ? beside.string() : name;
  std::vector<char*> all{called.data()};
  while (*words != nullptr) all.push_back(*words++);
  all.push_back(nullptr);
  execvp(called.c_str(), all.data());  // returns only if it fails
  if (errno == ENOENT)
    throw OutputError("needs the program " + name + ", which is neither in " +
                      beside.parent_path().string() +
                      " nor on the PATH; a full build makes it: cmake --build --preset release");
  throw OutputError("cannot start " + called + ": " + std::strerror(errno));
}

}  // namespace dalembert::app
