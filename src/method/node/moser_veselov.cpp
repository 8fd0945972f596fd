#include "dalembert/method/node/moser_veselov.hpp"

#include "dalembert/expression/vectors_in_space.hpp"
#include "dalembert/method/newmark.hpp"

namespace dalembert {
namespace {

bool is_rotation(const Configuration::Factor& factor) { return factor.group.name() == "SO(3)"; }

/// Whether some entry of the mass holds the velocity of a factor and another velocity together.
bool is_coupled(const Matrix& mass, const Configuration::Factor& factor) {
  const std::size_t end = factor.velocity + factor.group.dimension();
  for (std::size_t i = factor.velocity; i < end; ++i) {
    for (std::size_t j = 0; j < mass.columns(); ++j) {
      const bool is_own = j >= factor.velocity && j < end;
      if (!is_own && !mass(i, j).is_constant(0.0)) return true;
    }
  }
  return false;
}

/// The displacement to the middle of Cayley's arc: of rotations that of half the angle.
Vector half_of(const Configuration& space, const Vector& path) {
  Vector half = 0.5 * path;
  for (const Configuration::Factor& factor : space.factors()) {
    if (factor.group.is_flat()) continue;
    const Vector own = slice(path, factor.velocity, 3);
    const Expr length = 1.0 + 0.25 * dot(own, own);
    const Expr share = 1.0 / (1.0 + sqrt(length));
    for (std::size_t i = 0; i < 3; ++i) half[factor.velocity + i] = share * own[i];
  }
  return half;
}

}  // namespace

MethodPage<MoserVeselov> MoserVeselov::page() {
  return {
      .name = "moser-veselov",
      .title = "Moser and Veselov's discrete rigid bodies, with constraints",
      .use = {"a free rigid body is to keep its momentum, or Suslov's problem its energy, to "
              "machine precision",
              "the system has a potential and energies must not drift: it is then a method of "
              "order 2 like dla"},
      .description =
          "The discrete Lagrange-d'Alembert principle with the kinetic energy of the chord between "
          "two rotations in the place of that of the displacement. Without a potential the free "
          "body keeps its momentum, and Suslov's problem its energy, to round-off. On R^n it is "
          "Newmark's method with beta = 0.",
      .source =
          "MoserVeselov1991; with constraints FedorovZenkov2005LL; both kinetic energies "
          "GarciaNaranjoJimenez2016",
      .formula = {"g1 = g0 cay(h*w), gm half the way, c = 1 + |h*w|^2/4",
                  "of rotations p-+ = (M w -+ h/2*M w x w)/c with kinetic = chord, M w -+ h/2*M w "
                  "x w + h^2/4*(w.M w) w with displacement; else p-+ = M w",
                  "0 = p- - (M v0 + h/2*f0 + A(g0)^T l0), 0 = A(gm) w + b(gm)",
                  "0 = M v1 - (p+ + h/2*f1 + A(g1)^T l1), 0 = A(g1) v1 + b(g1)",
                  "f the slope of -V and the external force at the nodes"},
      .facts = Facts{.order = 2,
                     .multiplier_order = 2,
                     .continuous_multiplier = true,
                     .symmetric = true,
                     .reversible = true,
                     .maps_constraint_set = true,
                     .keeps_fibration = true,
                     .passenger_volume = PassengerVolume::lost,
                     .symplectic = LagrangianKind::constant_mass},
      .requirements =
          Requirements{.lagrangian = LagrangianKind::constant_mass,
                       .constraints = ConstraintKind::affine,
                       .handles_time = true,
                       .handles_force = true,
                       .handles_groups = true,
                       .reason = "its kinetic energy is that of rigid bodies between two places"},
      .equations = &MoserVeselov::equations,
      .volume = &MoserVeselov::volume,
      .options = {{"kinetic", &MoserVeselov::kinetic,
                   "the kinetic energy between two nodes: of the chord, or of the displacement by "
                   "Cayley's map, which the discrete constraint has, too",
                   Words<Kinetic>{{Kinetic::chord, "chord"},
                                  {Kinetic::displacement, "displacement"}}}},
      .misfit = &MoserVeselov::misfit};
}

std::optional<std::string> MoserVeselov::misfit(const System& system) const {
  const std::string which =
      "method \"moser-veselov\" cannot be used on system \"" + system.name() + "\": ";
  const Matrix mass = system.mass(system.symbols().q);
  for (const Configuration::Factor& factor : system.configuration().factors()) {
    if (factor.group.is_flat()) continue;
    if (!is_rotation(factor))
      return which + "it is made for rotations and lines, and \"" + factor.name + "\" is in " +
             factor.group.name() + "; dla and gni take it";
    if (kinetic == Kinetic::chord && is_coupled(mass, factor))
      return which + "the kinetic energy of rotation \"" + factor.name +
             "\" is coupled to that of other coordinates; kinetic = displacement allows it";
  }
  return std::nullopt;
}

std::optional<VolumeFormula> MoserVeselov::volume(const System& s, const State& before,
                                                  const State& after, const Expr& h) const {
  return Newmark{}.volume(s, before, after, h);  // what it is without rotations
}

MoserVeselov::Momenta MoserVeselov::momenta(const System& s, const Vector& w, const Expr& h) const {
  const Matrix mass = s.mass(s.symbols(h).q);
  const Vector plain = mass * w;
  Momenta result{plain, plain};
  for (const Configuration::Factor& factor : s.configuration().factors()) {
    if (factor.group.is_flat()) continue;
    const Vector own = slice(w, factor.velocity, 3), spin = slice(plain, factor.velocity, 3);
    const Vector turn = 0.5 * h * cross(spin, own);
    const Expr quarter = 0.25 * h * h;
    Vector first = spin - turn, last = spin + turn;
    if (kinetic == Kinetic::chord) {
      const Expr chord = 1.0 + quarter * dot(own, own), share = Expr(1.0) / chord;
      first = share * first;
      last = share * last;
    } else {
      const Expr twice = dot(own, spin);
      const Vector along = quarter * twice * own;
      first = first + along;
      last = last + along;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      result.first[factor.velocity + i] = first[i];
      result.last[factor.velocity + i] = last[i];
    }
  }
  return result;
}

Equations MoserVeselov::equations(const System& s, const State& a, Unknowns& u,
                                  const Expr& h) const {
  const Configuration& space = s.configuration();
  const Vector w = u.vector("w", a.v), path = h * w;
  const Vector middle = space.move(Retraction::cayley, a.q, half_of(space, path)),
               q = space.move(Retraction::cayley, a.q, path);
  const Expr t = a.t + h, tm = a.t + 0.5 * h;
  const Vector first = u.multiplier("h*l0", 0.5 * h * a.lambda);
  const Vector v = u.vector("v", w), last = u.multiplier("h*l1", 0.5 * h * a.lambda);
  const auto impulse = [&](const Vector& at, const Vector& velocity, const Expr& time) {
    const Vector external = s.force(at, velocity, time);
    return 0.5 * h * (external - s.potential_gradient(at, time));
  };
  const Vector first_kick = impulse(a.q, a.v, a.t), last_kick = impulse(q, v, t);
  const Vector push = first_kick + s.constraint_force(a.q, a.v, a.t, first),
               pull = last_kick + s.constraint_force(q, v, t, last);
  const Matrix mass = s.mass(q);
  Vector early, late;
  if (s.traits().has_groups) {
    const Momenta between = momenta(s, w, h);
    const Vector p0 = mass * a.v, p1 = mass * v;
    early = between.first - p0;
    late = p1 - between.last;
  } else {
    const Vector earlier = w - a.v, later = v - w;
    early = mass * earlier;
    late = mass * later;
  }
  return {.zero = concatenate({early - push, late - pull, s.constraint(middle, w, tm)}),
          .constraint = s.constraint(q, v, t),
          .after = {q, v}};
}

}  // namespace dalembert
