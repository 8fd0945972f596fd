#include "dalembert/document/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "dalembert/document/own_output.hpp"
#include "partial_file.hpp"

namespace dalembert::study {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw OutputError("cannot write \"" + path.string() + "\": " + why);
}
[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
  refuse(path, error == 0 ? std::string("unknown error") : std::string(std::strerror(error)));
}

/// Whether there is something that is neither a file nor a directory: a device, a pipe.
bool is_special(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_other(path, ignored);
}

/// A file that is replaced keeps who may read it.
void keep_permissions(const std::filesystem::path& old_file, const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(old_file, ignored)) return;
  std::filesystem::permissions(file, std::filesystem::status(old_file, ignored).permissions(),
                               ignored);
}

}  // namespace

void check_writable(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse(path, EISDIR);
  if (std::filesystem::exists(path, ignored) && access(path.c_str(), W_OK) != 0)
    refuse(path, errno);
  if (is_special(path)) return;
  const std::filesystem::path directory =
      path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (access(directory.c_str(), W_OK | X_OK) != 0) refuse(path, errno);
}

OutputFile::OutputFile(const std::filesystem::path& path) : path_(behind_links(path)) {
  check_writable(path_);
  if (is_special(path_)) {
    temporary_ = path_;
    return;
  }
  try {
    partial_ = std::make_unique<PartialFile>(path_);
  } catch (const OutputError& error) {
    refuse(path_, error.what());
  }
  temporary_ = partial_->path();
  keep_permissions(path_, temporary_);
}

OutputFile::~OutputFile() = default;

void OutputFile::write(const std::string& text) {
  write([&](std::ostream& file) { file << text; });
}

void OutputFile::write(const std::function<void(std::ostream&)>& print) {
  errno = 0;
  std::ofstream file(temporary_, std::ios::binary);
  print(file);
  file.close();
  if (!file) refuse(path_, errno);
  commit();
}

void OutputFile::commit() {
  if (!partial_) return;
  try {
    partial_->move_to(path_);
  } catch (const OutputError& error) {
    refuse(path_, error.what());
  }
}

}  // namespace dalembert::study
