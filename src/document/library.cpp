#include "dalembert/document/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "program_folder.hpp"

namespace dalembert::study {
namespace {

namespace fs = std::filesystem;

bool looks_like_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".toml");
}

/// The names of the TOML files below a directory, relative to it and without the extension.
std::vector<std::string> names_below(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".toml") continue;
    names.push_back(
        entry->path().lexically_relative(directory).replace_extension().generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The folder of the shared library (or, statically linked, of the program) that holds this code.
fs::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&data_directory), &info) == 0) return {};
  return fs::path(info.dli_fname).parent_path();
}

}  // namespace

fs::path data_directory() {
  std::vector<fs::path> candidates;
  if (const char* chosen = std::getenv("DALEMBERT_DATA"); chosen != nullptr && *chosen != '\0')
    candidates.emplace_back(chosen);
  // An installed tree may have been moved: the data are looked for from where the code lies.
  const fs::path library = library_folder(), program = program_folder();
  candidates.insert(candidates.end(), {library / DALEMBERT_DATA_FROM_LIBRARY,
                                       library / "data",  // of a Python package
                                       program / DALEMBERT_DATA_FROM_PROGRAM});
  // A build tree has them in share, too, above its programs, tests and packages.
  for (const fs::path& folder : {library, program}) {
    for (const char* above : {"..", "../..", "../../.."})
      candidates.push_back(folder / above / "share/dalembert");
  }
  candidates.emplace_back(DALEMBERT_INSTALLED_DATA_DIR);
  std::error_code ignored;
  for (const fs::path& candidate : candidates) {
    if (fs::is_directory(candidate / "problems", ignored)) return candidate.lexically_normal();
  }
  return {};
}

std::vector<std::string> problem_names() { return names_below(data_directory() / "problems"); }
std::vector<std::string> study_names() {
  std::vector<std::string> names = names_below(data_directory() / "studies");
  // What is recorded about the papers, not a study.
  std::erase_if(names, [](const std::string& name) { return name.ends_with("/paper"); });
  std::erase(names, "audit");  // the problems of the audit
  return names;
}

fs::path find_problem(const std::string& name_or_path, const fs::path& base) {
  if (looks_like_path(name_or_path)) return base / name_or_path;
  const fs::path named = data_directory() / "problems" / (name_or_path + ".toml");
  std::error_code ignored;
  if (fs::is_regular_file(named, ignored)) return named;
  const std::vector<std::string> names = problem_names();
  if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    throw RequestError("there is no problem \"" + name_or_path + "\" in the library" +
                       suggestion(name_or_path, names));
  }
  return named;
}

fs::path find_study(const std::string& name_or_path) {
  std::error_code ignored;
  if (name_or_path.ends_with(".toml") || fs::exists(name_or_path, ignored)) return name_or_path;
  const std::vector<std::string> names = study_names();
  if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    throw RequestError("there is no study \"" + name_or_path + "\"" +
                       suggestion(name_or_path, names));
  }
  return data_directory() / "studies" / (name_or_path + ".toml");
}

}  // namespace dalembert::study
