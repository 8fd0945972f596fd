#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/native/native_use.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/run/record_times.hpp"
#include "dalembert/run/simulate.hpp"
#include "dalembert/study/control/control_entry.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/ensemble/ensemble_entry.hpp"
#include "dalembert/study/picture_look.hpp"
#include "dalembert/study/sweep/swept_key.hpp"

namespace dalembert::study {

/// A method of a study, with the label that tables and plots show.
struct MethodChoice {
  MethodSpec spec;    ///< name and options
  std::string label;  ///< as of its table, or made of name and options
  Place place;        ///< of its table
};

/// A path in a plane: two expressions of t, positions, velocities and parameters, or names of
/// columns.
struct PathRequest {
  std::string x, y;        ///< the two expressions or names
  std::string title = {};  ///< "" for the two expressions
};

/// Request for a plot: the keys of plot_page, quantities and the manner in which they are shown.
struct PlotRequest {
  std::vector<std::string> quantities = {};    ///< empty: |energy error|
  std::optional<bool> error = {};              ///< absolute difference from the start
  bool change = false;                         ///< signed difference from the start
  std::string section = {}, x = {}, y = {};    ///< section and its axes; without it those of a path
  std::vector<PathRequest> paths = {};         ///< panels beside those of the quantities
  std::optional<DocumentNode> reference = {};  ///< expression of t and h beside an ensemble
  double running_mean = 0.0;                   ///< width of the averaging window, in units of time
  std::optional<bool> equal = {};              ///< equal units on both axes; by the axes without it
  std::optional<double> from = {}, to = {};    ///< times within which records are shown
  bool together = false;                       ///< one panel for all starts, parameters and steps
  std::string final = {}, against = {};        ///< value at the end, and what it is drawn against
  std::string logarithmic = {};                ///< axes of these: "", "x", "y" or "xy"
  std::vector<std::string> histograms = {};    ///< quantities of the members at the end
  PictureLook look = {};                       ///< size, labels, ranges, legend

  /// True if it names what is shown, and not only how.
  bool names_something() const {
    return !quantities.empty() || !section.empty() || !paths.empty() || !final.empty() ||
           !histograms.empty();
  }
  /// True if a curve, an axis of a path or a value at the end is a recomputed multiplier.
  bool shows_recomputed_multiplier() const;
};

/// A parameter that a study overrides: one value, or several for as many runs.
struct ParameterChoice {
  std::string name;                  ///< of a parameter of the problem
  std::vector<DocumentNode> values;  ///< numbers or expressions of numbers
};

/// A study as read: its problem, starts, steps and methods.
struct Study {
  std::string title;                           ///< as written; "" without one
  ProblemFile problem;                         ///< as read
  Sizes sizes;                                 ///< override those of starts and defaults
  std::vector<ParameterChoice> parameters;     ///< override those of starts and defaults
  std::vector<StartEntry> starts;              ///< empty if there is an ensemble
  std::optional<EnsembleEntry> ensemble;       ///< the table [ensemble]
  std::vector<double> steps;                   ///< step sizes, or none …
  std::optional<double> tolerance = {};        ///< … where each run gets one by its error
  std::optional<double> until;                 ///< final time …
  std::optional<std::uint64_t> step_count;     ///< … or the number of steps
  std::optional<std::uint64_t> record_every;   ///< steps between records …
  RecordTimes record_times = {};               ///< … or times of their own
  std::optional<double> tolerance_until = {};  ///< the end for which the step is chosen, if another
  bool compensated = false, wrap_angles = true;  ///< as in StepOptions
  std::optional<NativeUse> native = {};          ///< use of compiled steps; else as is usual
  bool strict = false;                       ///< fails a run for what is only warned of otherwise
  std::vector<MethodChoice> methods;         ///< in the order of the study
  std::vector<Method> own_methods = {};      ///< admissible names beside those of the library
  std::optional<ControlEntry> control = {};  ///< the table [control], for `dalembert control`
  DocumentNode::Table analyses = {};         ///< tables of analyses, by name: see analysis_pages
  PlotRequest plot;                          ///< the table [plot]
  DiagnosticChoices diagnostics = {};        ///< the tables [[diagnostic]]
  std::vector<EventEntry> events = {};       ///< those of the problem, then those of the study
  std::vector<std::filesystem::path> files = {};  ///< sources of the study
  std::vector<std::string> notes = {};            ///< choices made for the user, in sentences
  std::vector<SweptKey> sweep = {};               ///< keys that take several values
  std::vector<Study> variants = {};  ///< the study for each choice of their values, the last key
                                     ///< varying fastest; this is the first of them
  std::string text;  ///< the whole study as TOML with its problem in place: enough to run it again
};

/// Reads a study from a TOML document. Paths in it are relative to `base`. It may name
/// `own_methods` as it names those of the library. RequestError for anything wrong.
Study read_study(const DocumentNode& document, const std::filesystem::path& base = {},
                 const std::vector<Method>& own_methods = {});

/// A study of a problem that is there already, such as one of `problem_in_code`; the document says
/// the rest, without the keys problem and system. RequestError as above.
Study read_study(const DocumentNode& document, ProblemFile problem,
                 const std::vector<Method>& own_methods = {});

/// Reads a study file and applies settings "key=value" first; see apply_setting.
Study read_study_file(const std::filesystem::path& path,
                      const std::vector<std::string>& settings = {});

/// The steps of size h that a study asks for: `steps`, or those until its end.
StepCount step_count(const Study& study, double h);

}  // namespace dalembert::study
