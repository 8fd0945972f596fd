#pragma once
// What the HDF5 files of runs and of ensembles have in common. Only for the sources of this room.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "result/hdf5/access/attribute.hpp"
#include "result/hdf5/access/handle.hpp"
#include "result/hdf5/access/table.hpp"

namespace dalembert::study {

/// What the root of a result file says: the version, the title and the study.
void write_study(hid_t file, const Study& study);
/// Writes which version has made a file, where it does not stand there.
void write_version(hid_t file);

/// The group of a run: runs/0001 is the first.
std::string run_group_name(const RunPlan& plan);

/// Reads the group of a run; complaints name it.
void read_run_group(hid_t file, const RunPlan& plan, const std::function<void(hid_t run)>& read);

/// OutputError for a file of a later version, which may mean something else by the same names.
void check_version(hid_t file);

/// Whether records may go beyond the last state, as in files of version 0.1.
bool is_of_version_0_1(hid_t file);

/// What was asked of a run, as attributes of its group, and its parameters.
void write_run_request(hid_t run, const RunPlan& plan);

/// How a run stands.
void write_status(hid_t run, RunResult::Status status);
RunResult::Status read_status(hid_t run);

/// The parts of a point that a run needs to go on, by the names of their data sets.
using PointPart = std::vector<double> Point::*;
constexpr std::array<std::pair<const char*, PointPart>, 8> point_parts{
    {{"q", &Point::q},
     {"v", &Point::v},
     {"lambda", &Point::lambda},
     {"carried", &Point::carried},
     {"history", &Point::history},
     {"turns", &Point::turns},
     {"q_carry", &Point::q_carry},
     {"v_carry", &Point::v_carry}}};

/// One of these parts of `points` points, one after the other, as a program expects it. Files of
/// version 0.1 have "extra" in place of "carried", which could also hold what only a step reports
/// and nothing needs to go on: that is left out. OutputError for another size than the program's.
std::vector<double> read_part(hid_t group, const std::string& name, const StepProgram& program,
                              std::size_t points = 1);

/// The steps between records of a run, which the file knows, and the study, if it says so.
std::uint64_t read_record_every(hid_t run, std::optional<std::uint64_t> of_study);

/// The point with room for what a step reports.
void make_room(Point& point, const StepProgram& program);

/// The attributes that say what a data set holds. Units: one text where those of all columns are
/// the same, else a list, "" where unknown; none where all are.
void describe_table(hid_t table, const std::string& description,
                    const std::vector<std::string>& units);

}  // namespace dalembert::study
