#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "app/arguments/output_claims.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "commands.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/picture/motion/motion_gif.hpp"
#include "dalembert/picture/motion/motion_page.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct AnimateArguments {
  std::string file, out, size, picture;
  std::size_t run = 0, frames = 0;
  double seconds = 0.0;
  bool force = false;
};

constexpr std::size_t usual_frames = 600;

/// Which of the runs in a file is shown, from 0.
std::size_t chosen_run(const AnimateArguments& arguments, const std::vector<RunPlan>& plans) {
  if (plans.empty()) throw RequestError("\"" + arguments.file + "\" holds no runs");
  if (arguments.run > plans.size())
    throw RequestError("--run " + std::to_string(arguments.run) + ": the file holds " +
                       std::to_string(plans.size()) + " runs");
  return arguments.run == 0 ? 0 : arguments.run - 1;
}

/// "640x400", and how long it plays.
GifLook gif_look(const AnimateArguments& arguments) {
  GifLook look{.seconds = arguments.seconds};
  if (arguments.size.empty()) return look;
  char rest = 0;
  constexpr int least = 64, most = 4000;
  if (std::sscanf(arguments.size.c_str(), "%dx%d%c", &look.width, &look.height, &rest) != 2 ||
      look.width < least || look.height < least || look.width > most || look.height > most)
    throw RequestError("--size " + arguments.size +
                       ": expected width and height in pixels from 64 to 4000, as 640x400");
  return look;
}

/// The table [picture] of a file, in the place of that of the problem.
void take_picture(const std::string& file, ProblemFile& problem) {
  if (file.empty()) return;
  const DocumentNode document = read_document(file);
  const DocumentNode* picture = document.find("picture");
  if (picture == nullptr)
    throw RequestError("\"" + file + "\" has no table [picture], which says how a problem looks");
  problem.scene = read_scene(*picture);
}

int animate(const AnimateArguments& arguments) {
  const bool is_page = arguments.out.ends_with(".html"), is_gif = arguments.out.ends_with(".gif");
  if (!is_page && !is_gif)
    throw RequestError("--out " + arguments.out +
                       ": a motion is a page, a file ending in .html, or a picture ending in .gif");
  if (is_page && (!arguments.size.empty() || arguments.seconds > 0.0))
    throw RequestError(
        "--size and --seconds are for a picture ending in .gif; a page has the size "
        "of its window, and speeds to choose from");
  const GifLook look = gif_look(arguments);
  if (is_gif) check_motion_gif(arguments.out);
  Study study;
  {
    const WaitingLine line("reading " + arguments.file);
    study = read_study(parse_document(read_hdf5_study(arguments.file), arguments.file));
  }
  take_picture(arguments.picture, study.problem);
  OutputClaims({arguments.file, arguments.picture}, arguments.force).claim("--out", arguments.out);
  if (study.ensemble)
    throw RequestError("\"" + arguments.file +
                       "\" is an ensemble; a motion is that of a run with records");
  std::vector<RunPlan> plans = plan_fitting_with_progress(study).plans;
  const std::size_t run = chosen_run(arguments, plans);
  Scene scene(study.problem, plans[run].system, plans[run].sizes, plans[run].parameters);
  const std::vector<RunResult> results =
      read_hdf5_results(arguments.file, plans, {.record_every = study.record_every});
  const RunPlan& plan = plans[run];
  const MotionFrames frames = motion_frames(
      scene, plan, results[run].records, arguments.frames == 0 ? usual_frames : arguments.frames);
  if (is_gif) {
    const WaitingLine line("drawing " + arguments.out);
    write_motion_gif(arguments.out, scene, frames, look);
  } else {
    OutputFile(arguments.out).write(motion_page(scene, frames, motion_title(plan, study.title)));
  }
  if (plans.size() > 1 && arguments.run == 0)
    complain("the motion is that of run 1 of " + std::to_string(plans.size()) + ", " +
             motion_title(plan, "").title + "; --run chooses another");
  return success;
}

}  // namespace

void add_animate(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<AnimateArguments>();
  CLI::App* command = app.add_subcommand(
      "animate", "Show the motion of a result file, as the problem says it looks");
  command->add_option("file", arguments->file, "A result of dalembert run --out")->required();
  command
      ->add_option("--out", arguments->out,
                   "The motion: a page ending in .html, which plays in any browser, or a picture "
                   "ending in .gif")
      ->required();
  command->add_option("--run", arguments->run, "Which of several runs, from 1 (default: the first)")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--frames", arguments->frames,
                   "At most so many frames (default: 600), as far apart as records allow")
      ->check(CLI::Range(2, 100000));
  command->add_option("--picture", arguments->picture,
                      "A file with a table [picture], in the place of the problem's own");
  command->add_option("--size", arguments->size,
                      "Of a .gif: width and height in pixels (default: 640x400)");
  command
      ->add_option("--seconds", arguments->seconds,
                   "Of a .gif: how long it plays (default: by the motion's own time)")
      ->check(CLI::Range(0.1, 1000.0));
  add_force_option(*command, arguments->force);
  add_verbosity_options(*command, "nothing more");
  command->footer(
      "Example: dalembert run snakeboard --method lobatto --step 0.05 --until 30 --out board.h5\n"
      "         dalembert animate board.h5 --out board.html\n"
      "         dalembert animate board.h5 --out board.gif --size 480x300 --seconds 6");
  command->callback([arguments, &action] { action = [arguments] { return animate(*arguments); }; });
}

}  // namespace dalembert::app
