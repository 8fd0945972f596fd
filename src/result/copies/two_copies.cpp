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

}  // namespace

TwoCopies::TwoCopies(std::filesystem::path path)
    : TwoCopies(ResultLock::taken(std::move(path)), false) {}

TwoCopies::TwoCopies(ResultLock lock) : TwoCopies(std::move(lock), true) {}

TwoCopies::TwoCopies(ResultLock lock, bool goes_on)
    : path_(lock.path()),
      copy_(beside(path_, ".unfinished")),
      directory_(directory_of(path_)),
      lock_(std::move(lock)),
      exists_(goes_on) {
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
