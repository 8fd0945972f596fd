#include "dalembert/result/copies/result_lock.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "dalembert/error.hpp"
#include "file_calls.hpp"
#include "file_lock.hpp"

namespace dalembert::study {
namespace {

/// Whether the system says that the file can be written, so that one protected stays.
void check_place(const std::filesystem::path& path, const std::filesystem::path& directory) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse_call(EISDIR);
    if (!S_ISREG(status.st_mode)) throw OutputError("it is a device or a pipe, not a file");
    if (access(path.c_str(), W_OK) != 0) refuse_call(errno);
  }
  if (access(directory.c_str(), W_OK | X_OK) != 0) refuse_call(errno);
}

}  // namespace

ResultLock ResultLock::taken(std::filesystem::path path) {
  ResultLock lock;
  lock.path_ = followed(std::move(path));
  check_place(lock.path_, directory_of(lock.path_));
  lock.lock_ = std::make_unique<FileLock>(beside(lock.path_, ".lock"));
  return lock;
}

ResultLock::ResultLock(const std::filesystem::path& path) {
  try {
    *this = taken(path);
  } catch (const OutputError& error) {
    throw OutputError("cannot write \"" + path.string() + "\": " + error.what());
  }
}
ResultLock::ResultLock() = default;
ResultLock::ResultLock(ResultLock&& other) noexcept = default;
ResultLock& ResultLock::operator=(ResultLock&& other) noexcept = default;
ResultLock::~ResultLock() = default;

}  // namespace dalembert::study
