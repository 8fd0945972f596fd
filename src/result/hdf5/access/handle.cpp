#include "handle.hpp"

#include "attribute.hpp"
#include "rehearsal.hpp"

namespace dalembert::study::hdf5 {
namespace {

/// Of handles of this thread, since somebody asked.
thread_local bool has_failed_close = false;

/// Before any other call of HDF5.
void start_library() {
  // Files are closed by their handles. What HDF5 would do at the end of the process crashes where a
  // full disk kept it from writing.
  static const herr_t no_work_at_exit = H5dont_atexit();
  static_cast<void>(no_work_at_exit);
  silence_library();
}

/// Metadata carry checksums in the formats since 1.10, which all h5py of today read.
Handle file_access(H5F_close_degree_t close = H5F_CLOSE_SEMI) {
  start_library();
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make file access properties");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110), "choose its format");
  check(H5Pset_fclose_degree(access, close), "set file access properties");
  return access;
}

/// Of a file that is written, which nobody else has open. A lock of HDF5 would be shared by a
/// process that another thread starts meanwhile, such as a compiler, and outlive the writing.
Handle writing_access() {
  Handle access = file_access();
  check(H5Pset_file_locking(access, false, true), "leave a file unlocked");
  return access;
}

/// Refuses names that lead out of the file, or round and round.
void check_link(hid_t parent, const std::string& name) {
  H5L_info_t link;
  check(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT), "read its names");
  if (link.type != H5L_TYPE_HARD)
    throw OutputError("\"" + name + "\" is a link to elsewhere, not a part of the file");
}

}  // namespace

void silence_library() {
  static thread_local const herr_t silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static_cast<void>(silent);
}

Handle::~Handle() {
  if (close_now() < 0) has_failed_close = true;
}

herr_t Handle::close_now() {
  const hid_t id = std::exchange(id_, -1);
  if (id < 0) return 0;
  silence_library();  // the thread may be another than the one that opened it
  return close_(id);
}

void check(herr_t status, const char* what) {
  if (status < 0) throw OutputError(std::string("HDF5 cannot ") + what);
}

void check_closes() {
  if (std::exchange(has_failed_close, false))
    throw OutputError("HDF5 cannot write what a data set had in memory");
}

void forget_closes() { has_failed_close = false; }

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

bool is_hdf5(const std::filesystem::path& path) {
  const std::scoped_lock lock(library_mutex());
  start_library();
  const htri_t answer = H5Fis_hdf5(path.c_str());
  if (answer < 0) throw OutputError("cannot read \"" + path.string() + "\"");
  return answer > 0;
}

Handle open_file(const std::filesystem::path& path, bool writable) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::not_found) throw OutputError("there is no such file");
  if (kind != std::filesystem::file_type::regular) throw OutputError("it is not a regular file");
  // Beforehand: the other arguments are calls of HDF5, too.
  const Handle access = writable ? writing_access() : file_access();
  hid_t id = H5Fopen(path.c_str(), writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
  // All of a process open a file alike, and h5py, which has it open, may do it in another way.
  for (const H5F_close_degree_t close : {H5F_CLOSE_WEAK, H5F_CLOSE_STRONG}) {
    if (id >= 0 || writable) break;
    const Handle other_access = file_access(close);
    id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, other_access);
  }
  if (id < 0) throw OutputError("it is not an HDF5 file, or damaged, or may not be opened");
  return {id, H5Fclose, "open a file"};
}

namespace {

void naming_file(const std::filesystem::path& path, const std::function<void()>& read) {
  const std::scoped_lock lock(library_mutex());
  try {
    read();
  } catch (const OutputError& error) {
    throw OutputError("cannot read \"" + path.string() + "\": " + error.what());
  }
}

}  // namespace

void read_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& action) {
  naming_file(path, [&] {
    const auto read = [&] {
      const Handle file = open_file(path, false);
      check_heaps(file);
      action(file);
    };
    if (lacks_checksums(path)) rehearse(read);
    read();
  });
}

void read_file_again(const std::filesystem::path& path,
                     const std::function<void(hid_t file)>& action) {
  naming_file(path, [&] { action(open_file(path, false)); });
}

void make_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& write) {
  const std::scoped_lock lock(library_mutex());
  const Handle access = writing_access();
  check(H5Pset_fapl_core(access, std::size_t{1} << 16, true), "write in memory");
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "make a file");
  forget_closes();
  write(file);
  check_closes();
  check(file.close_now(), "write to the disk");
}

bool exists(hid_t parent, const std::string& name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string beginning = name.substr(0, end);
    const htri_t answer = H5Lexists(parent, beginning.c_str(), H5P_DEFAULT);
    check(answer, "look up its names");
    if (answer == 0) return false;
    check_link(parent, beginning);
  }
  return true;
}

Handle open_group(hid_t parent, const std::string& name) {
  if (!exists(parent, name)) throw OutputError("it has no group \"" + name + "\"");
  Handle group(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose,
               "open the group \"" + name + "\"");
  if (name_count(group) > 1)
    throw OutputError("its group \"" + name + "\" has a second name in the file");
  return group;
}

Handle make_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          "make a group"};
}

unsigned name_count(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info1_t info;
#else
  H5O_info_t info;
#endif
  check(H5Oget_info2(object, &info, H5O_INFO_BASIC), "count names of an object");
  return info.rc;
}

hsize_t file_bytes(hid_t object) {
  const Handle file(H5Iget_file_id(object), H5Fclose, "find the file of an object");
  hsize_t size = 0;
  check(H5Fget_filesize(file, &size), "find the size of the file");
  return size;
}

}  // namespace dalembert::study::hdf5
