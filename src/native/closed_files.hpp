#pragma once
// Files of this process that one which it starts does not get.

#include <spawn.h>

namespace dalembert {

/// How they are closed: by one call of the system, which glibc has since 2.34, or one by one.
enum class Closing { at_once, by_number };

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
#define DALEMBERT_HAS_CLOSEFROM
constexpr Closing usual_closing = Closing::at_once;
#else
constexpr Closing usual_closing = Closing::by_number;
#endif

/// Adds to `actions` that files from the number `first` on are closed. By number these are the
/// files that are open now and, of those that other threads open before the process starts, the
/// next 256; on Linux only, where a file that is not open may be closed.
void close_files_from(int first, posix_spawn_file_actions_t& actions,
                      Closing closing = usual_closing);

}  // namespace dalembert
