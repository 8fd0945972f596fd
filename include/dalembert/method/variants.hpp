#pragma once

#include <vector>

#include "dalembert/method/library.hpp"

namespace dalembert {

/// Options of the methods to measure: their defaults, or also one option changed at a time.
enum class Variants { defaults, each_option };

/// Values of an option that are worth a measurement: every word, numbers at the ends of the range
/// and within, few stages, bases that differ in symmetry and order.
std::vector<OptionValue> values_of(const OptionInfo& option);

/// Every registered method with its defaults, and for `each_option` with one option changed at a
/// time; combinations that the method refuses are left out.
std::vector<MethodSpec> method_variants(Variants variants = Variants::each_option);

}  // namespace dalembert
