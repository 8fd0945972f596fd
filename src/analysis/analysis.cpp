#include "dalembert/analysis/analysis.hpp"

#include "dalembert/analysis/control_analysis.hpp"
#include "dalembert/analysis/volume_analysis.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "library.hpp"

namespace dalembert::study {

const std::vector<Analysis>& analyses() {
  static const std::vector<Analysis> list{
      comparison_analysis(), order_analysis(),   sensitivity_analysis(),   lyapunov_analysis(),
      volume_analysis(),     control_analysis(), linearisation_analysis(), modified_analysis()};
  return list;
}

const Analysis& analysis_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Analysis& analysis : analyses()) {
    if (analysis.page.name == name) return analysis;
    known.push_back(analysis.page.name);
  }
  throw RequestError("there is no analysis \"" + name + "\"" + suggestion(name, known));
}

}  // namespace dalembert::study
