#pragma once
// Only for the sources of this room.

#include <filesystem>

namespace dalembert::study {

/// A new empty file beside another one, hidden and locked while this lives: `.STEM.partial.EXT`,
/// since some programs choose the format by the extension, with a number where another run writes
/// the same. What killed runs left of such files, which nobody has locked, is removed. All throws
/// are OutputErrors with the system's words; the caller names the file.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& beside);
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile();

  const std::filesystem::path& path() const { return path_; }
  /// It takes the place of a file, and is no longer removed at the end.
  void move_to(const std::filesystem::path& place);

 private:
  bool try_to_make();

  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace dalembert::study
