#include "dalembert_program.hpp"

#include "app/arguments/reproduce_arguments.hpp"
#include "app/program/companion.hpp"
#include "app/program/completion.hpp"
#include "app/program/program.hpp"
#include "commands.hpp"
#include "dalembert/analysis/analysis.hpp"
#include "dalembert/study/page/analysis_pages.hpp"

namespace dalembert::app {

int run_dalembert(int argc, char** argv) {
  return run_commands(argc, argv, [argv](CLI::App& program, Action& action) {
    add_list(program, action);
    add_describe(program, action);
    add_run(program, action);
    add_ensemble(program, action);
    add_merge(program, action);
    add_reproduce(program, action, [argv](const ReproduceArguments&) -> int {
      start_companion("dalembert-reproduce", argv + 2);
    });
    for (const study::Analysis& analysis : study::analyses()) {
      if (analysis.page.name == study::linearisation_page().name)
        add_linearise(program, action);
      else
        add_analysis(program, action, analysis);
    }
    add_reduce(program, action);
    add_animate(program, action);
    add_audit(program, action);
    add_resume(program, action);
    add_export(program, action);
    add_plot(program, action);
    add_completion(program, action);
  });
}

}  // namespace dalembert::app
