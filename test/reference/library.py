"""The problems as text, and starts whose residual Phi(q, v) vanishes for the doubles written here
(for trigonometric coefficients the start has an angle of zero or a passenger at rest)."""


def problem(coordinates, potential, constraints, kinetic=None, parameters=None, frame=None):
    if kinetic is None:
        kinetic = "(" + " + ".join(c + "_dot^2" for c in coordinates) + ")/2"
    entry = {"coordinates": coordinates, "parameters": parameters or {}, "kinetic": kinetic,
             "potential": potential, "constraints": constraints}
    if frame:
        entry["frame"] = frame
    return entry


COUPLED = ["x1", "x2", "xi"]
CVT_FRAME = [["-sin(xi)", "1", "0"], ["0", "0", "1"]]


def chaotic(n):
    w = ["w_%d" % (i + 1) for i in range(n)]
    z = ["z_%d" % (i + 1) for i in range(n)]
    names = ["x"] + w + z
    potential = "(" + " + ".join(c + "^2" for c in names) + " + z_1^2*z_2^2 + " + \
        " + ".join("%s^2*%s^2" % pair for pair in zip(w, z)) + ")/2"
    constraint = "x_dot + " + " + ".join("%s*%s_dot" % pair for pair in zip(w, z))
    unit = lambda name: ["1" if c == name else "0" for c in names]
    frame = [unit(c) for c in w] + [["-" + a] + unit(b)[1:] for a, b in zip(w, z)]
    return problem(names, potential, [constraint], frame=frame)


