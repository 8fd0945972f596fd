#include "dalembert/native/native_use.hpp"

#include <cstdlib>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert {

NativeUse native_use_of(std::string_view word) {
  if (word == "auto") return NativeUse::automatic;
  if (word == "off") return NativeUse::off;
  if (word == "require") return NativeUse::require;
  throw RequestError("native is auto, off or require, not \"" + std::string(word) + "\"");
}

NativeUse usual_native_use() {
  const char* word = std::getenv("DALEMBERT_NATIVE");
  if (word == nullptr || *word == '\0') return NativeUse::automatic;
  try {
    return native_use_of(word);
  } catch (const RequestError& error) {
    throw error.at("the environment variable DALEMBERT_NATIVE");
  }
}

}  // namespace dalembert
