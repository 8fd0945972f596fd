#include "dalembert/measure/watch/contact_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace dalembert;

namespace {

/// A wheel of radius 1 about a point at height z whose axis has the part (a, b) along the floor, as
/// a system of three free numbers; its weight is 2, and the floor pushes with z_dot.
System wheel() {
  return System::define({.name = "wheel", .coordinates = {{"z"}, {"a"}, {"b"}}},
                        [](const Symbols& s) {
                          Mechanics m;
                          m.kinetic = dot(s.v, s.v) / 2.0;
                          return m;
                        });
}

ContactWatch watch(bool with_lean) {
  const System system = wheel();
  const Symbols s = system.symbols();
  SurfaceContact contact{"floor", s.q[0], 1.0};
  if (with_lean) contact.lean = {s.q[1], s.q[2], 0.0};
  contact.normal_force = s.v[0];
  contact.weight = 2.0;
  return {system, s, {contact}};
}

struct WheelSeen {
  double t, z = 1.0, a = 1.0, b = 0.0, push = 1.0;
};

void show_wheel(ContactWatch& watch, const WheelSeen& seen) {
  watch.see(seen.t, std::vector{seen.z, seen.a, seen.b}, std::vector{seen.push, 0.0, 0.0});
}

}  // namespace

TEST_CASE("a contact ends where its lowest point is off the surface by a thousandth of its size") {
  for (const double sign : {1.0, -1.0}) {
    ContactWatch contacts = watch(false);
    show_wheel(contacts, {.t = 0.0});
    show_wheel(contacts, {.t = 1.0, .z = 1.0 + 0.0019 * sign});  // sizes are 1 + 1
    CHECK_FALSE(contacts.has_ended());
    show_wheel(contacts, {.t = 2.0, .z = 1.0 + 0.0021 * sign});
    show_wheel(contacts, {.t = 3.0, .z = 1.0 + 0.5 * sign, .push = -1.0});
    const ContactHistory& found = contacts.found().at(0);
    CHECK(found.ended == 2.0);
    CHECK(found.how == (sign > 0.0 ? ContactEnd::leaves : ContactEnd::passes));
    CHECK(found.gap.largest == 0.5);
    CHECK(contacts.values()[0] == 0.5 * sign);
  }
}

TEST_CASE("a contact ends where its surface would have to pull, but not for round-off") {
  ContactWatch contacts = watch(false);
  show_wheel(contacts, {.t = 0.0, .push = 0.0});
  show_wheel(contacts, {.t = 1.0, .push = -1e-9});
  CHECK_FALSE(contacts.has_ended());
  show_wheel(contacts, {.t = 2.0, .push = -0.01});
  CHECK(contacts.found().at(0).ended == 2.0);
  CHECK(contacts.found().at(0).how == ContactEnd::pulls);
  CHECK(contact_end_text("floor", contacts.found().at(0)) ==
        "contact \"floor\" ended at t = 2: the surface would have to pull the body, with a force "
        "of up to 0.01");
  CHECK(contacts.value_names() == std::vector<std::string>{"floor_gap", "floor_normal_force"});
}

TEST_CASE("a wheel lies flat where it falls on its other side, not where it spins") {
  ContactWatch spinning = watch(true);
  // Two radians between two looks, nearly flat.
  for (int i = 0; i < 20; ++i)
    show_wheel(spinning,
               {.t = 1.0 * i, .a = 1e-3 * std::cos(2.0 * i), .b = 1e-3 * std::sin(2.0 * i)});
  CHECK_FALSE(spinning.has_ended());

  ContactWatch falling = watch(true);
  show_wheel(falling, {.t = 0.0, .a = 0.2, .b = 0.001});
  show_wheel(falling, {.t = 1.0, .a = 0.1, .b = 0.002});
  CHECK_FALSE(falling.has_ended());
  show_wheel(falling, {.t = 2.0, .a = -0.05, .b = 0.003});
  CHECK(falling.found().at(0).ended == 2.0);
  CHECK(falling.found().at(0).how == ContactEnd::lies_flat);

  ContactWatch at_once = watch(true);
  show_wheel(at_once, {.t = 0.0, .a = 1e-7});
  CHECK(at_once.found().at(0).ended == 0.0);
}

TEST_CASE("a watch that goes on from what was found sees what one watch sees") {
  ContactWatch whole = watch(true), first = watch(true), second = watch(true);
  const std::vector<WheelSeen> states{
      {.t = 0, .a = 0.1}, {.t = 1, .a = 0.02}, {.t = 2, .a = -0.02}};
  for (const WheelSeen& seen : states) show_wheel(whole, seen);
  show_wheel(first, states[0]);
  show_wheel(first, states[1]);
  second.go_on_from(first.found());
  show_wheel(second, states[2]);
  CHECK(second.found().at(0).ended == 2.0);
  CHECK(whole.found().at(0).ended == second.found().at(0).ended);
  CHECK(whole.found().at(0).lean == second.found().at(0).lean);
}

TEST_CASE("no contacts, nothing to see") {
  ContactWatch none;
  CHECK(none.is_empty());
  none.see(0.0, {}, {});
  CHECK_FALSE(none.has_ended());
}
