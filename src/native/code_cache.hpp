#pragma once
// The folder in which compiled steps are kept.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dalembert {

/// A library that can be loaded, made of a text: kept under a number that follows from the text,
/// the compiler and its options, with a checksum after its last byte.
class CodeCache {
 public:
  /// Makes the folder if it is not there. OutputError if it cannot be made, or if others may write
  /// to it.
  explicit CodeCache(std::filesystem::path folder);

  /// The folder of this user; empty if the environment names none.
  static std::filesystem::path usual_folder();

  /// The entry of that key, if it is there, whole, and the user's own. What is damaged is removed.
  std::optional<std::filesystem::path> find(const std::string& key) const;
  /// A file of our own to write to, in the folder.
  std::filesystem::path temporary(const std::string& key, const char* ending) const;
  /// Takes a file in as the entry of that key: OutputError if it cannot be written to the end.
  std::filesystem::path take(const std::string& key, const std::filesystem::path& file) const;

 private:
  void remove_oldest() const;

  std::filesystem::path folder_;
};

/// 32 hexadecimal digits that follow from a text; two texts have the same by accident only.
std::string fingerprint(std::string_view text);

}  // namespace dalembert
