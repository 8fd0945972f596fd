#include "program_folder.hpp"

#include <system_error>

namespace dalembert::study {

std::filesystem::path program_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace dalembert::study
