#include "started_ranks.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/exit_code.hpp"
#include "app/terminal/message.hpp"
#include "dalembert/error.hpp"
#include "document/program_folder.hpp"

namespace dalembert::app {
namespace {

/// What starters of MPI say in the environment of their processes: how many these are.
const char* count_in_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* count = std::getenv(name); count != nullptr) return count;
  return nullptr;
}

std::filesystem::path module_path() {
#ifdef DALEMBERT_MPI_FROM_PROGRAM
  return study::program_folder() / DALEMBERT_MPI_FROM_PROGRAM;
#else
  return {};
#endif
}

}  // namespace

std::unique_ptr<Ranks> started_ranks() {
  const char* count = count_in_environment();
  if (count == nullptr) return nullptr;
  const std::filesystem::path path = module_path();
  if (path.empty()) {
    if (std::string(count) == "1") return nullptr;
    throw OutputError("started by mpirun with " + std::string(count) +
                      " processes, but this dalembert was built without MPI; build it with "
                      "-DDALEMBERT_MPI=ON, or compute parts (--part) and merge them");
  }
  // What MPI loads looks for its names everywhere.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) throw OutputError(std::string("MPI cannot be loaded: ") + dlerror());
  void* address = dlsym(handle, "dalembert_open_ranks");
  if (address == nullptr) throw OutputError(std::string("MPI cannot be loaded: ") + dlerror());
  return std::unique_ptr<Ranks>(reinterpret_cast<Ranks* (*)()>(address)());
}

int on_ranks(Ranks& ranks, const std::function<int()>& action) {
  const auto end = [&](const std::string& sentence, int code) {
    const std::string where =
        ranks.rank() == 0 ? "" : "rank " + std::to_string(ranks.rank()) + ": ";
    complain(where + sentence);
    ranks.end_all(code);
  };
  try {
    return action();
  } catch (const RequestError& error) {
    end(error.what(), bad_request);
  } catch (const OutputError& error) {
    end(error.what(), input_output);
  } catch (const std::bad_alloc&) {
    end("not enough memory; a larger record_every keeps fewer records", input_output);
  } catch (const std::exception& error) {
    end(std::string("internal error: ") + error.what(), internal_error);
  }
  return internal_error;
}

}  // namespace dalembert::app
