#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Checks a picture of ensembles before anything is computed, as check_plot. Quantities are written
/// as energy_error.variance: a quantity of the results and mean, variance, mean_square, median, min
/// or max; "variance" and "mean_square" alone are those of the energy error.
void check_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::vector<EnsemblePlan>& plans);

/// Draws statistics against time on logarithmic scales: a panel for each quantity and each choice
/// of parameters and step, a curve for each method; a reference beside them if asked.
void write_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::string& title, const std::vector<EnsemblePlan>& plans,
                         const std::vector<EnsembleResult>& results);

}  // namespace dalembert::study
