#pragma once

#include <filesystem>
#include <memory>

namespace dalembert::study {

class FileLock;

/// The sole right to go on with a result file. Taken before the file is read, so that what is read
/// is what the runs go on from; then given to the sink that writes it. Programs that only read need
/// none: a result is whole at every instant.
class ResultLock {
 public:
  /// OutputError, with the name of the file, if it cannot be written or another run writes it.
  explicit ResultLock(const std::filesystem::path& path);
  ResultLock(ResultLock&& other) noexcept;
  ResultLock& operator=(ResultLock&& other) noexcept;
  ~ResultLock();

  /// The path of the result file.
  const std::filesystem::path& path() const { return path_; }

 private:
  friend class TwoCopies;
  ResultLock();
  /// Complaints do not name the file.
  static ResultLock taken(std::filesystem::path path);

  std::filesystem::path path_;
  std::unique_ptr<FileLock> lock_;
};

}  // namespace dalembert::study
