#include "two_copies.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include "dalembert/error.hpp"
#include "file_lock.hpp"

namespace dalembert::study {
namespace {

constexpr std::size_t longest_name = 200;  // of 255 bytes that systems allow, with what is added

std::filesystem::path beside(const std::filesystem::path& path, const char* ending) {
  return path.parent_path() / ("." + path.filename().string().substr(0, longest_name) + ending);
}

/// Whether a file can be a copy that a killed run left: it is empty, or an HDF5 file whose root
/// says that it is ours. A copy begins with both from its first byte on, however unfinished it is.
bool is_copy_of_ours(const std::filesystem::path& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0) return true;
  std::array<char, 65536> bytes;
  const ssize_t count = pread(Descriptor(path, O_RDONLY), bytes.data(), bytes.size(), 0);
  const std::string_view begin(bytes.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
  return begin.starts_with("\x89HDF\r\n\x1a\n") &&
         begin.find("dalembert") != std::string_view::npos;
}

ino_t number_of(const std::filesystem::path& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

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

TwoCopies::TwoCopies(std::filesystem::path path, bool goes_on)
    : path_(followed(std::move(path))),
      copy_(beside(path_, ".unfinished")),
      directory_(path_.has_parent_path() ? path_.parent_path() : "."),
      exists_(goes_on) {
  check_place(path_, directory_);
  lock_ = std::make_unique<FileLock>(beside(path_, ".lock"));
  clear_left_over(copy_);
  clear_left_over(spare_name(copy_));
}

TwoCopies::~TwoCopies() { unlink(copy_.c_str()); }

void TwoCopies::clear_left_over(const std::filesystem::path& path) const {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) return;
  if (!is_copy_of_ours(path)) {
    throw OutputError("\"" + path.filename().string() +
                      "\" beside it is in the way, and no unfinished result");
  }
  if (unlink(path.c_str()) != 0) refuse_call(errno);
}

bool TwoCopies::is_last_one() const {
  return has_older_ && number_of(copy_) == older_ && !is_shared(copy_);
}

TwoCopies::Holds TwoCopies::prepare() {
  if (is_last_one()) return Holds::all_but_last;
  unlink(copy_.c_str());
  if (!exists_) {
    const Descriptor made(copy_, O_WRONLY | O_CREAT | O_EXCL);
    return Holds::nothing;
  }
  std::error_code error;
  std::filesystem::copy_file(path_, copy_, error);
  if (error) refuse_call(error.value());
  return Holds::all;
}

void TwoCopies::publish() {
  copy_mode(path_, copy_);
  synchronise(copy_);
  has_older_ = exists_;
  if (exists_) {
    older_ = number_of(path_);
    exchange_files(path_, copy_);
  } else if (std::rename(copy_.c_str(), path_.c_str()) != 0) {
    refuse_call(errno);
  }
  exists_ = true;
  synchronise(directory_);
}

}  // namespace dalembert::study