PROBLEMS = {
    "contact-oscillator": problem(COUPLED, "(x1^2 + x2^2)/2 + xi^2/2", ["x1_dot + xi*x2_dot"]),
    "pendulum-cvt": problem(
        COUPLED, "(x1^2 + x2^2)/2 + 1 - cos(xi) - epsilon*sin(2*xi)/2",
        ["x1_dot + sin(xi)*x2_dot"], parameters={"epsilon": 0.0}, frame=CVT_FRAME),
    # the same with the passenger's vector field of length one: then the passenger's kinetic energy
    # does not depend on xi, and methods on D* keep driver and passenger energy separately
    "pendulum-cvt-unit-frame": problem(
        COUPLED, "(x1^2 + x2^2)/2 + 1 - cos(xi) - epsilon*sin(2*xi)/2",
        ["x1_dot + sin(xi)*x2_dot"], parameters={"epsilon": 0.0},
        frame=[["-sin(xi)/sqrt(1 + sin(xi)^2)", "1/sqrt(1 + sin(xi)^2)", "0"], ["0", "0", "1"]]),
    "pendulum-cvt-inverted": problem(
        COUPLED, "(x1^2 + x2^2)/2 + cos(xi) - epsilon*sin(2*xi)/2",
        ["x1_dot + sin(xi)*x2_dot"], parameters={"epsilon": 0.0}, frame=CVT_FRAME),
    "particle-harmonic": problem(
        COUPLED, "(k1*x1^2 + k2*x2^2 + k3*xi^2)/2", ["x1_dot + xi*x2_dot"],
        parameters={"k1": 0.0, "k2": 1.0, "k3": 1.0}),
    "knife-edge": problem(
        COUPLED, "-f1*x1 - f2*x2", ["-sin(xi)*x1_dot + (cos(xi) - epsilon)*x2_dot"],
        parameters={"f1": 1.0, "f2": 0.0, "epsilon": 0.0}),
    "rolling-disk": problem(
        ["x", "y", "phi", "theta"], "k*(x^2 + y^2)/2",
        ["x_dot - r*phi_dot*cos(theta)", "y_dot - r*phi_dot*sin(theta)"],
        "(m*(x_dot^2 + y_dot^2) + J_phi*phi_dot^2 + J_theta*theta_dot^2)/2",
        {"m": 1.0, "J_theta": 1.0, "J_phi": 1.0, "r": 1.0, "k": 0.0},
        [["r*cos(theta)", "r*sin(theta)", "1", "0"], ["0", "0", "0", "1"]]),
    "mobile-robot": problem(
        ["x1", "x2", "x3", "xi"], "sin(xi)",
        ["x1_dot + cos(xi)*x3_dot", "x2_dot + sin(xi)*x3_dot"]),
    "particle-free": problem(["x", "y", "z"], "0", ["z_dot - y*x_dot"]),
    "heisenberg": problem(["x", "y", "z"], "0", ["z_dot - y*x_dot + x*y_dot"],
                          frame=[["1", "0", "y"], ["0", "1", "-x"]]),
    "chaotic-2": chaotic(2),
    "chaotic-3": chaotic(3),
    # constant non-diagonal mass; the coefficients depend on coordinates that the multiplier moves
    "witness-constant-mass": problem(
        ["x", "y", "z", "w"], "x^4/4 + x^2*y^2/2 + cos(z)*w + z*w^3/3 + w^2",
        ["(1 + x^2/4)*x_dot + sin(x + z)*y_dot + (y + w^2/2)*z_dot + x*w*w_dot"],
        "x_dot^2 + 3*y_dot^2/4 + z_dot^2/2 + w_dot^2 + x_dot*y_dot/2 - y_dot*z_dot/4"
        " + z_dot*w_dot/2 + x_dot*w_dot/4"),
    "chaplygin-sleigh": problem(
        ["x1", "x2", "theta"], "0", ["-sin(theta)*x1_dot + cos(theta)*x2_dot"],
        "(m*(x1_dot^2 + x2_dot^2) + (J + m*a^2)*theta_dot^2)/2"
        " + m*a*theta_dot*(cos(theta)*x2_dot - sin(theta)*x1_dot)",
        {"m": 1.0, "a": 1.0, "J": 8.0},
        [["0", "0", "1/sqrt(J + m*a^2)"], ["cos(theta)/sqrt(m)", "sin(theta)/sqrt(m)", "0"]]),
    # body angular velocity from the angles of successive turns about axes 3, 2, 1; omega_3 = 0
    "suslov-angles": problem(
        ["psi", "theta", "phi"], "0", ["psi_dot*cos(theta)*cos(phi) - theta_dot*sin(phi)"],
        "(I11*(phi_dot - psi_dot*sin(theta))^2"
        " + I22*(psi_dot*cos(theta)*sin(phi) + theta_dot*cos(phi))^2"
        " + I33*(psi_dot*cos(theta)*cos(phi) - theta_dot*sin(phi))^2)/2"
        " + (psi_dot*cos(theta)*cos(phi) - theta_dot*sin(phi))"
        "*(I13*(phi_dot - psi_dot*sin(theta)) + I23*(psi_dot*cos(theta)*sin(phi)"
        " + theta_dot*cos(phi)))",
        {"I11": 1.0, "I22": 2.0, "I33": 2.5, "I13": 0.25, "I23": 0.5},
        [["0", "0", "1"], ["sin(phi)/cos(theta)", "cos(phi)", "sin(phi)*sin(theta)/cos(theta)"]]),
    # m l^2 is the whole moment of inertia about the middle; phi turns the axles oppositely
    "snakeboard": problem(
        ["x", "y", "theta", "psi", "phi"], "0",
        ["-sin(theta + phi)*x_dot + cos(theta + phi)*y_dot + l*cos(phi)*theta_dot",
         "-sin(theta - phi)*x_dot + cos(theta - phi)*y_dot - l*cos(phi)*theta_dot"],
        "(m*(x_dot^2 + y_dot^2) + m*l^2*theta_dot^2 + J_r*psi_dot^2)/2 + J_r*psi_dot*theta_dot"
        " + J_w*phi_dot^2",
        {"m": 2.0, "l": 0.5, "J_r": 0.25, "J_w": 0.125}),
    "affine-particle": problem(
        ["x", "y", "z"], "(x^2 + y^2)/2 + z^4/4", ["z_dot - y*x_dot - Omega*(x + y*z)"],
        parameters={"Omega": 0.5}),
    "isokinetic-particle": problem(
        ["x", "y", "z"], "x^2/2 + y^2 + x*y*z/4 + z^2/4",
        ["x_dot^2 + y_dot^2 + z_dot^2 - c"], parameters={"c": 1.5}),
    "general-lagrangian": {
        "coordinates": ["x", "y", "z"], "parameters": {"g": 0.5},
        "expression": "(x_dot^2 + y_dot^2 + z_dot^2)/2 + (x_dot^2 + 2*y_dot^2)^2/16"
                      " + g*(x*y_dot - y*x_dot)*(1 + z) + x*y_dot*z_dot/4"
                      " - (x^2 + y^2)/2 - z^4/4 - x*y*z/2",
        "constraints": ["z_dot - y*x_dot + x*z*y_dot/2"]},
}

MASS_4 = """((1.5 + b^2/4)*a_dot^2 + (1.8 + sin(c)/2)*b_dot^2 + 2*c_dot^2 + (1.4 + cos(a)/3)*d_dot^2 \
+ sin(d)*a_dot*b_dot/2 + 0.4*b_dot*c_dot)/2"""
MASS_3 = "(2*x_dot^2 + 1.5*y_dot^2 + 1.2*z_dot^2 + 0.6*x_dot*y_dot - 0.8*y_dot*z_dot)/2"
DRIVEN = """(y + x*z/4)*x_dot + (1 + x^2/4 + sin(t)/4)*y_dot + (sin(x) - z/2)*z_dot + x/4 \
- cos(2*t)/8"""
PUSHED = ["-0.1*x_dot + 0.2*sin(t)", "0.1*x*z_dot*cos(t)", "-0.05*z_dot^3 + 0.1*x*y_dot"]

