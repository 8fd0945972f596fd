#include "dalembert/document/file_text.hpp"

#include <array>
#include <fstream>

namespace dalembert::study {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65536> block;
  while (file.read(block.data(), block.size()) || file.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  // A read that fails is no end.
  if (!file.eof() || file.bad()) throw OutputError("cannot read \"" + path.string() + "\"");
  return text;
}

}  // namespace dalembert::study
