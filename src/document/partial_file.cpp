#include "partial_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert::study {
namespace {

namespace fs = std::filesystem;

fs::path partial_name(const fs::path& beside, int number) {
  constexpr std::size_t longest = 200;  // of 255 bytes that systems allow, with what is added
  return beside.parent_path() /
         ("." + beside.stem().string().substr(0, longest) + ".partial" +
          (number == 1 ? "" : "-" + std::to_string(number)) + beside.extension().string());
}

/// Of one file at the same time, and of what else may have such a name.
constexpr int most_partial_files = 1000;

[[noreturn]] void refuse_call() { throw OutputError(std::strerror(errno)); }

bool is_there(const fs::path& path) {
  struct stat status = {};
  return lstat(path.c_str(), &status) == 0;
}

bool is_locked(int file) { return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

/// Whether a name is that of an open file, which somebody may have taken away meanwhile.
bool is_named(int file, const fs::path& path) {
  struct stat mine = {}, named = {};
  return fstat(file, &mine) == 0 && lstat(path.c_str(), &named) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

/// Removes what a killed run left, which nobody has locked; false where a run writes it, and where
/// something else has its name: a folder, a link, a file of somebody else.
bool remove_left_over(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return errno == ENOENT;
  bool is_gone = !is_locked(file);
  if (is_gone && is_named(file, path)) is_gone = unlink(path.c_str()) == 0 || errno == ENOENT;
  close(file);
  return is_gone;
}

}  // namespace

PartialFile::PartialFile(const fs::path& beside) {
  int number = 1;
  for (path_ = partial_name(beside, number); !try_to_make(); path_ = partial_name(beside, number))
    if (!remove_left_over(path_) && ++number > most_partial_files)
      throw OutputError("\"" + path_.string() + "\" and its like are taken; remove them");
  // Of runs that wrote the same file at the same time and were killed.
  for (fs::path next = partial_name(beside, ++number); is_there(next);
       next = partial_name(beside, ++number))
    remove_left_over(next);
}

PartialFile::~PartialFile() {
  if (!path_.empty()) unlink(path_.c_str());
  close(file_);
}

/// False where there is a file of that name.
bool PartialFile::try_to_make() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0 && errno != EEXIST) refuse_call();
  if (file_ < 0) return false;
  // Before the lock it could be taken for a left-over.
  if (!is_locked(file_) && is_named(file_, path_)) return true;
  close(file_);
  return false;
}

void PartialFile::move_to(const fs::path& place) {
  if (std::rename(path_.c_str(), place.c_str()) != 0) refuse_call();
  path_.clear();
}

}  // namespace dalembert::study
