#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {

/// A function of the state whose zeros are events.
using SectionFunction =
    std::function<double(double t, std::span<const double> q, std::span<const double> v)>;

/// An event from an expression in the system's symbols: `[](const Symbols& s) { return s.q[2]; }`.
SectionFunction make_section_function(const System& system,
                                      const std::function<Expr(const Symbols&)>& expression,
                                      std::span<const double> parameters = {});

/// A state of the trajectory at which the event happens. Angles are unwrapped.
struct Crossing {
  double t = 0.0;            ///< time of the event
  std::vector<double> q, v;  ///< state at the event
  bool rising = true;        ///< false: the function passes zero falling
};

/// A Poincare section of a run: the states at which a function of the state passes zero.
///
/// Between two nodes of different sign the trajectory is continued by the exact flow from the node
/// nearer to the event, and the event is located on it to round-off by bracketing (the Illinois
/// form of false position). Near the node the exact flow differs from the method's own by at most
/// the local error of one step, so a crossing has the accuracy of the nodes, and where the nodes
/// are exact it is exact to round-off. It lies on the constraints as the node does. Sources: events
/// by integration from the node, [HairerNorsettWanner1993], Sect. II.6; false position,
/// [DowellJarratt1971].
///
/// A function that jumps through zero, as a wrapped angle at half a turn, makes no crossing. Two
/// zeros within a step are not seen. Feed it every step.
class Section {
 public:
  Section(const System& system, SectionFunction event, Direction direction = Direction::rising,
          std::span<const double> parameters = {})
      : event_(std::move(event)), direction_(direction), flow_(system, parameters) {}

  /// An observer for `integrate`; the section must outlive it.
  Observer observer() {
    return [this](const Sample& sample) {
      add(sample.t, sample.q, sample.v);
      return true;
    };
  }
  /// The next node of the trajectory.
  void add(double t, std::span<const double> q, std::span<const double> v);

  /// Crossings so far, but for those that `take` has taken out; in the order of time.
  const std::vector<Crossing>& crossings() const { return crossings_; }
  /// Takes out the crossings.
  std::vector<Crossing> take() { return std::exchange(crossings_, {}); }

 private:
  struct Node {
    double t = 0.0, value = 0.0;  ///< value: of the event's function
    std::vector<double> q, v;     ///< state
  };
  bool wanted(double before, double after) const;
  bool locate(const Node& from, double duration, Crossing& crossing);
  double value_after(const Node& from, double duration, Crossing& crossing);

  SectionFunction event_;
  Direction direction_;
  ExactFlow<double> flow_;
  Node last_, next_;
  bool has_last_ = false;
  std::vector<Crossing> crossings_;
};

}  // namespace dalembert
