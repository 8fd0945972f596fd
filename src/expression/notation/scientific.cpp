#include "scientific.hpp"

namespace dalembert {

Scientific scientific(const std::string& decimals) {
  const std::size_t end = decimals.find('e');
  if (end == std::string::npos) return {decimals, ""};
  std::string exponent = decimals.substr(end + 1);
  const bool is_negative = exponent.starts_with('-');
  exponent.erase(0, exponent.find_first_of("123456789"));
  return {decimals.substr(0, end), (is_negative ? "-" : "") + exponent};
}

}  // namespace dalembert
