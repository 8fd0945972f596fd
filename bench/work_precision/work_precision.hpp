#pragma once
/// \file
/// Accuracy against time: methods of the library beside solvers of ordinary differential equations.

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace work_precision {

/// From the start of a problem to its end; the positions there, angles unwrapped, or of a long run
/// the largest error of the energy. Throws std::runtime_error where the solver gives up.
using Run = std::function<std::vector<double>()>;

/// In what the equations of motion are written down.
enum class Form {
  positions_and_velocities,  ///< q and v, the multiplier eliminated: 2n equations
  coordinates_of_d,          ///< q and velocities in a frame of the constraint distribution
};

/// A method with one tolerance or step, and what was measured.
struct Entry {
  std::string method;
  Form form = Form::positions_and_velocities;
  std::string parameter;  ///< "1e-08" or "h = 0.125"
  Run run;
  double error = std::numeric_limits<double>::quiet_NaN();       ///< largest of what the run gives
  double nanoseconds = std::numeric_limits<double>::infinity();  ///< per unit of time
};

/// The problems that are solved; see equations.hpp.
enum class Task { transmission, chaotic };
inline constexpr Task tasks[] = {Task::transmission, Task::chaotic};

/// Name of its file in problems/, start, parameters.
std::string title_of(Task task);
std::string long_title_of(Task task);
/// When a run ends. That of the chaotic one is early: it loses a digit in some 20 units of time.
double end_of(Task task);

/// Methods of the library, with compiled steps.
std::vector<Entry> own_entries(Task task);
/// Positions at the end by `gauss` with 16 stages in small steps, and their largest difference
/// from those of another number of stages, other coordinates and another step.
struct Reference {
  std::vector<double> q;
  double uncertainty;
};
Reference reference_of(Task task);

/// Solvers of Boost.odeint, of the GSL and of SUNDIALS, for all tolerances and both forms.
std::vector<Entry> odeint_entries(Task task);
std::vector<Entry> gsl_entries(Task task);
std::vector<Entry> sundials_entries(Task task);

/// How long the energy is to be kept, and after how many equal parts of that it is looked at.
inline constexpr double long_time = 30000.0;
inline constexpr int long_parts = 300;
/// Methods of the library and solvers of Boost.odeint.
std::vector<Entry> own_long_runs(Task task);
std::vector<Entry> odeint_long_runs(Task task);

/// What all peers are given as absolute and as relative tolerance.
inline constexpr double tolerances[] = {1e-6,  1e-7,  1e-8,  1e-9,  1e-10,
                                        1e-11, 1e-12, 1e-13, 1e-14, 1e-15};
/// The step that they begin with.
inline constexpr double first_step = 0.01;

/// The errors of a table, from the largest down; entries with more than `largest` are left out:
/// with too large a step they mean nothing.
struct Errors {
  std::vector<double> columns;
  double largest;
};
/// The rows of a task as Markdown: all entries, and what each method takes for given errors.
void print_entries(const std::vector<Entry>& entries, const Errors& errors);
void print_times_for_errors(const std::vector<Entry>& entries, const Errors& errors);
/// Error, at most `largest`, against time, a row of panels for each task, a column for each form.
/// Format by the ending: .svg, .png or .pdf.
void draw_entries(const std::string& path, const std::vector<std::vector<Entry>>& by_task,
                  double largest);

}  // namespace work_precision
