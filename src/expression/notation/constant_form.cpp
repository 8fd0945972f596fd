#include "constant_form.hpp"

#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "dalembert/expression/printer.hpp"

namespace dalembert {
namespace {

using Quotient = std::pair<std::int64_t, std::int64_t>;

/// Denominators of doubles: 0.375 is shown as 3/8, 0.0625 as it is.
constexpr int most_decimal_divisor = 8;
constexpr int most_divisor = 64;
constexpr double most_whole = 1e15, most_numerator = 1e6;

bool is_whole(const Constant& value) {
  return value.low == 0.0 && value.high == std::floor(value.high) && value.high < most_whole;
}

std::optional<Quotient> quotient_of(const Constant& value) {
  if (is_whole(value)) return Quotient{static_cast<std::int64_t>(value.high), 1};
  const int most = value.low == 0.0 ? most_decimal_divisor : most_divisor;
  for (int divisor = 2; divisor <= most; ++divisor) {
    const double over = std::round(value.high * divisor);
    if (over < most_numerator && Constant{over} / Constant{double(divisor)} == value)
      return Quotient{static_cast<std::int64_t>(over), divisor};
  }
  return std::nullopt;
}

/// The multiple of pi, in either order in which it may have been computed.
std::optional<Quotient> multiple_of_pi(const Constant& value) {
  constexpr int most = 12;
  for (int divisor = 1; divisor <= most; ++divisor) {
    const double over = std::round(value.high / pi_constant.high * divisor);
    if (over == 0.0 || over > most) continue;
    const Constant whole{over}, parts{double(divisor)};
    if (whole * pi_constant / parts == value || whole / parts * pi_constant == value)
      return Quotient{static_cast<std::int64_t>(over), divisor};
  }
  return std::nullopt;
}

}  // namespace

ConstantForm form_of_constant(Constant value) {
  ConstantForm form{.negative = value.high < 0.0};
  if (form.negative) value = -value;
  std::optional<Quotient> quotient = quotient_of(value);
  if (!quotient) {
    quotient = multiple_of_pi(value);
    form.has_pi = quotient.has_value();
  }
  if (quotient) {
    std::tie(form.over, form.under) = *quotient;
  } else {
    form.decimals = to_string(value.high);
  }
  return form;
}

}  // namespace dalembert
