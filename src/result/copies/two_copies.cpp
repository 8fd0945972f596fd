#include "two_copies.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "dalembert/error.hpp"
#include "file_lock.hpp"

namespace dalembert::study {
namespace {

constexpr std::string_view hdf5_mark("\x89HDF\r\n\x1a\n", 8);

/// The bytes that an HDF5 file says it has. Its first block has a version and sizes, then
/// addresses, of which the third, before version 2 after four more bytes of sizes, is that of its
/// end.
std::uint64_t bytes_promised(std::string_view begin) {
  constexpr std::size_t version_at = 8, end_at = 28, older_end_at = 40;
  std::uint64_t size = 0;
  const std::size_t at = begin[version_at] < 2 ? older_end_at : end_at;
  std::memcpy(&size, begin.data() + at, sizeof size);
  return size;
}

/// The first bytes of a file, as many as are looked at.
std::string beginning_of(const std::filesystem::path& path) {
  std::string bytes(65536, '\0');
  const ssize_t count = pread(Descriptor(path, O_RDONLY), bytes.data(), bytes.size(), 0);
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return bytes;
}

/// Whether a file can be a copy that a killed run left, or a machine without power: its first block
/// never came to the disk, so that there is nothing or zeros; or it is an HDF5 file that says near
/// its begin that it is ours, or is shorter than it says, or has zeros where its root would be: the
/// library writes the addresses of a new file when it makes it, and the rest when it closes it.
bool is_copy_of_ours(const std::filesystem::path& path) {
  constexpr std::size_t block = 512, addresses = 48;
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const std::string begin = beginning_of(path);
  const std::string_view first = std::string_view(begin).substr(0, block);
  if (first.find_first_not_of('\0') == std::string_view::npos) return true;
  if (first.substr(0, hdf5_mark.size()) != hdf5_mark.substr(0, first.size())) return false;
  return begin.find("dalembert") != std::string::npos ||
         begin.find_first_not_of('\0', addresses) == std::string::npos ||
         static_cast<std::uint64_t>(status.st_size) < bytes_promised(begin);
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
