#include <cstdio>
#include <iostream>
#include "dalembert/study/json_result.hpp"
int main(int argc, char** argv) {
  using namespace dalembert;
  try {
    std::vector<std::string> settings(argv + 2, argv + argc);
    const Study study = read_study_file(argv[1], settings);
    const auto plans = plan_runs(study);
    const auto results = execute_runs(plans, {});
    std::cout << json_text(study, plans, results);
  } catch (const std::exception& e) { std::cerr << "dalembert: " << e.what() << "\n"; return 2; }
}