PROBLEMS.update({
    # a constraint on positions beside one on velocities, coupled mass
    "holonomic": dict(problem(
        ["a", "b", "c", "d"], "(a^2 + 1.2*b^2 + 0.8*c^2 + 1.5*d^2)/2 + a^2*d^2/6 + b*c*d/5 + cos(a - c)/4",
        ["(1 + d^2/3)*a_dot + cos(d)*b_dot + (b - a/2)*c_dot + sin(a)*d_dot"], kinetic=MASS_4),
        holonomic=["a^2 + b^2 + (1 + sin(d)/5)*c^2 + d^2 - 1.5"]),
    # one on positions that moves, constant mass
    "moving-surface": dict(problem(
        ["x", "y", "z"], "(x^2 + 1.3*y^2 + 0.7*z^2)/2 + x^2*y^2/4 + z^4/8", [], kinetic=MASS_3),
        holonomic=["x^2 + y^2 + z^2 - 1.5 - sin(t)/4"]),
    # mass, gyroscopic term, potential, force and affine constraint depend on time
    "forced-time": {
        "coordinates": ["x", "y", "z"], "parameters": {}, "constraints": [DRIVEN], "force": PUSHED,
        "expression": """((2 + y^2/2 + sin(t)/3)*x_dot^2 + (2 + sin(z))*y_dot^2 + (1.5 + cos(x)/2)*z_dot^2 \
+ sin(x + z)*x_dot*y_dot/2)/2 + 0.3*(x*y_dot - y*x_dot)*z*cos(t) - (x^2 + 0.8*y^2 + 1.4*z^2)/2 \
- x*y*z*(1 + t^2)/5 - (x^4 + y^4 + z^4)/12"""},
    # the same with constant mass
    "forced-time-constant-mass": dict(problem(
        ["x", "y", "z"], "(x^2 + 1.3*y^2 + 0.7*z^2)/2 + x^2*y^2*cos(t)/4 + z^4/8 + sin(x + y*z + t)/5",
        [DRIVEN], kinetic=MASS_3), force=PUSHED),
})

STARTS = {
    "holonomic": ([1, 0.5, 0.5, 0], [0.5, -0.5, -0.5, 0]),
    "moving-surface": ([1, 0.5, 0.5], [0.25, 0.5, -0.75]),
    "forced-time": ([0.5, 0.5, 0], [1.0625, -0.5, 0]),
    "contact-oscillator": ([1, 1, 0.25], [-0.125, 0.5, 1.5]),
    "oscillating": ([1, 1, 0], [0, 0, 1.8973666]),
    "rotating": ([1, 1, 0], [0, 0, 2.82842712]),
    "moving": ([1, 0.5, 0], [0, 0.75, 0.5]),
    "particle-harmonic": ([0.5, 1, 0.5], [-0.25, 0.5, 1]),
    "knife-edge": ([0, 0, 1.5707963267948966], [0, 0, 1]),
    "rolling-disk": ([1, 0.5, 0, 0], [0.5, 0, 1, 0.75]),
    "mobile-robot": ([0.25, 0.5, 0, 0], [-1, 0, 1, 0.5]),
    "particle-free": ([1, 1, -1], [1, -1, 1]),
    "heisenberg": ([0.5, -0.25, 0.125], [1, 0.5, -0.5]),
    "chaotic-2": ([1, 0, 1, -1, -1], [0.05, 0.5, -0.5, -0.1, -0.05]),
    "chaotic-3": ([0.75, 0.5, 0.25, -0.5, 1, 1, 1], [-0.125, 0.5, 0.25, 0.5, 0.5, -0.25, 0.125]),
    "witness-constant-mass": ([0.5, 0.25, -0.5, 0.5], [-0.25, 0.5, 0.5, 0.3125]),
    "chaplygin-sleigh": ([-5, 0, 0], [-0.5, 0, 0.25]),
    "suslov-angles": ([0, 0, 0], [0, 0.5, 0.75]),
    "snakeboard": ([0, 0, 0, 0, 0], [0.5, 0, 0, 0.75, 1]),
    "affine-particle": ([1, 0.5, 0.25], [0.5, 0.75, 0.8125]),
    "isokinetic-particle": ([0.5, 0.25, 1], [1, 0.5, -0.5]),
    "general-lagrangian": ([0.5, 1, 0.25], [0.5, -0.5, 0.53125]),
}
