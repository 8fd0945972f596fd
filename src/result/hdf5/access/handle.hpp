#pragma once
// Owning handles and checked calls for the C interface of HDF5. What is opened here is what it
// seems to be, whatever a damaged or forged file holds: no links to elsewhere, no storage outside
// of the file, sizes within the size of the file. Only for the sources of this room.

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "dalembert/error.hpp"
#include "library.hpp"

namespace dalembert::study::hdf5 {

/// An identifier that is closed at the end; `check_closes` says whether that went well. Throws
/// OutputError where the library refused to make it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
    if (id < 0) throw OutputError("HDF5 cannot " + what);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle();
  operator hid_t() const { return id_; }
  /// Closes now; negative where the library could not.
  herr_t close_now();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// The library prints what goes wrong on each thread that did not say it may not; whoever calls it
/// on a thread of its own says so first.
void silence_library();

void check(herr_t status, const char* what);

/// OutputError if a handle of this thread could not be closed since the last call: what a data set
/// still had in memory is not in the file then.
void check_closes();
/// The same begins anew.
void forget_closes();

/// One thread at a time may call HDF5.
std::mutex& library_mutex();

/// Whether a file begins as HDF5 files do.
bool is_hdf5(const std::filesystem::path& path);

/// Opens a file that exists.
Handle open_file(const std::filesystem::path& path, bool writable);

/// A new file with what `write` puts into it. It is made in memory and written from its first byte
/// on, so that it can be recognised however little of it is on the disk.
void make_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& write);

/// `action(file)` on a file opened for reading; complaints name the file. Where the format has no
/// checksums the action is rehearsed in a process of its own, so that it must bear to be repeated.
void read_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& action);

/// The same for a file that was read before, by whoever has its lock, and needs no further check.
void read_file_again(const std::filesystem::path& path,
                     const std::function<void(hid_t file)>& action);

Handle open_group(hid_t parent, const std::string& name);
Handle make_group(hid_t parent, const std::string& name);
/// Whether there is a group or a data set of that name, and not a link to elsewhere, which is
/// refused.
bool exists(hid_t parent, const std::string& name);

/// The names that an object has in its file: one, if no two names are of one object.
unsigned name_count(hid_t object);

/// Bytes of the file that an object stands in: nothing in it is larger.
hsize_t file_bytes(hid_t object);

}  // namespace dalembert::study::hdf5
