// A library to preload: the n-th call of a process that changes a file kills it or fails.
//   FAULT_LOG=FILE    the names of such calls are written there at the end
//   FAULT_AT=N        the N-th (from 1) does what FAULT_DOES says: kill, or an error and all after it: ENOSPC, EIO
//   FAULT_ONLY=TEXT   only calls on files whose names hold this text count
//   FAULT_NO_EXCHANGE the system has no exchange of names
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST_NAMES 100000
static atomic_long calls;
static const char* names[MOST_NAMES];

static const char* setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? "" : text;
}

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
  if (at == 0 || call < at) return 0;
  if (strcmp(what, "kill") == 0) kill(getpid(), SIGKILL);
  errno = strcmp(what, "EIO") == 0 ? EIO : ENOSPC;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void* data, size_t size) {
  if (is_of_interest(file) && fails("write")) return -1;
  return NEXT(write)(file, data, size);
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
  if (strstr(name, setting("FAULT_ONLY")) != NULL && strcmp(setting("FAULT_DOES"), "kill") == 0) fails("unlink");
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

__attribute__((destructor)) static void tell(void) {
  const char* name = getenv("FAULT_LOG");
  FILE* file = name == NULL ? NULL : fopen(name, "w");
  if (file == NULL) return;
  const long count = atomic_load(&calls);
  for (long i = 0; i < count && i < MOST_NAMES; ++i) fprintf(file, "%s\n", names[i]);
  fclose(file);
}
