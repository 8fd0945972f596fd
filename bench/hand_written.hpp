#pragma once
/// \file
/// Steps for the pendulum-driven transmission as a careful programmer writes them: every expression
/// simplified by hand, the multiplier eliminated, everything inline. What the engine is measured
/// against.

#include <cmath>
#include <cstdint>

#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace bench {

/// The library's elementary functions, on one number or on lanes.
struct OwnFunctions {
  template <class Number>
  static Number sin(const Number& x) {
    return dalembert::numeric::sin(x);
  }
  template <class Number>
  static Number cos(const Number& x) {
    return dalembert::numeric::cos(x);
  }
};

/// The C library's functions.
struct LibraryFunctions {
  static double sin(double x) { return std::sin(x); }
  static double cos(double x) { return std::cos(x); }
};

/// State, multiplier and parameter of the transmission.
template <class Number>
struct Transmission {
  Number x1, x2, xi, v1, v2, v3, lambda, turns, epsilon;
};

/// Whether every component is finite: x - x is zero for finite x and nan otherwise.
template <class Number>
bool all_finite(const Transmission<Number>& s) {
  using dalembert::numeric::all;
  const Number nothing =
      (s.x1 - s.x1) + (s.x2 - s.x2) + (s.xi - s.xi) + (s.v1 - s.v1) + (s.v2 - s.v2) + (s.v3 - s.v3);
  return all(nothing == Number(0.0));
}

/// The method dla01. Stops early if a number is not finite; returns the steps taken.
template <class Functions, class Number>
std::uint64_t hand_written_dla01(Transmission<Number>& s, double step, std::uint64_t steps) {
  const Number h = Number(step), half = Number(0.5 * step);
  for (std::uint64_t k = 0; k < steps; ++k) {
    const Number x1 = s.x1 + half * s.v1, x2 = s.x2 + half * s.v2, xi = s.xi + half * s.v3;
    const Number gear = Functions::sin(xi);
    const Number torque = gear - s.epsilon * Functions::cos(Number(2.0) * xi);
    s.v3 = s.v3 - h * torque;
    s.xi = xi + half * s.v3;
    const Number free1 = s.v1 - h * x1, free2 = s.v2 - h * x2;
    const Number last_gear = Functions::sin(s.xi);
    const Number impulse = -(free1 + last_gear * free2) / (Number(1.0) + last_gear * gear);
    s.v1 = free1 + impulse;
    s.v2 = free2 + impulse * gear;
    s.x1 = x1 + half * s.v1;
    s.x2 = x2 + half * s.v2;
    s.lambda = impulse / h;
    dalembert::numeric::wrap(s.xi, s.turns);
    if (!all_finite(s)) return k;
  }
  return steps;
}

/// The method leapfrog, with the multiplier carried from step to step.
template <class Functions, class Number>
std::uint64_t hand_written_leapfrog(Transmission<Number>& s, double step, std::uint64_t steps) {
  const Number h = Number(step), half = Number(0.5 * step);
  for (std::uint64_t k = 0; k < steps; ++k) {
    const Number first_gear = Functions::sin(s.xi);
    const Number v1 = s.v1 + half * (s.lambda - s.x1);
    const Number v2 = s.v2 + half * (s.lambda * first_gear - s.x2);
    const Number torque = first_gear - s.epsilon * Functions::cos(Number(2.0) * s.xi);
    const Number v3 = s.v3 - half * torque;
    s.x1 = s.x1 + h * v1;
    s.x2 = s.x2 + h * v2;
    s.xi = s.xi + h * v3;
    const Number gear = Functions::sin(s.xi);
    const Number free1 = v1 - half * s.x1, free2 = v2 - half * s.x2;
    const Number impulse = -(free1 + gear * free2) / (Number(1.0) + gear * gear);
    s.v1 = free1 + impulse;
    s.v2 = free2 + impulse * gear;
    s.v3 = v3 - half * (gear - s.epsilon * Functions::cos(Number(2.0) * s.xi));
    s.lambda = impulse / half;
    dalembert::numeric::wrap(s.xi, s.turns);
    if (!all_finite(s)) return k;
  }
  return steps;
}

}  // namespace bench
