#include <vector>

#include "app/arguments/reproduce_arguments.hpp"
#include "app/program/program.hpp"
#include "reproduce_papers.hpp"

// dalembert-reproduce WORDS is what `dalembert reproduce WORDS` starts, and speaks as that command.
int main(int argc, char** argv) {
  using namespace dalembert::app;
  static char command[] = "reproduce";
  std::vector<char*> words(argv, argv + argc);
  words.insert(words.begin() + (argc > 0 ? 1 : 0), command);
  words.push_back(nullptr);
  return run_commands(
      static_cast<int>(words.size()) - 1, words.data(),
      [](CLI::App& program, Action& action) { add_reproduce(program, action, reproduce_papers); });
}
