#include "library.hpp"

#include <dlfcn.h>

#include <string>

#include "dalembert/error.hpp"

#ifdef DALEMBERT_HDF5_LIBRARY
// A program or module that is linked with HDF5 all the same, as the Python package is, uses that
// one.
#define DALEMBERT_HDF5_WEAK(name) extern "C" __attribute__((weak)) decltype(name) name;
DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_HDF5_WEAK)
DALEMBERT_HDF5_IDENTIFIERS(DALEMBERT_HDF5_WEAK)
#undef DALEMBERT_HDF5_WEAK
#else
#define DALEMBERT_HDF5_LIBRARY ""
#endif

namespace dalembert::study::hdf5 {
namespace {

void* loaded_library() {
  void* handle = dlopen(DALEMBERT_HDF5_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) throw OutputError(std::string("HDF5 cannot be loaded: ") + dlerror());
  return handle;
}

template <class Address>
Address loaded(void* handle, const char* name) {
  void* address = dlsym(handle, name);
  if (address == nullptr) throw OutputError(std::string("HDF5 cannot be loaded: ") + dlerror());
  return reinterpret_cast<Address>(address);
}

Library load() {
  Library found;
  // All of it from one place.
#define DALEMBERT_HDF5_LINKED(name) found.name = &::name;
  DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_HDF5_LINKED)
  DALEMBERT_HDF5_IDENTIFIERS(DALEMBERT_HDF5_LINKED)
#undef DALEMBERT_HDF5_LINKED
  if (found.H5open != nullptr) return found;
  void* handle = loaded_library();
#define DALEMBERT_HDF5_TEXT(name) #name
#define DALEMBERT_HDF5_LOADED(name) \
  found.name = loaded<decltype(found.name)>(handle, DALEMBERT_HDF5_TEXT(name));
  DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_HDF5_LOADED)
  DALEMBERT_HDF5_IDENTIFIERS(DALEMBERT_HDF5_LOADED)
#undef DALEMBERT_HDF5_LOADED
#undef DALEMBERT_HDF5_TEXT
  return found;
}

}  // namespace

const Library& library() {
  static const Library found = load();
  return found;
}

}  // namespace dalembert::study::hdf5
