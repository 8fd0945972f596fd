// A library to preload: the n-th call of a process that changes a file, or any call on it, kills it or fails.
//   FAULT_LOG=FILE    the names of such calls are written there at the end
//   FAULT_AT=N        the N-th (from 1) does what FAULT_DOES says: kill, or an error and all after it: ENOSPC, EIO
//   FAULT_ONCE        only the N-th fails, none after it
//   FAULT_ONLY=TEXT   only calls on files whose names hold this text count
//   FAULT_ALL         calls that open, read and close files count, too
//   FAULT_NO_EXCHANGE the system has no exchange of names
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_NAMES 100000
static atomic_long calls;
static const char* names[MOST_NAMES];

static const char* setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? "" : text;
}

static int counts_all(void) { return getenv("FAULT_ALL") != NULL; }

// Standard streams, pipes and devices do not count.
static int is_of_interest(int file) {
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, name, sizeof name - 1);
  if (file <= 2 || size <= 0 || name[0] != '/' || strncmp(name, "/dev/", 5) == 0) return 0;
  name[size] = 0;
  return strstr(name, setting("FAULT_ONLY")) != NULL;
}

// Whether this call is to fail, with errno set.
static int fails(const char* name) {
  const long call = atomic_fetch_add(&calls, 1) + 1, at = atol(setting("FAULT_AT"));
  if (call <= MOST_NAMES) names[call - 1] = name;
  const char* what = setting("FAULT_DOES");
  if (at == 0 || call < at || (call > at && getenv("FAULT_ONCE") != NULL)) return 0;
  if (strcmp(what, "kill") == 0) kill(getpid(), SIGKILL);
  errno = strcmp(what, "EIO") == 0 ? EIO : ENOSPC;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void* data, size_t size) {
  if (is_of_interest(file) && fails("write")) return -1;
  return NEXT(write)(file, data, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  if (is_of_interest(file) && fails("writev")) return -1;
  return NEXT(writev)(file, parts, count);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  if (is_of_interest(file) && fails("pwrite")) return -1;
  return NEXT(pwrite)(file, data, size, at);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  if (is_of_interest(file) && fails("pwrite64")) return -1;
  return NEXT(pwrite64)(file, data, size, at);
}
ssize_t copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags) {
  if (is_of_interest(to) && fails("copy_file_range")) return -1;
  return NEXT(copy_file_range)(from, from_at, to, to_at, size, flags);
}
ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  ssize_t (*next)(int, int, off_t*, size_t) = (ssize_t(*)(int, int, off_t*, size_t))dlsym(RTLD_NEXT, "sendfile");
  if (is_of_interest(to) && fails("sendfile")) return -1;
  return next(to, from, at, size);
}
int ftruncate(int file, off_t size) {
  if (is_of_interest(file) && fails("ftruncate")) return -1;
  return NEXT(ftruncate)(file, size);
}
int fsync(int file) {
  if (is_of_interest(file) && fails("fsync")) return -1;
  return NEXT(fsync)(file);
}
int rename(const char* from, const char* to) {
  if (strstr(to, setting("FAULT_ONLY")) != NULL && fails("rename")) return -1;
  return NEXT(rename)(from, to);
}
int link(const char* from, const char* to) {
  if (strstr(to, setting("FAULT_ONLY")) != NULL && fails("link")) return -1;
  return NEXT(link)(from, to);
}
int unlink(const char* name) {
  const int counts = counts_all() || strcmp(setting("FAULT_DOES"), "kill") == 0;
  if (counts && strstr(name, setting("FAULT_ONLY")) != NULL && fails("unlink")) return -1;
  return NEXT(unlink)(name);
}
int renameat2(int from_place, const char* from, int to_place, const char* to, unsigned flags) {
  if (getenv("FAULT_NO_EXCHANGE") != NULL) {
    errno = EINVAL;
    return -1;
  }
  if (strstr(to, setting("FAULT_ONLY")) != NULL && fails("renameat2")) return -1;
  return NEXT(renameat2)(from_place, from, to_place, to, flags);
}

static int fails_to_open(const char* name) {
  return counts_all() && strstr(name, setting("FAULT_ONLY")) != NULL && strncmp(name, "/dev/", 5) != 0 && fails("open");
}
int open(const char* name, int flags, ...) {
  va_list mode;
  va_start(mode, flags);
  const mode_t bits = va_arg(mode, mode_t);  // whatever it is where no file is made
  va_end(mode);
  return fails_to_open(name) ? -1 : NEXT(open)(name, flags, bits);
}
int open64(const char* name, int flags, ...) {
  va_list mode;
  va_start(mode, flags);
  const mode_t bits = va_arg(mode, mode_t);
  va_end(mode);
  return fails_to_open(name) ? -1 : NEXT(open64)(name, flags, bits);
}
ssize_t read(int file, void* data, size_t size) {
  if (counts_all() && is_of_interest(file) && fails("read")) return -1;
  return NEXT(read)(file, data, size);
}
ssize_t pread(int file, void* data, size_t size, off_t at) {
  if (counts_all() && is_of_interest(file) && fails("pread")) return -1;
  return NEXT(pread)(file, data, size, at);
}
ssize_t pread64(int file, void* data, size_t size, off64_t at) {
  if (counts_all() && is_of_interest(file) && fails("pread64")) return -1;
  return NEXT(pread64)(file, data, size, at);
}
// As the system does it: the file is closed all the same.
int close(int file) {
  const int is_failure = counts_all() && is_of_interest(file) && fails("close"), error = errno;
  const int result = NEXT(close)(file);
  if (!is_failure) return result;
  errno = error;
  return -1;
}

__attribute__((destructor)) static void tell(void) {
  const char* name = getenv("FAULT_LOG");
  FILE* file = name == NULL ? NULL : fopen(name, "w");
  if (file == NULL) return;
  const long count = atomic_load(&calls);
  for (long i = 0; i < count && i < MOST_NAMES; ++i) fprintf(file, "%s\n", names[i]);
  fclose(file);
}
