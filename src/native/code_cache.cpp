#include "code_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "dalembert/error.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_size = std::uintmax_t{256} << 20u;  // of all entries
constexpr std::chrono::hours oldest_temporary{1};
constexpr std::size_t fingerprint_size = 32;

/// Whether a file or folder is the user's and no other may write to it.
bool is_own(const fs::path& path, mode_t kind) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return false;
  return (status.st_mode & S_IFMT) == kind && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<std::string> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// The whole number of so many bytes, the lowest first, as files of x86 and of ARM have them.
std::uint64_t number_at(std::string_view bytes, std::uint64_t place, std::size_t size) {
  if (place > bytes.size() || bytes.size() - place < size) return UINT64_MAX;
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;)
    number = number << 8u | static_cast<unsigned char>(bytes[place + i]);
  return number;
}

/// True of a library of ELF, 64 bits, that has all parts of which its header speaks: to load one
/// that was cut ends the process. Others are left to the system.
bool has_all_parts(std::string_view bytes) {
  if (!bytes.starts_with("\x7f\x45LF\x02\x01")) return true;
  const auto is_inside = [&](std::uint64_t begin, std::uint64_t size) {
    return begin <= bytes.size() && size <= bytes.size() - begin;
  };
  const std::uint64_t programs = number_at(bytes, 0x20, 8), sections = number_at(bytes, 0x28, 8),
                      program_size = number_at(bytes, 0x36, 2),
                      program_count = number_at(bytes, 0x38, 2),
                      section_size = number_at(bytes, 0x3a, 2),
                      section_count = number_at(bytes, 0x3c, 2);
  if (section_count == UINT64_MAX || !is_inside(programs, program_size * program_count) ||
      !is_inside(sections, section_size * section_count))
    return false;
  for (std::uint64_t i = 0; i < program_count; ++i) {
    const std::uint64_t header = programs + i * program_size;
    if (!is_inside(number_at(bytes, header + 8, 8), number_at(bytes, header + 32, 8))) return false;
  }
  return true;
}

/// Whether a file ends with the fingerprint of what stands before it.
bool is_whole(const fs::path& path) {
  const std::optional<std::string> bytes = bytes_of(path);
  if (!bytes || bytes->size() <= fingerprint_size) return false;
  const std::string_view all = *bytes, body = all.substr(0, all.size() - fingerprint_size);
  return all.substr(body.size()) == fingerprint(body);
}

}  // namespace

std::string fingerprint(std::string_view text) {
  // FNV-1a, from two beginnings and with two ways of mixing.
  std::array<std::uint64_t, 2> hashes{0xcbf29ce484222325u, 0x84222325cbf29ce4u};
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    hashes[0] = (hashes[0] ^ byte) * 0x100000001b3u;
    hashes[1] = std::rotl((hashes[1] ^ byte) * 0x9e3779b97f4a7c15u, 23);
  }
  std::string digits;
  for (const std::uint64_t hash : hashes) {
    for (int shift = 60; shift >= 0; shift -= 4)
      digits += "0123456789abcdef"[(hash >> static_cast<unsigned>(shift)) & 15u];
  }
  return digits;
}

fs::path CodeCache::usual_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && fs::path(cache).is_absolute()) return fs::path(cache) / "dalembert";
  const char* home = std::getenv("HOME");
  if (home != nullptr && fs::path(home).is_absolute())
    return fs::path(home) / ".cache" / "dalembert";
  return {};
}

CodeCache::CodeCache(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_.parent_path(), error);
  static_cast<void>(mkdir(folder_.c_str(), S_IRWXU));
  if (!fs::is_directory(folder_, error))
    throw OutputError("the folder " + folder_.string() + " cannot be made");
  if (fs::is_symlink(folder_, error))
    throw OutputError("the folder " + folder_.string() + " is a link to another");
  if (!is_own(folder_, S_IFDIR))
    throw OutputError("others may write to the folder " + folder_.string());
}

std::optional<fs::path> CodeCache::find(const std::string& key) const {
  const fs::path path = folder_ / (key + ".so");
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  if (is_own(path, S_IFREG) && is_whole(path)) {
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return path;
  }
  fs::remove(path, ignored);
  return std::nullopt;
}

fs::path CodeCache::temporary(const std::string& key, const char* ending) const {
  static std::atomic<unsigned> count{0};
  return folder_ / (key + "." + std::to_string(getpid()) + "." + std::to_string(count++) + ending);
}

fs::path CodeCache::take(const std::string& key, const fs::path& file) const {
  const std::optional<std::string> bytes = bytes_of(file);
  if (!bytes || bytes->empty()) throw OutputError("the compiler has written nothing");
  if (!has_all_parts(*bytes)) throw OutputError("the compiler has written a part of a library");
  std::ofstream end(file, std::ios::binary | std::ios::app);
  end << fingerprint(*bytes);
  end.close();
  std::error_code error;
  fs::permissions(file, fs::perms::owner_all, error);
  const fs::path path = folder_ / (key + ".so");
  if (end) fs::rename(file, path, error);
  if (!end || error) throw OutputError("the file " + path.string() + " cannot be written");
  remove_oldest();
  return path;
}

void CodeCache::remove_oldest() const {
  struct Entry {
    fs::file_time_type time;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  for (fs::directory_iterator i(folder_, error), end; !error && i != end; i.increment(error)) {
    std::error_code gone;
    const fs::file_time_type time = fs::last_write_time(i->path(), gone);
    const std::uintmax_t size = i->is_regular_file(gone) ? fs::file_size(i->path(), gone) : 0;
    if (gone) continue;
    // What a process has left that was killed.
    const bool is_entry = i->path().stem().extension().empty();
    if (!is_entry && now - time > oldest_temporary) fs::remove_all(i->path(), gone);
    if (is_entry) entries.push_back({time, size, i->path()});
    total += size;
  }
  std::ranges::sort(entries, {}, &Entry::time);
  for (auto entry = entries.begin(); entry != entries.end() && total > largest_size; ++entry) {
    fs::remove(entry->path, error);
    total -= entry->size;
  }
}

}  // namespace dalembert
