#include "lane_kernel_unit.hpp"
