// What this library adds to the open problems of Modin and Verdier 2020: statements of our own,
// measured like published ones.
#include "open_problems.hpp"

#include "drift_everywhere.hpp"
#include "rates.hpp"
#include "work.hpp"

namespace dalembert::reproduce {

Paper open_problems() {
  return {
      "open",
      "open-problems",
      "Beyond the papers: the three open problems of Modin and Verdier 2020, Sect. 6, by this "
      "library",
      {{"drift", "Open problems 2 and 3", "All methods of the library in the six cases",
        "The transmission driven by a pendulum, h = 0.1, T = 30000 (3000 with --quick), all "
        "methods that run on it. Latitudes as in Fig. 8 of Modin and Verdier 2020.",
        open_problems_drift},
       {"million", "Open problems 2 and 3", "Published and new methods to t = 1e6",
        "The same cases, h = 0.1, T = 1e6 (1e4 with --quick): ten million steps.",
        open_problems_million},
       {"rates", "Open problem 1", "Rates of drift, predicted and measured",
        "Three roads to the rate at which the passenger energy changes: the mean of the first term "
        "of the modified field over a turn of the driver; the eigenvalues of the step map over "
        "whole turns, with the shares that the modes have in the start; a run, seen through "
        "windows of 500 to 8000 units of time and half of that, extrapolated to none. With --quick "
        "epsilon = 0.5 only and windows of at most 1000.",
        open_problems_rates},
       {"work", "Open problem 3", "Error against cost",
        "The transmission with a rotating driver, epsilon = 0.5, T = 20, steps from 0.2 on, each "
        "half of the one before. Cost is counted on the tape of a step, so that it is the same "
        "on all machines: a sum or product 1, a quotient 4, an elementary function 20, a linear "
        "system of n unknowns n^3/3 + n^2, loops as often as they are passed. Drift is that of "
        "the passenger energy at h = 0.1, seen through a window of T = 1000, or 20000 where that "
        "does not decide.",
        open_problems_work}}};
}

}  // namespace dalembert::reproduce
