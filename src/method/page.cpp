#include "dalembert/method/page.hpp"

namespace dalembert {

std::vector<std::string> Usage::sentences() const {
  std::vector<std::string> found;
  if (!when.empty()) found.push_back("Use it when " + when + ".");
  if (!otherwise.empty()) found.push_back("Do not use it when " + otherwise + ".");
  return found;
}

}  // namespace dalembert
