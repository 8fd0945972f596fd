#pragma once

#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// The study of a result, as its file or `Study::text` has it, with another final time if one is
/// given: a number or an expression. A step that was chosen by its error stays as it is.
/// `own_methods` are those that it may name beside the library's. RequestError for what cannot be
/// read.
Study continued_study(const std::string& text, const std::string& place, const std::string& until,
                      const std::vector<Method>& own_methods = {});

/// RequestError where the study ends before the time t that one of its runs has reached: what has
/// been computed cannot be taken back.
void refuse_earlier_end(const Study& study, const RunPlan& plan, double reached);

}  // namespace dalembert::study
