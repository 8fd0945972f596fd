#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"

namespace dalembert::study {

/// Orders as a table for the terminal. Refused runs come last, with the reason.
std::string order_table(const std::vector<OrderRow>& rows,
                        const std::vector<RefusedRun>& refused = {});
/// Orders as a JSON object with that title.
std::string order_json(const std::string& title, const std::vector<OrderRow>& rows,
                       const std::vector<RefusedRun>& refused = {});
/// Errors in q, v and lambda against the step on logarithmic scales: a panel for each method, all
/// of the same ranges.
Picture order_picture(const std::string& title, const std::vector<OrderRow>& rows);
/// Checks that picture before anything is measured, as check_plot.
void check_order_plot(const std::filesystem::path& path, const std::string& title,
                      const std::vector<RunPlan>& plans, const PictureLook& look);
/// Draws that picture to a file. Throws like write_plot.
void write_order_plot(const std::filesystem::path& path, const std::string& title,
                      const std::vector<OrderRow>& rows, const PictureLook& look = {});

}  // namespace dalembert::study
