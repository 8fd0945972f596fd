#pragma once

#include <string>
#include <vector>

#include "dalembert/sensitivity/lyapunov.hpp"
#include "dalembert/sensitivity/volume.hpp"
#include "dalembert/study/comparison/compare_methods.hpp"
#include "dalembert/study/linearisation/linearise_problem.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/modified/analyse_modified.hpp"
#include "dalembert/study/page/page.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"

namespace dalembert::study {

/// The tables [sensitivity], [lyapunov], [volume], [compare], [order], [modified] and [linearise]
/// of a study; beside them stands control_page.
const Page<SensitivityChoice>& sensitivity_page();
const Page<LyapunovOptions>& lyapunov_page();           ///< table [lyapunov]
const Page<VolumeOptions>& volume_page();               ///< table [volume]
const Page<ComparisonOptions>& comparison_page();       ///< table [compare]
const Page<OrderOptions>& order_page();                 ///< table [order]
const Page<ModifiedOptions>& modified_page();           ///< table [modified]
const Page<LinearisationChoice>& linearisation_page();  ///< table [linearise]

/// The table [run], which read_run reads.
const PageInfo& run_page();
/// The table [plot], which read_plot reads, but for its keys of the look of a picture.
const PageInfo& plot_page();
/// These, which read_look reads.
const PageInfo& look_page();

/// All pages. Those of analyses are tables that a study may have, each checked when the study is
/// read; the others have readers of their own.
const std::vector<PageInfo>& study_pages();

/// One of them by its name, which there must be.
const PageInfo& page_named(const std::string& name);

/// The options that a study gives in the table of a page, or the defaults.
template <class T>
T read_page(const Page<T>& page, const Study& study) {
  const DocumentNode* table = nullptr;
  for (const auto& [name, node] : study.analyses)
    if (name == page.name) table = &node;
  return page.read(table);
}

}  // namespace dalembert::study
