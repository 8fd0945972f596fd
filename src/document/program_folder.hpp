#pragma once

#include <filesystem>

namespace dalembert::study {

/// The folder of the program that runs; empty where the system does not tell it.
std::filesystem::path program_folder();

}  // namespace dalembert::study
