#include "dalembert/picture/picture_records.hpp"

#include <limits>

#include "path.hpp"
#include "thinned_rows.hpp"

namespace dalembert::study {
namespace {

constexpr std::size_t most_rows = 65536;

}  // namespace

struct PictureRecords::Kept {
  ThinnedRows curves, paths;
};

PictureRecords::PictureRecords(const PlotRequest& request, const std::vector<RunPlan>& plans)
    : request_(request) {
  using Keep = ThinnedRows::Keep;
  const Keep of_curves = request.running_mean > 0.0 ? Keep::means : Keep::extremes;
  for (const RunPlan& plan : plans) {
    const std::size_t width = plan.columns.width();
    kept_.push_back({{of_curves, width, most_rows}, {Keep::samples, width, most_rows}});
  }
}

PictureRecords::~PictureRecords() = default;

/// Nobody looks before the end.
double PictureRecords::longest_wait() const { return std::numeric_limits<double>::infinity(); }

void PictureRecords::append(const RunPlan& plan, std::span<const double> rows, const RunResult&) {
  const std::size_t width = plan.columns.width();
  for (std::size_t begin = 0; begin < rows.size(); begin += width) {
    const std::span<const double> row = rows.subspan(begin, width);
    const bool is_shown = request_.section.empty() && is_within(request_, row[0]);
    kept_[plan.index].curves.add(row, is_shown);
    if (!request_.paths.empty()) kept_[plan.index].paths.add(row, is_shown);
  }
}

std::vector<double> PictureRecords::for_curves(std::size_t run) const {
  return kept_[run].curves.rows();
}
std::vector<double> PictureRecords::for_paths(std::size_t run) const {
  return kept_[run].paths.rows();
}

}  // namespace dalembert::study
