#include "file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "dalembert/error.hpp"
#include "file_calls.hpp"

namespace dalembert::study {

FileLock::FileLock(std::filesystem::path path) : path_(std::move(path)) {
  while (!try_once()) {
  }
}

/// False if the file was removed by its last owner before it was locked.
bool FileLock::try_once() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) refuse_call(errno);
  struct stat mine = {}, named = {};
  const bool is_ours = fstat(file_, &mine) == 0 && S_ISREG(mine.st_mode) && mine.st_size == 0;
  const bool is_taken = flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (is_ours && !is_taken && stat(path_.c_str(), &named) == 0 && named.st_ino == mine.st_ino)
    return true;
  close(file_);
  if (is_taken) throw OutputError("another run is writing it");
  if (!is_ours) {
    throw OutputError("\"" + path_.filename().string() +
                      "\" beside it is not empty, as the lock of a run would be");
  }
  return false;
}

FileLock::~FileLock() {
  unlink(path_.c_str());
  close(file_);
}

}  // namespace dalembert::study
