#pragma once

#include "dalembert/expression/number_function.hpp"
