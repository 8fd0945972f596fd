#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// A study in the few words in which it is asked for, as on a command line or on a page: a study
/// with changes, or a problem with methods, a step and an end. What is "" or empty is not asked
/// for.
struct AskedStudy {
  std::string study;  ///< a file, or the name of a study or a problem of the library
  /// Keys with values that options of the command gave, whose names stand in their places.
  std::vector<std::pair<std::string, DocumentNode>> values;
  std::vector<std::string> settings, sweeps;  ///< "key=value", "key=values"
  std::vector<std::string> methods;           ///< "dla(alpha=0.4)", or several with commas
  std::string start;                          ///< name of a start
  bool recomputed_multiplier = false;  ///< records it, as [[diagnostic]] recomputed-multiplier

  /// Gives a key the value that an option has in words, as --set reads them; nothing for "".
  void give(const std::string& key, const std::string& option, const std::string& words);
  /// The value that a key was given last, or nullptr.
  const DocumentNode* given(const std::string& key) const;
  /// This value in words; "" if none was given.
  std::string words(const std::string& key) const;
};

/// True if a study is asked for, rather than a problem with methods.
bool names_study(const AskedStudy& asked);

/// The study that is asked for, or that is made up of a problem and methods; without a start, from
/// the first one of the problem. RequestError for anything wrong, OutputError for files that cannot
/// be read.
Study asked_study(const AskedStudy& asked);

}  // namespace dalembert::study
