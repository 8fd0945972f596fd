#pragma once
// SE(2) and SE(3).

#include <memory>

#include "mechanics/group/form/group_form.hpp"

namespace dalembert {

std::shared_ptr<const GroupForm> plane_motion_group();
std::shared_ptr<const GroupForm> space_motion_group();

}  // namespace dalembert
