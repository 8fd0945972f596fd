#pragma once
// H(3).

#include <memory>

#include "mechanics/group/form/group_form.hpp"

namespace dalembert {

std::shared_ptr<const GroupForm> heisenberg_group();

}  // namespace dalembert
