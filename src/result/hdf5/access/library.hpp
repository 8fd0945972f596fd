#pragma once
// HDF5 is loaded when a result file is first read or written: it brings some thirty libraries
// along, which every other command would start with. Here stand, under their own names, the
// functions and identifiers of its C interface that this room uses; whoever needs another one adds
// it to the list. Only for the sources of this room, which never call them as `::H5...`.

#include <hdf5.h>

// clang-format off
#define DALEMBERT_HDF5_FUNCTIONS(each)                                                             \
  each(H5Aclose) each(H5Acreate2) each(H5Adelete) each(H5Aexists) each(H5Aget_space)               \
  each(H5Aget_type) each(H5Aopen) each(H5Aread) each(H5Awrite) each(H5Dclose) each(H5Dcreate2)     \
  each(H5Dget_chunk_storage_size) each(H5Dget_create_plist) each(H5Dget_space)                     \
  each(H5Dget_storage_size) each(H5Dget_type) each(H5Dopen2) each(H5Dread) each(H5Dread_chunk)     \
  each(H5Dset_extent) each(H5Dwrite) each(H5Dwrite_chunk) each(H5Eset_auto2) each(H5Fclose)        \
  each(H5Fcreate) each(H5Fget_filesize) each(H5Fget_name) each(H5Fis_hdf5) each(H5Fopen)           \
  each(H5Gclose) each(H5Gcreate2) each(H5Gopen2) each(H5Iget_file_id) each(H5Lexists)              \
  each(H5Lget_info) each(H5Oget_info2) each(H5Pclose) each(H5Pcreate) each(H5Pget_chunk)           \
  each(H5Pget_external_count) each(H5Pget_filter2) each(H5Pget_layout) each(H5Pget_nfilters)       \
  each(H5Pset_chunk) each(H5Pset_fapl_core) each(H5Pset_fclose_degree) each(H5Pset_file_locking)   \
  each(H5Pset_fletcher32)                                                                          \
  each(H5Pset_layout) each(H5Pset_libver_bounds) each(H5Rcreate) each(H5Sclose) each(H5Screate)    \
  each(H5Screate_simple) each(H5Sget_simple_extent_dims) each(H5Sget_simple_extent_ndims)          \
  each(H5Sget_simple_extent_npoints) each(H5Sselect_hyperslab) each(H5Tclose) each(H5Tcopy)        \
  each(H5Tcreate) each(H5Tget_class) each(H5Tget_size) each(H5Tinsert) each(H5Tis_variable_str)    \
  each(H5Tset_cset) each(H5Tset_size) each(H5Tvlen_create) each(H5check_version) each(H5dont_atexit) each(H5free_memory) each(H5open)
#define DALEMBERT_HDF5_IDENTIFIERS(each)                                                           \
  each(H5P_CLS_DATASET_CREATE_ID_g) each(H5P_CLS_FILE_ACCESS_ID_g) each(H5T_C_S1_g)                \
  each(H5T_NATIVE_DOUBLE_g) each(H5T_NATIVE_INT64_g) each(H5T_NATIVE_INT_g) each(H5T_NATIVE_UINT64_g) \
  each(H5T_NATIVE_UINT8_g) each(H5T_STD_REF_OBJ_g)
// clang-format on

namespace dalembert::study::hdf5 {

/// Where they are in memory.
struct Library {
#define DALEMBERT_HDF5_MEMBER(name) decltype(&::name) name;
  DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_HDF5_MEMBER)
  DALEMBERT_HDF5_IDENTIFIERS(DALEMBERT_HDF5_MEMBER)
#undef DALEMBERT_HDF5_MEMBER
};

/// The library, which the first call loads. OutputError if it cannot be loaded.
const Library& library();

/// One of them: a function that is called, or passed on, as if it were linked.
template <class Address, Address Library::*member>
struct LoadedFunction {
  operator Address() const { return library().*member; }
};
/// An identifier, of a type or a class of properties.
template <hid_t* Library::*member>
struct LoadedIdentifier {
  operator hid_t() const { return *(library().*member); }
};

#define DALEMBERT_HDF5_FUNCTION(name) \
  inline constexpr LoadedFunction<decltype(&::name), &Library::name> name;
#define DALEMBERT_HDF5_IDENTIFIER(name) inline constexpr LoadedIdentifier<&Library::name> name;
DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_HDF5_FUNCTION)
DALEMBERT_HDF5_IDENTIFIERS(DALEMBERT_HDF5_IDENTIFIER)
#undef DALEMBERT_HDF5_FUNCTION
#undef DALEMBERT_HDF5_IDENTIFIER

}  // namespace dalembert::study::hdf5
