#pragma once
// Orders as evidence for the claims of the papers. Only for the sources of this room.

#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/report/order_report.hpp"
#include "dalembert/reproduce/verdict.hpp"
#include "dalembert/study/measure_orders.hpp"

namespace dalembert::reproduce {

/// Step sizes that reach the asymptotic regime of the published studies.
constexpr int order_runs = 6;

/// The orders of all methods of a published study.
class StudyOrders {
 public:
  /// `runs` step sizes, each half of the one before; in extended precision unless it is said that
  /// errors stay far above the round-off of double.
  StudyOrders(const std::string& study, int runs, bool extended = true);

  const std::vector<study::OrderRow>& rows() const { return rows_; }
  /// The row of that method label; std::logic_error if there is none.
  const study::OrderRow& row(const std::string& method) const;
  study::Picture picture() const { return study::order_picture(title_, rows_); }

  /// Evidence that q and v of a method have the order: the slopes with their uncertainty lie within
  /// 0.15 of it.
  void add(std::vector<Evidence>& evidence, const std::string& method, int order,
           EvidenceRole role = EvidenceRole::both) const;
  /// The same for the multipliers.
  void add_multiplier(std::vector<Evidence>& evidence, const std::string& method, int order,
                      EvidenceRole role = EvidenceRole::both) const;

 private:
  std::string title_;
  std::vector<study::OrderRow> rows_;
};

}  // namespace dalembert::reproduce
