#include "dalembert/document/file_text.hpp"

#include <array>
#include <fstream>

namespace dalembert::study {

std::string file_text(const std::filesystem::path& path, std::size_t most) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  // A device may have no end.
  if (kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::block)
    throw OutputError("cannot read \"" + path.string() + "\": it is a device, not a file");
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65536> block;
  while (text.size() < most && (file.read(block.data(), block.size()) || file.gcount() > 0))
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (text.size() >= most) return text.substr(0, most);
  // A read that fails is no end.
  if (!file.eof() || file.bad()) throw OutputError("cannot read \"" + path.string() + "\"");
  return text;
}

}  // namespace dalembert::study
