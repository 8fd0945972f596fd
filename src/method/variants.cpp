#include "dalembert/method/variants.hpp"

#include <memory>

#include "dalembert/error.hpp"

namespace dalembert {
namespace {

void add_variants(const MethodEntry& entry, const OptionInfo& option,
                  std::vector<MethodSpec>& result) {
  for (const OptionValue& value : values_of(option)) {
    if (value == option.default_value) continue;
    MethodSpec spec{entry.name, {{option.name, value}}};
    try {
      static_cast<void>(make_method(spec));
      result.push_back(std::move(spec));
    } catch (const RequestError&) {  // the method refuses the combination
    }
  }
}

}  // namespace

std::vector<OptionValue> values_of(const OptionInfo& option) {
  if (std::holds_alternative<std::string>(option.default_value))
    return {option.choices.begin(), option.choices.end()};
  if (std::holds_alternative<double>(option.default_value)) {
    std::vector<OptionValue> values;
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

std::vector<MethodSpec> method_variants(Variants variants) {
  std::vector<MethodSpec> result;
  for (const MethodEntry& entry : methods()) {
    result.push_back({entry.name, {}});
    if (variants == Variants::defaults) continue;
    for (const OptionInfo& option : entry.options) add_variants(entry, option, result);
  }
  return result;
}

}  // namespace dalembert
