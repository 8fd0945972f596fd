#pragma once
// Orders as evidence for the claims of the papers. Only for the sources of this room.

#include <string>
#include <vector>

#include "dalembert/claims/verdict.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/report/order_report.hpp"
#include "dalembert/study/measure_orders.hpp"

namespace dalembert::reproduce {

/// Step sizes that reach the asymptotic regime of the published studies.
constexpr int order_runs = 6;

/// The orders of all methods of a published study.
class StudyOrders {
 public:
  struct Options {
    int runs = order_runs;  ///< step sizes, each half of the one before
    bool extended = true;   ///< false where errors stay far above the round-off of double
    bool recomputed_multiplier = false;      ///< of the motion through the states as lambda
    std::vector<std::string> settings = {};  ///< as on the command line
    std::size_t threads = 1;
  };
  StudyOrders(const std::string& study, const Options& options);
  StudyOrders(const std::string& study, int runs) : StudyOrders(study, Options{.runs = runs}) {}

  const std::vector<study::OrderRow>& rows() const { return rows_; }
  /// The row of that method label; RequestError if there is none.
  const study::OrderRow& row(const std::string& method) const;
  study::Picture picture() const { return study::order_picture(title_, rows_); }

  /// The slope of "q", "v" or "lambda" of a method with its uncertainty, and bounds 0.15 around an
  /// order.
  study::Evidence measured(const std::string& method, const std::string& quantity, double order,
                           study::EvidenceRole role = study::EvidenceRole::both) const;

 private:
  std::string title_;
  std::vector<study::OrderRow> rows_;
};

}  // namespace dalembert::reproduce
