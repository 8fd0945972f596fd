#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include <memory>
#include <stdexcept>

#include "equations.hpp"

namespace work_precision {
namespace {

/// A system of equations with its driver, which is made once and reset for each run.
template <class Equations>
class Solver {
 public:
  explicit Solver(double tolerance)
      : driver_(gsl_odeiv2_driver_alloc_y_new(&system_, gsl_odeiv2_step_rk8pd, first_step,
                                              tolerance, tolerance)) {}
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() { gsl_odeiv2_driver_free(driver_); }

  std::vector<double> run() {
    auto y = Equations::start();
    double t = 0.0;
    gsl_odeiv2_driver_reset_hstart(driver_, first_step);
    if (gsl_odeiv2_driver_apply(driver_, &t, end_of(Equations::task), y.data()) != GSL_SUCCESS)
      throw std::runtime_error("the GSL gave up");
    return {y.begin(), y.begin() + Equations::positions};
  }

 private:
  static int rate(double, const double y[], double f[], void*) {
    Equations::rate(y, f);
    return GSL_SUCCESS;
  }

  gsl_odeiv2_system system_{&rate, nullptr, Equations::size, nullptr};
  gsl_odeiv2_driver* driver_;
};

}  // namespace

std::vector<Entry> gsl_entries(Task task) {
  gsl_set_error_handler_off();
  return entries_of(task, "GSL rk8pd", []<class E>(E, double tolerance) -> Run {
    const auto solver = std::make_shared<Solver<E>>(tolerance);
    return [solver] { return solver->run(); };
  });
}

}  // namespace work_precision
