#include "dalembert/run/ready_run.hpp"

#include "dalembert/run/settle_quadrature.hpp"

namespace dalembert {

ReadyRun::ReadyRun(const Problem& problem, const Method& wanted, const StartChoice& choice,
                   const NamedValues& given, double h)
    : system(problem.system),
      parameters(run_parameters(system, choice.in(problem), given)),
      evaluator(system, parameters),
      start(prepare_start(evaluator, choice.in(problem))),
      method(settle_quadrature(wanted, system, parameters, start.q, start.v, h)) {}

}  // namespace dalembert
