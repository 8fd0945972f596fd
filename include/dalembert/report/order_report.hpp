#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"

namespace dalembert::study {

/// Refused runs come last, with the reason.
std::string order_table(const std::vector<OrderRow>& rows,
                        const std::vector<RefusedRun>& refused = {});
std::string order_json(const std::string& title, const std::vector<OrderRow>& rows,
                       const std::vector<RefusedRun>& refused = {});
/// Errors against the step on logarithmic scales, a panel each for q, v and lambda.
Picture order_picture(const std::string& title, const std::vector<OrderRow>& rows);
/// Draws that picture to a file. Throws like write_plot.
void write_order_plot(const std::filesystem::path& path, const std::string& title,
                      const std::vector<OrderRow>& rows);

}  // namespace dalembert::study
