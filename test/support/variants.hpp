#pragma once
// The registered methods with several values of each option.

#include <stdexcept>
#include <vector>

#include "dalembert/method/registry.hpp"

namespace test_support {

/// Values of an option that are worth a test. Numbers inside the range and its ends; few stages.
inline std::vector<dalembert::OptionValue> values_of(const dalembert::OptionInfo& option) {
  using dalembert::MethodSpec;
  if (std::holds_alternative<std::string>(option.default_value))
    return {option.choices.begin(), option.choices.end()};
  if (std::holds_alternative<double>(option.default_value)) {
    std::vector<dalembert::OptionValue> values;
    const std::vector<double> candidates =
        option.whole ? std::vector<double>{1, 2, 3} : std::vector<double>{0.0, 0.1, 0.3, 0.5, 1.0};
    for (const double value : candidates) {
      if (value >= option.min && value <= option.max) values.emplace_back(value);
    }
    return values;
  }
  return {std::make_shared<const MethodSpec>(MethodSpec{"dla", {{"alpha", 0.3}}}),
          std::make_shared<const MethodSpec>(MethodSpec{"dla", {{"alpha", 0.5}}}),
          std::make_shared<const MethodSpec>(MethodSpec{"dla01"})};
}

/// How many variants: those of one option at a time, or the defaults only.
enum class Variants { each_option, defaults };

/// Every registered method with its defaults and with one option changed at a time; combinations
/// that the method refuses are left out.
inline std::vector<dalembert::MethodSpec> method_variants(
    Variants variants = Variants::each_option) {
  std::vector<dalembert::MethodSpec> result;
  for (const dalembert::MethodEntry& entry : dalembert::methods()) {
    result.push_back({entry.name, {}});
    if (variants == Variants::defaults) continue;
    for (const dalembert::OptionInfo& option : entry.options) {
      for (const dalembert::OptionValue& value : values_of(option)) {
        if (value == option.default_value) continue;
        dalembert::MethodSpec spec{entry.name, {{option.name, value}}};
        try {
          static_cast<void>(dalembert::make_method(spec));
          result.push_back(std::move(spec));
        } catch (const std::invalid_argument&) {
        }
      }
    }
  }
  return result;
}

}  // namespace test_support
