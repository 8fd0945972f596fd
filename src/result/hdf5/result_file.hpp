#pragma once
// What the HDF5 files of runs and of ensembles have in common. Only for the sources of this room.

#include <array>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "handle.hpp"

namespace dalembert::study {

/// A result file that is open for writing, with the study in its root. One call at a time; flushed
/// after each; complaints name the file.
class ResultFile {
 public:
  /// Creates the file with an empty group `runs`, replacing an older one, or opens it to go on.
  ResultFile(const std::filesystem::path& path, const Study& study, bool create);

  /// `action(file)`, then a flush. OutputError with the name of the file if anything is refused.
  template <class Action>
  void write(Action action) {
    const std::scoped_lock lock(mutex_);
    try {
      action(static_cast<hid_t>(file_));
      hdf5::check(H5Fflush(file_, H5F_SCOPE_LOCAL), "write to the disk");
    } catch (const OutputError& error) {
      throw OutputError("cannot write \"" + path_.string() + "\": " + error.what());
    }
  }

 private:
  std::filesystem::path path_;
  std::mutex mutex_;
  hdf5::Handle file_;
};

/// The group of a run: runs/0001 is the first.
std::string run_group_name(const RunPlan& plan);

/// What was asked of a run, as attributes of its group, and its parameters.
void write_run_request(hid_t run, const RunPlan& plan);

/// The parts of a point that a run needs to go on, by the names of their data sets.
using PointPart = std::vector<double> Point::*;
constexpr std::array<std::pair<const char*, PointPart>, 7> point_parts{
    {{"q", &Point::q},
     {"v", &Point::v},
     {"lambda", &Point::lambda},
     {"carried", &Point::carried},
     {"turns", &Point::turns},
     {"q_carry", &Point::q_carry},
     {"v_carry", &Point::v_carry}}};

/// One of these parts of `points` points, one after the other, as a program expects it. Files of
/// version 0.1 have "extra" in place of "carried", which could also hold what only a step reports
/// and nothing needs to go on: that is left out.
std::vector<double> read_part(hid_t group, const std::string& name, const StepProgram& program,
                              std::size_t points = 1);

/// The point with room for what a step reports.
void make_room(Point& point, const StepProgram& program);

/// The attributes that say what a data set holds.
void describe_table(hid_t table, const std::string& description);

}  // namespace dalembert::study
