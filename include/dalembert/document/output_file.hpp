#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert::study {

class PartialFile;

/// A file that appears complete or not at all: it is written beside its place under another name
/// and moved there at the end. What a killed run left under such a name is removed. A symbolic link
/// is followed, a file that is replaced keeps its permissions, and a device or a pipe is written to
/// where it is, and stays what it is.
class OutputFile {
 public:
  /// OutputError at once if nothing can be written there.
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// The path to write to until `commit`; that of a device or a pipe itself.
  const std::filesystem::path& temporary_path() const { return temporary_; }
  /// Writes the text and moves the file to its place.
  void write(const std::string& text);
  /// Writes the output of `print` to a stream and moves the file to its place.
  void write(const std::function<void(std::ostream&)>& print);
  /// Moves what somebody else wrote to the temporary path to its place.
  void commit();

 private:
  std::filesystem::path path_, temporary_;  // the same for a device or a pipe
  std::unique_ptr<PartialFile> partial_;    // not for these
};

/// OutputError if no file can be created in the directory of `path`, or if `path` is a directory or
/// is protected.
void check_writable(const std::filesystem::path& path);

}  // namespace dalembert::study
