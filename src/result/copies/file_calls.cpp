#include "file_calls.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert::study {
namespace {

void check_call(int result) {
  if (result != 0) refuse_call(errno);
}

/// False where the system or the file system has no such call.
bool exchanged_at_once(const std::filesystem::path& first, const std::filesystem::path& second) {
#ifdef RENAME_EXCHANGE
  if (renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) == 0)
    return true;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) refuse_call(errno);
#endif
  return false;
}

/// Whether somebody else has opened the file: an exclusive lease is given to the only one.
bool is_open_elsewhere(int file) {
#if defined(F_SETLEASE) && defined(F_SETSIG)
  // Who opens the file in between interrupts the lease; that signal is one that does nothing.
  fcntl(file, F_SETSIG, SIGURG);
  if (fcntl(file, F_SETLEASE, F_WRLCK) == 0) {
    fcntl(file, F_SETLEASE, F_UNLCK);
    return false;
  }
  if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
#endif
  // Without leases: HDF5 locks what it reads.
  return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

void refuse_call(int error) {
  throw OutputError(error == 0 ? std::string("unknown error") : std::string(std::strerror(error)));
}

Descriptor::Descriptor(const std::filesystem::path& path, int flags)
    : number_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (number_ < 0) refuse_call(errno);
}
Descriptor::~Descriptor() { close(number_); }

void synchronise(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY);
  if (fsync(file) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) refuse_call(errno);
}

std::filesystem::path spare_name(const std::filesystem::path& second) {
  return second.string() + "-2";
}

void exchange_files(const std::filesystem::path& first, const std::filesystem::path& second) {
  if (exchanged_at_once(first, second)) return;
  // The first keeps a second name while the other file takes its place.
  const std::filesystem::path spare = spare_name(second);
  unlink(spare.c_str());
  const bool is_kept = link(first.c_str(), spare.c_str()) == 0;
  check_call(std::rename(second.c_str(), first.c_str()));
  if (is_kept) check_call(std::rename(spare.c_str(), second.c_str()));
}

bool is_shared(const std::filesystem::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1)
    return true;
  return is_open_elsewhere(Descriptor(path, O_RDWR));
}

std::filesystem::path beside(const std::filesystem::path& path, const char* ending) {
  constexpr std::size_t longest_name = 200;  // of 255 bytes that systems allow, with what is added
  return path.parent_path() / ("." + path.filename().string().substr(0, longest_name) + ending);
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

std::filesystem::path followed(std::filesystem::path path) {
  std::error_code ignored;
  for (int links = 0; std::filesystem::is_symlink(path, ignored); ++links) {
    if (links == 40) refuse_call(ELOOP);
    path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
  }
  return path;
}

void copy_mode(const std::filesystem::path& from, const std::filesystem::path& to) {
  struct stat status = {};
  if (stat(from.c_str(), &status) != 0) return;
  // An owner may not give a file away; it keeps the mode then all the same.
  [[maybe_unused]] const int owner = chown(to.c_str(), status.st_uid, status.st_gid);
  check_call(chmod(to.c_str(), status.st_mode & 07777));
}

}  // namespace dalembert::study
