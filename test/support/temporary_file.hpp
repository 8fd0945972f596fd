#pragma once
// A file for one test, gone at its end.

#include <filesystem>
#include <random>
#include <string>

namespace test_support {

/// The path of a file that does not exist yet; what is there at the end is removed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& extension) {
    path_ = std::filesystem::temp_directory_path() /
            ("dalembert-test-" + std::to_string(std::random_device{}()) + extension);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace test_support
