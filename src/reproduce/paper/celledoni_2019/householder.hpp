#pragma once
// Algorithm 1 of Celledoni et al. 2019. Only for the sources of this folder.

#include <vector>

#include "dalembert/claims/verdict.hpp"

namespace dalembert::reproduce {

/// The derivative of Q by Algorithm 1, with the printed and with the right sign of its last term,
/// against differences of Q, for the constraints of the rolling disk.
std::vector<study::Evidence> householder_evidence();

}  // namespace dalembert::reproduce
