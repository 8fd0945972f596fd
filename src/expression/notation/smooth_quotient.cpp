#include "smooth_quotient.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

/// The coefficients of a polynomial of the square of the argument, lowest first.
using Polynomial = std::vector<std::int64_t>;

/// f_k x^(2 k) = a cos x + b sin x/x, or the same of cosh and sinh for g_k.
struct Parts {
  Polynomial a, b;
};

Polynomial combination(std::int64_t p, const Polynomial& x, std::int64_t q, const Polynomial& y) {
  Polynomial result(std::max(x.size(), y.size() + 1));
  for (std::size_t i = 0; i < x.size(); ++i) result[i] += p * x[i];
  for (std::size_t i = 0; i < y.size(); ++i) result[i + 1] += q * y[i];
  while (!result.empty() && result.back() == 0) result.pop_back();
  return result;
}

/// The parts of an order >= 1. The sign is 1 for sinc and -1 for sinhc.
Parts parts_of_order(int order, std::int64_t sign) {
  // f_0 = sin x/x, and f_1 x^2 = f_0 - cos x.
  Parts before{{}, {1}}, now{{-sign}, {sign}};
  for (int k = 1; k < order; ++k) {
    const std::int64_t factor = sign * (2 * k + 1);
    Parts next{combination(factor, now.a, -sign, before.a),
               combination(factor, now.b, -sign, before.b)};
    before = std::exchange(now, std::move(next));
  }
  return now;
}

/// x**power.
std::string power_text(const std::string& x, int power) {
  return power == 1 ? x : x + "**" + std::to_string(power);
}

/// "(3 - 6*x**2)*", "-3*", "-", "", to stand before a function.
std::string coefficient_text(const Polynomial& polynomial, const std::string& x, int power) {
  std::string text;
  for (std::size_t i = 0; i < polynomial.size(); ++i) {
    const std::int64_t number = polynomial[i], size = number < 0 ? -number : number;
    if (number == 0) continue;
    text += text.empty() ? (number < 0 ? "-" : "") : (number < 0 ? " - " : " + ");
    if (size != 1 || i == 0) text += std::to_string(size) + (i == 0 ? "" : "*");
    if (i > 0) text += power_text(x, static_cast<int>(i) * power);
  }
  if (text == "1" || text == "-1") return text.substr(0, text.size() - 1);
  return (text.find(' ') == std::string::npos ? text : "(" + text + ")") + "*";
}

bool is_identifier(const std::string& text) {
  return std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// 1/(1*3*5*...*(2 k + 1)).
std::string value_at_zero(int order) {
  std::int64_t product = 1;
  for (int k = 1; k <= order; ++k) product *= 2 * k + 1;
  return order <= 0 ? "1" : "Rational(1, " + std::to_string(product) + ")";
}

}  // namespace

std::string smooth_quotient_text(Operation operation, int order, const std::string& argument) {
  const bool is_of_root = operation == Operation::sinc_root;
  const std::string x = is_identifier(argument) ? argument : "(" + argument + ")";
  const std::string root = is_of_root ? "sqrt(" + argument + ")" : x;
  const auto of = [&](const std::string& function) {
    const std::string name = function + (operation == Operation::sinhc ? "h" : "");
    return name + "(" + (is_of_root ? root : argument) + ")";
  };
  if (order < 0) return of("cos");
  std::string text = of("sin") + "/" + root;
  if (order > 0) {
    const Parts parts = parts_of_order(order, operation == Operation::sinhc ? -1 : 1);
    const int power = is_of_root ? 1 : 2;
    const std::string sine = coefficient_text(parts.b, x, power) + text;
    text = "(" + coefficient_text(parts.a, x, power) + of("cos") +
           (sine.starts_with('-') ? " - " + sine.substr(1) : " + " + sine) + ")/" +
           power_text(x, order * power);
  }
  return "Piecewise((" + value_at_zero(order) + ", Eq(" + argument + ", 0)), (" + text + ", True))";
}

}  // namespace dalembert
