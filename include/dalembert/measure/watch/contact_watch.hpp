#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A body that rests on a surface with a shape of its own, as expressions in symbols of a system.
/// The equations of motion hold it there for ever; a real surface pushes and does not pull.
struct SurfaceContact {
  std::string name;   ///< as in messages and names of values
  Expr height = 0.0;  ///< of the shape's centre of mass above the surface, along its normal
  Expr depth = 0.0;   ///< of the shape's lowest point below the centre of mass
  Vector lean = {};   ///< of a wheel: the part of its unit axis along the surface, [3], which is
                      ///< zero where it lies flat; empty for other shapes
  std::optional<Expr> normal_force = {};  ///< of the surface on the body, where it is known
  Expr weight = 0.0;                      ///< the size of forces with which that is compared
};

/// Reason a contact ended.
enum class ContactEnd {
  lies_flat,  ///< a wheel lies on its side: every point of its rim is the lowest
  leaves,     ///< the lowest point is above the surface
  passes,     ///< the lowest point is below the surface
  pulls       ///< the surface would have to pull the body
};

/// Past of a contact: all that it takes to go on.
struct ContactHistory {
  Departure gap;                        ///< height - depth; terms: |height| + |depth|
  double least_normal_force = 0.0;      ///< zero or below
  std::optional<double> ended;          ///< time of the first state after its end
  ContactEnd how = ContactEnd::leaves;  ///< reason, if it has ended
  std::array<double, 3> lean{};         ///< at the last state
  bool has_lean = false;                ///< false: no state of a wheel has been seen yet
};

/// Looks at the states of a run for the first time at which a contact has ended: at which a wheel
/// has come to lie flat, the lowest point of the shape is off the surface by more than
/// `gap_allowed` of the sizes of height and depth, or the normal force is below -1e-6 of the
/// weight. Nothing of what the equations say after that is the motion of the body. One per
/// trajectory; copies are independent; `see` does not allocate.
class ContactWatch {
 public:
  static constexpr double gap_allowed = 1e-3;  ///< relative to |height| + |depth|

  /// No contacts.
  ContactWatch() = default;
  /// Contacts as expressions in `symbols`, those of the system. Parameters in the order of the
  /// description; the defaults if empty. RequestError if their number is wrong.
  ContactWatch(const System& system, const Symbols& symbols,
               const std::vector<SurfaceContact>& contacts,
               std::span<const double> parameters = {});

  bool is_empty() const { return names_.empty(); }  ///< true for no contacts
  /// Names of the contacts.
  const std::vector<std::string>& names() const { return names_; }
  /// Names of `values`: `ground_gap` of a contact "ground", and `ground_normal_force` where
  /// there is one.
  const std::vector<std::string>& value_names() const { return value_names_; }
  /// Gaps and normal forces at the last state, [value_names().size()].
  std::span<const double> values() const { return values_; }

  /// The next state to look at, [storage_count] and [dof].
  void see(double t, std::span<const double> q, std::span<const double> v);
  /// Past of each contact.
  const std::vector<ContactHistory>& found() const { return found_; }
  /// Goes on from what was found before, one entry per contact.
  void go_on_from(std::vector<ContactHistory> before);
  /// True if a contact has ended.
  bool has_ended() const;

 private:
  struct Layout {
    std::size_t first = 0;  ///< among the outputs: height, depth, lean, normal force and weight
    bool has_lean = false, has_force = false;  ///< true where it is among them
  };

  std::vector<std::string> names_, value_names_;
  std::vector<Layout> layouts_;
  StateFunction<double> function_;
  std::vector<ContactHistory> found_;
  std::vector<double> values_;
};

/// In words: "contact \"ground\" ended at t = 1.85: the wheel lies flat, ...". For one that has
/// ended.
std::string contact_end_text(const std::string& name, const ContactHistory& history);
/// "lies flat", "leaves", "passes" or "pulls".
const char* contact_end_word(ContactEnd how);

/// The force along a normal that moves bodies with this momentum, [3], against this pull along it:
/// n.dP/dt + pull, where the velocities change as the eliminated equations of the system say. The
/// normal may change with the state and time, as that of a hill on which a body rolls.
Expr force_along_normal(const System& system, const Symbols& symbols, const Vector& normal,
                        const Vector& momentum, const Expr& pull);

}  // namespace dalembert
