#include "dalembert_program.hpp"

int main(int argc, char** argv) { return dalembert::app::run_dalembert(argc, argv); }
