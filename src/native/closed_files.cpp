#include "closed_files.hpp"

#include <charconv>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>

namespace dalembert {
namespace {

namespace fs = std::filesystem;

/// A file that is opened gets the lowest free number: so many of these are closed, too.
[[maybe_unused]] constexpr int opened_meanwhile = 256;

/// The numbers of the files that are open, as far as the system shows them.
[[maybe_unused]] std::set<int> open_numbers() {
  std::set<int> numbers;
  std::error_code ignored;
  for (fs::directory_iterator file("/proc/self/fd", ignored), end; file != end;
       file.increment(ignored)) {
    const std::string name = file->path().filename().string();
    int number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc{})
      numbers.insert(number);
  }
  return numbers;
}

void close_by_number([[maybe_unused]] int first,
                     [[maybe_unused]] posix_spawn_file_actions_t& actions) {
#ifdef __linux__
  const std::set<int> open = open_numbers();
  for (auto number = open.lower_bound(first); number != open.end(); ++number)
    posix_spawn_file_actions_addclose(&actions, *number);
  for (int number = first, free = 0; free < opened_meanwhile; ++number) {
    if (open.contains(number)) continue;
    posix_spawn_file_actions_addclose(&actions, number);
    ++free;
  }
#endif
}

}  // namespace

void close_files_from(int first, posix_spawn_file_actions_t& actions,
                      [[maybe_unused]] Closing closing) {
#ifdef DALEMBERT_HAS_CLOSEFROM
  if (closing == Closing::at_once) {
    posix_spawn_file_actions_addclosefrom_np(&actions, first);
    return;
  }
#endif
  close_by_number(first, actions);
}

}  // namespace dalembert
