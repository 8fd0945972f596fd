#pragma once
// Only for the sources of this room.

#include <filesystem>

namespace dalembert::study {

/// The sole right to write a file, held by a lock on an empty file beside it, which is removed at
/// the end. The system gives the lock up when a program is killed. File systems without locks are
/// believed.
class FileLock {
 public:
  /// OutputError if another run has it, or if a file of that name is not empty.
  explicit FileLock(std::filesystem::path path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  bool try_once();

  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace dalembert::study
