#pragma once
// Files without checksums of their metadata. Only for the sources of this room.

#include <filesystem>
#include <functional>

namespace dalembert::study::hdf5 {

/// Whether the file is in a format of HDF5 before 1.10, as files of version 0.1 and those that h5py
/// writes by default: on damaged ones HDF5 itself may crash or never end.
bool lacks_checksums(const std::filesystem::path& path);

/// Calls `read` in a process of its own first, whatever comes of it there. OutputError where that
/// process crashes, or computes for more than a minute.
void rehearse(const std::function<void()>& read);

}  // namespace dalembert::study::hdf5
