#pragma once
// Calls of the operating system that keep files whole. All throw OutputError with the system's
// words for what went wrong; the caller names the file. Only for the sources of this room.

#include <filesystem>

namespace dalembert::study {

/// Throws OutputError with the system's words for the error number.
[[noreturn]] void refuse_call(int error);

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags);
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  operator int() const { return number_; }

 private:
  int number_;
};

/// Waits until a file, or the names in a directory, are on the disk. File systems that cannot say
/// are believed.
void synchronise(const std::filesystem::path& path);

/// Two files exchange their names. At every instant `first` is the name of one of them.
void exchange_files(const std::filesystem::path& first, const std::filesystem::path& second);

/// A name that `exchange_files` uses where the system cannot exchange names at once.
std::filesystem::path spare_name(const std::filesystem::path& second);

/// Whether another program may have the file open, or it has other names.
bool is_shared(const std::filesystem::path& path);

/// The name of a hidden file beside a file, `.FILE` with an ending.
std::filesystem::path beside(const std::filesystem::path& path, const char* ending);
/// The directory of a file, `.` where its path has none.
std::filesystem::path directory_of(const std::filesystem::path& path);

/// The file that a path names when symbolic links are followed, whether it exists or not.
std::filesystem::path followed(std::filesystem::path path);

/// Gives a file the mode, and where that is allowed the owner, of another.
void copy_mode(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace dalembert::study
