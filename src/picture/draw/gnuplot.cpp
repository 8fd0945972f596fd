#include "gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "dalembert/document/file_text.hpp"
#include "dalembert/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): some systems do not declare it

namespace dalembert::study::gnuplot {
namespace {

namespace fs = std::filesystem;

/// A directory of our own for the script and the complaints, removed at the end.
class WorkDirectory {
 public:
  WorkDirectory() {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    std::string pattern = (folder / "dalembert-plot-XXXXXX").string();
    if (error || mkdtemp(pattern.data()) == nullptr)
      throw OutputError(
          "cannot make a temporary folder for the plot; TMPDIR must name a folder "
          "that can be written to");
    path_ = pattern;
  }
  WorkDirectory(const WorkDirectory&) = delete;
  WorkDirectory& operator=(const WorkDirectory&) = delete;
  ~WorkDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// Starts gnuplot on a script with its output in a file; the exit status, or -1.
int spawn(const fs::path& script, const fs::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::string program = "gnuplot", argument = script.string();
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int problem = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

bool is_available() {
  const char* search = std::getenv("PATH");
  std::istringstream directories(search == nullptr ? "" : search);
  for (std::string directory; std::getline(directories, directory, ':');) {
    if (access((fs::path(directory) / "gnuplot").c_str(), X_OK) == 0) return true;
  }
  return false;
}

void run(const std::string& script) {
  const WorkDirectory directory;
  const fs::path file = directory / "script.gp", log = directory / "log.txt";
  std::ofstream written(file);
  written << script;
  written.close();
  if (!written)
    throw OutputError("cannot write what gnuplot is to draw to \"" + file.string() + "\"");
  if (spawn(file, log) == 0) return;
  std::ifstream complaints(log);
  std::string complaint;
  for (std::string line; std::getline(complaints, line);) {
    if (line.find_first_not_of(" ^\t") != std::string::npos) complaint = line;
  }
  throw OutputError("gnuplot failed" + (complaint.empty() ? std::string() : ": " + complaint));
}

std::string svg(const std::string& script, const std::string& name, int width, int height) {
  const WorkDirectory directory;
  const fs::path file = directory / "picture.svg";
  run("set encoding utf8\nset terminal svg size " + std::to_string(width) + "," +
      std::to_string(height) + " dynamic font 'Helvetica,14' background 'white' name " +
      quoted(name) + "\nset output " + quoted(file.string()) + "\n" + script + "\nunset output\n");
  const std::string text = file_text(file);
  if (text.find("</svg>") == std::string::npos)
    throw OutputError("gnuplot drew no picture \"" + name + "\"");
  return text;
}

std::string quoted(const std::string& stranger) {
  const std::string text = without_controls(stranger);  // there are none in SVG
  // In single quotes nothing has a meaning but the quote itself; two of them are one, but not at
  // the beginning and not two times in a row. Quotes therefore stand in texts of their own.
  std::string parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const bool quotes = text[begin] == '\'';
    const std::size_t end = quotes ? text.find_first_not_of('\'', begin) : text.find('\'', begin);
    std::string part = text.substr(begin, end - begin);
    std::ranges::replace(part, '\n', ' ');
    const char* mark = quotes ? "\"" : "'";
    parts += (begin == 0 ? "" : ".") + (mark + part + mark);
    begin = std::min(end, text.size());
  }
  if (parts.empty()) return "''";
  return text.find('\'') == std::string::npos ? parts : "(" + parts + ")";
}

}  // namespace dalembert::study::gnuplot
