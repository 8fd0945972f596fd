// What this library adds to the open problems of Modin and Verdier 2020: statements of our own,
// measured like published ones.
#include "drift_everywhere.hpp"
#include "rates.hpp"
#include "reproduce/paper/paper_code.hpp"
#include "work.hpp"

namespace dalembert::reproduce {

PaperCode open_problems() {
  return {{"drift", open_problems_drift},
          {"million", open_problems_million},
          {"rates", open_problems_rates},
          {"work", open_problems_work}};
}

}  // namespace dalembert::reproduce
