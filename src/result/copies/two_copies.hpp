#pragma once
// A file that is written again and again and is whole at every instant. Only for the sources of
// this room.

#include <sys/types.h>

#include <filesystem>
#include <memory>

#include "dalembert/result/copies/result_lock.hpp"
#include "file_calls.hpp"

namespace dalembert::study {

/// A file in two copies: the one that everybody sees is always closed and complete. What is new is
/// written into the other, hidden beside it, and then the two exchange their names. The hidden one
/// then lacks what was written last and is used again, so that nobody copies a growing file; it is
/// left alone, and another copy made, where somebody still reads it. At the end one file is left.
///
/// Names beside FILE: .FILE.unfinished is the copy, .FILE.lock is empty and locked while a run
/// writes. What a killed run or a power cut left of them is removed; a file of such a name that is
/// none of ours is refused. Symbolic links are followed; the mode of an existing file is kept.
class TwoCopies {
 public:
  /// What the copy that is written next holds.
  enum class Holds { nothing, all, all_but_last };

  /// A new file; an older one is replaced by the first publication and not before. OutputError if
  /// it cannot be written or another run writes it.
  explicit TwoCopies(std::filesystem::path path);
  /// The file exists and is extended.
  explicit TwoCopies(ResultLock lock);
  TwoCopies(const TwoCopies&) = delete;
  TwoCopies& operator=(const TwoCopies&) = delete;
  ~TwoCopies();

  /// Gets the copy ready that is to be written next.
  Holds prepare();
  const std::filesystem::path& copy() const { return copy_; }
  /// The copy, closed and complete, becomes the file.
  void publish();

 private:
  TwoCopies(ResultLock lock, bool goes_on);
  void clear_left_over(const std::filesystem::path& path) const;
  bool is_last_one() const;

  std::filesystem::path path_, copy_, directory_;
  ResultLock lock_;
  bool exists_;             ///< the file is one of the two copies
  bool has_older_ = false;  ///< the copy is what the file was before
  ino_t older_ = 0;         ///< and this file of the system
};

}  // namespace dalembert::study
