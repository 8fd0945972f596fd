#include "dalembert/measure/section.hpp"

#include <cmath>
#include <limits>

#include "dalembert/mechanics/state_function.hpp"

namespace dalembert {

SectionFunction make_section_function(const System& system,
                                      const std::function<Expr(const Symbols&)>& expression,
                                      std::span<const double> parameters) {
  const Symbols s = system.symbols();
  return [function = StateFunction<double>(system, s, {expression(s)}, parameters)](
             double t, std::span<const double> q, std::span<const double> v) mutable {
    return function(t, q, v).front();
  };
}

void Section::add(double t, std::span<const double> q, std::span<const double> v) {
  next_.t = t;
  next_.q.assign(q.begin(), q.end());
  next_.v.assign(v.begin(), v.end());
  next_.value = event_(t, q, v);
  if (has_last_ && wanted(last_.value, next_.value)) {
    const double h = next_.t - last_.t;
    const bool forward = std::fabs(last_.value) <= std::fabs(next_.value);
    Crossing crossing;
    // The nearer node first. Where the flow from it does not reach the event, the event is within
    // the local error of the other node.
    if (locate(forward ? last_ : next_, forward ? h : -h, crossing) ||
        locate(forward ? next_ : last_, forward ? -h : h, crossing)) {
      crossing.rising = last_.value < next_.value;
      crossings_.push_back(std::move(crossing));
    }
  }
  std::swap(last_, next_);
  has_last_ = true;
}

bool Section::wanted(double before, double after) const {
  const bool rises = before < 0.0 && after >= 0.0, falls = before > 0.0 && after <= 0.0;
  if (direction_ == Direction::both) return rises || falls;
  return direction_ == Direction::rising ? rises : falls;
}

double Section::value_after(const Node& from, double duration, Crossing& crossing) {
  crossing.t = from.t;
  crossing.q = from.q;
  crossing.v = from.v;
  flow_.restart();  // a crossing has the same bits wherever the run began
  if (!flow_.advance(crossing.t, crossing.q, crossing.v, duration))
    return std::numeric_limits<double>::quiet_NaN();
  return event_(crossing.t, crossing.q, crossing.v);
}

/// The zero on the exact flow from a node within `duration`; false if there is none, or a jump.
bool Section::locate(const Node& from, double duration, Crossing& crossing) {
  double a = 0.0, at_a = from.value, b = duration, at_b = value_after(from, b, crossing);
  if (at_b == 0.0) return true;
  const double scale = std::fabs(at_a) + std::fabs(at_b);
  if (at_a != 0.0 && !(at_a * at_b < 0.0)) return false;
  double root = at_a == 0.0 ? 0.0 : b, value = at_a == 0.0 ? 0.0 : at_b;
  for (int pass = 0; pass < 200 && value != 0.0; ++pass) {
    const double next = b - at_b * (b - a) / (at_b - at_a);
    if (std::fabs(next - root) <=
        2.0 * std::numeric_limits<double>::epsilon() * std::fabs(duration))
      break;
    root = next;
    value = value_after(from, root, crossing);
    if (std::isnan(value)) return false;
    if (value * at_b < 0.0) {
      a = b;
      at_a = at_b;
    } else {
      at_a /= 2.0;  // Illinois: the end that stays counts half
    }
    b = root;
    at_b = value;
  }
  value = value_after(from, root, crossing);
  return std::fabs(value) <= 1e-6 * scale;  // else the function jumped
}

}  // namespace dalembert
