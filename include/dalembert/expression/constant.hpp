#pragma once

namespace dalembert {

/// A real constant as an unevaluated sum `high + low` of two doubles: about 106 significant bits,
/// so that coefficients such as 1/3 keep their meaning in extended precision. `high` is the double
/// nearest to the value.
struct Constant {
  /// Distance from 1 to the next number of 106 bits.
  static constexpr double round_off = 0x1p-105;

  double high = 0.0;  ///< double nearest to the value
  double low = 0.0;   ///< rest of the value

  /// The value in any number type that doubles convert to.
  template <class Number>
  Number as() const {
    return Number(high) + Number(low);
  }
  friend bool operator==(const Constant&, const Constant&) = default;
};

// Out of line: their bits must not depend on the options with which a user compiles.
Constant operator-(Constant a);
Constant operator+(Constant a, Constant b);
Constant operator-(Constant a, Constant b);
Constant operator*(Constant a, Constant b);
/// Quotient to about 106 bits; not finite where that of the high parts is not.
Constant operator/(Constant a, Constant b);
/// Square root to about 106 bits; nan below zero.
Constant sqrt(Constant a);

/// pi to about 106 bits.
inline constexpr Constant pi_constant{3.141592653589793116, 1.224646799147353207e-16};

}  // namespace dalembert
