#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "support/temporary_folder.hpp"

namespace test_support {

/// Where compiled steps are looked for, if no folder is named, until the end of a test.
class CacheOfTest {
 public:
  CacheOfTest() {
    if (const char* value = std::getenv(name)) before_ = value;
    ::setenv(name, folder_.path().c_str(), 1);
  }
  CacheOfTest(const CacheOfTest&) = delete;
  CacheOfTest& operator=(const CacheOfTest&) = delete;
  ~CacheOfTest() { before_ ? ::setenv(name, before_->c_str(), 1) : ::unsetenv(name); }

 private:
  static constexpr const char* name = "XDG_CACHE_HOME";
  TemporaryFolder folder_;
  std::optional<std::string> before_;
};

}  // namespace test_support
