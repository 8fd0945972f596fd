#include "newmark_limit.hpp"

#include <cmath>

#include "dalembert/measure/line_fit.hpp"
#include "reproduce/paper/orders.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr const char* nearest = "1/4 - beta = 1e-9";

std::string distance_label(const std::string& distance) { return "1/4 - beta = " + distance; }

/// The power of the distance of beta from 1/4 with which the error at the smallest step goes.
Evidence power_of_distance(const StudyOrders& orders) {
  std::vector<double> x, y;
  for (const int exponent : {-2, -3, -4}) {
    x.push_back(exponent * std::log(10.0));
    y.push_back(
        std::log(orders.row(distance_label("1e-" + std::to_string(-exponent))).q.errors.back()));
  }
  const LineFit line = fit_line(x, y);
  return {"power of 1/4 - beta in the error of q, h = 1/2048, 1e-2 to 1e-4",
          line.slope,
          2.0 * line.slope_error,
          -1.15,
          -0.85,
          EvidenceRole::qualified};
}

/// The errors of q against the step, a curve for each beta.
Picture limit_picture(const StudyOrders& orders) {
  Picture picture{"Errors of F^{beta,beta,1/2} as beta approaches 1/4"};
  PicturePanel panel{.title = ""};
  panel.x = {"step h", true};
  panel.y = {"error of q at t = 1", true};
  for (const OrderRow& row : orders.rows())
    panel.curves.push_back(
        {picture.entry(row.plan.method.label), {row.steps, row.q.errors}, CurveStyle::marked});
  picture.panels.push_back(std::move(panel));
  return picture;
}

}  // namespace

NewmarkLimit newmark_limit() {
  constexpr int runs = 9;  // errors fall with the square of steps below the root of the distance
  const StudyOrders orders("anahory-simoes-2022/orders-limit", runs);
  NewmarkLimit limit{{}, limit_picture(orders)};
  for (const char* quantity : {"q", "v"}) {
    limit.evidence.push_back(orders.measured(distance_label("1e-2"), quantity, 2));
    limit.evidence.push_back(orders.measured("beta = 0.4", quantity, 2));
    limit.evidence.push_back(orders.measured(nearest, quantity, 2, EvidenceRole::published));
  }
  limit.evidence.push_back(power_of_distance(orders));
  const std::vector<double>& errors = orders.row(nearest).q.errors;
  limit.evidence.push_back(named("coarse", {.what = "error of q at 1/4 - beta = 1e-9, h = 1/8",
                                            .value = errors.front(),
                                            .role = EvidenceRole::shown}));
  limit.evidence.push_back(named("fine", {.what = "error of q at 1/4 - beta = 1e-9, h = 1/2048",
                                          .value = errors.back(),
                                          .role = EvidenceRole::shown}));
  limit.evidence.push_back({"error of q at 1/4 - beta = 1e-9, h = 1/2048 over that of h = 1/8",
                            errors.back() / errors.front(), 0.0, 0.9, 1.1,
                            EvidenceRole::qualified});
  return limit;
}

}  // namespace dalembert::reproduce
