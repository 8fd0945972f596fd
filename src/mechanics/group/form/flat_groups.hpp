#pragma once
// The line and the angle.

#include <memory>

#include "mechanics/group/form/group_form.hpp"

namespace dalembert {

std::shared_ptr<const GroupForm> flat_group(bool is_angle);

}  // namespace dalembert
