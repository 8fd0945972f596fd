"""Problems, starts and cases of the splittings."""

from library import COUPLED, problem

MASS = "((2 + y^2/2)*x_dot^2 + (2 + sin(z))*y_dot^2 + (1.5 + cos(x)/2)*z_dot^2" \
    " + sin(x + z)*x_dot*y_dot/2 + cos(x*y)*y_dot*z_dot/2 + sin(y)*x_dot*z_dot/3)/2"
ROWS = ["x1_dot + sin(w)*x3_dot + w*x4_dot/2", "x2_dot + cos(w)*x3_dot - w^2*x4_dot/4"]
ROWS_MASS = "(x1_dot^2 + 1.5*x2_dot^2 + x3_dot^2 + 2*x4_dot^2 + 0.5*x1_dot*x2_dot + w_dot^2)/2"

PROBLEMS = {
    # a quartic potential of the passengers, coupled mass
    "coupled": problem(
        COUPLED, "(x1^2 + 2*x2^2)/2 + x1^2*x2^2/4 + sin(x1 - x2)/3 + 1 - cos(xi) + sin(2*xi)/10",
        ["cos(xi)*x1_dot + (1 + sin(xi)^2)*x2_dot"],
        "(1.25*x1_dot^2 + 0.75*x2_dot^2 + 0.5*x1_dot*x2_dot + 1.5*xi_dot^2)/2",
        frame=[["1 + sin(xi)^2", "-cos(xi)", "0"], ["0", "0", "1"]]),
    # two drivers, three passengers, of which z is known to be tied; V does not split
    "two-drivers": problem(
        ["x", "y", "z", "u", "w"], "(x^2 + 1.5*y^2 + z^2)/2 + x*y^2/4 + (u^2 + w^2)/2 + u*w*z/4",
        ["sin(u)*x_dot + (w + u/2)*y_dot + (1 + u^2/4)*z_dot"],
        "(x_dot^2 + 1.5*y_dot^2 + 2*z_dot^2 + 0.5*x_dot*y_dot + u_dot^2 + 1.25*w_dot^2)/2"),
    # none of the coefficients is known not to vanish: all passengers move at once
    "no-free-passenger": problem(
        ["x", "y", "z", "u", "w"], "(x^2 + 1.5*y^2 + z^2)/2 + x*y^2/4 + (u^2 + w^2)/2 + u^4*w/8",
        ["cos(u)*x_dot + (w + u/2)*y_dot + sin(u)*z_dot"],
        "(x_dot^2 + 1.5*y_dot^2 + 2*z_dot^2 + 0.5*x_dot*y_dot + u_dot^2 + 1.25*w_dot^2)/2"),
    # four passengers, two constraints: what turns is a plane
    "two-rows": problem(
        ["x1", "x2", "x3", "x4", "w"], "(x1^2 + x2^2 + 2*x3^2 + x4^2)/2 + 1 - cos(w)",
        ROWS, ROWS_MASS),
    # the same with a potential in which all passengers oscillate at one frequency
    "two-rows-in-tune": problem(
        ["x1", "x2", "x3", "x4", "w"],
        "(x1^2 + 1.5*x2^2 + x3^2 + 2*x4^2 + 0.5*x1*x2) + 1 - cos(w)", ROWS, ROWS_MASS),
    "heisenberg-quartic": problem(
        ["x", "y", "z"], "(x^2 + 2*y^2 + 0.5*z^2)/2 + z^4/8", ["z_dot - y*x_dot + x*y_dot"],
        frame=[["1", "0", "y"], ["0", "1", "-x"]]),
    "sleigh-spring": problem(
        ["x1", "x2", "theta"], "k*(x1^2 + x2^2)/2", ["-sin(theta)*x1_dot + cos(theta)*x2_dot"],
        "(m*(x1_dot^2 + x2_dot^2) + (J + m*a^2)*theta_dot^2)/2"
        " + m*a*theta_dot*(cos(theta)*x2_dot - sin(theta)*x1_dot)",
        {"m": 1.25, "a": 0.5, "J": 0.75, "k": 0.5},
        [["0", "0", "1"], ["cos(theta)", "sin(theta)", "0"]]),
    "witness-coupled-mass": problem(
        ["x", "y", "z"],
        "(x^2 + 0.8*y^2 + 1.4*z^2)/2 + x*y*z/5 + (x^4 + y^4 + z^4)/12 + cos(x - 2*y)/4",
        ["(y + 0.2*x*z)*x_dot + (1 + x^2/3 + z^2/4)*y_dot + (sin(x) - 0.5*z)*z_dot"], MASS,
        frame=[["1", "-(y + 0.2*x*z)/(1 + x^2/3 + z^2/4)", "0"],
               ["0", "-(sin(x) - 0.5*z)/(1 + x^2/3 + z^2/4)", "1"]]),
}

STARTS = {
    "coupled": ([1, 0.5, 0], [0.5, -0.5, 1.5]),
    "two-drivers": ([0.5, 0.25, -0.5, 0, 0.75], [0.5, 0.5, -0.375, 0.75, -0.5]),
    "no-free-passenger": ([0.5, 0.25, -0.5, 0, 0.75], [-0.375, 0.5, 0.5, 0.75, -0.5]),
    "two-rows": ([1, 0.5, -0.25, 0.5, 0], [0, -0.5, 0.5, 0.75, 1]),
    "heisenberg-quartic": ([1, 0.5, -0.25], [0.25, -0.75, 0.875]),
    "sleigh-spring": ([1, 0.5, 0], [0.75, 0, 1.25]),
    "witness-coupled-mass": ([0, 0.5, 1], [0.5, 0, 0.5]),
}

DISK = {"m": 2.0, "J_theta": 0.75, "J_phi": 1.25, "r": 0.5, "k": 0.6}
CVT = ("pendulum-cvt", {"epsilon": 0.5}, "moving", 0.1)
KNIFE = ("knife-edge", {"f2": 0.5, "epsilon": 0.1}, "knife-edge", 0.1)
ROLLING = ("rolling-disk", DISK, "rolling-disk", 0.1)
CHAOTIC = ("chaotic-2", {}, "chaotic-2", 0.1)


def of(problem, step):
    return (problem, {}, problem, step)


# problem, parameters, start, step, options
DRIVER = [
    (*CVT, {}),
    (*CVT[:2], "rotating", 0.125, {"driver": "energy"}),
    (*of("contact-oscillator", 0.1), {"passenger": "exact"}),
    (*CHAOTIC, {}),
    (*of("chaotic-3", 0.05), {"driver": "energy"}),
    (*of("coupled", 0.1), {"driver": "leapfrog"}),
    (*of("mobile-robot", 0.1), {}),
    (*KNIFE, {"driver": "energy"}),
    (*of("two-drivers", 0.05), {}),
    (*of("no-free-passenger", 0.05), {}),
    (*of("no-free-passenger", 0.05), {"driver": "energy"}),
    ("two-rows-in-tune", {}, "two-rows", 0.1, {"passenger": "exact"}),
    (*of("two-rows", 0.1), {}),
    (*ROLLING, {}),
]
GIVEN, QR = {"frame": "given"}, {"frame": "qr"}
FRAME = [
    (*CVT, GIVEN),
    (*of("chaplygin-sleigh", 0.25), GIVEN),
    (*of("sleigh-spring", 0.1), QR),
    (*KNIFE, QR),
    (*ROLLING, GIVEN),
    (*ROLLING, QR),
    (*of("heisenberg-quartic", 0.1), GIVEN),
    (*of("suslov-angles", 0.05), GIVEN),
    (*of("witness-coupled-mass", 0.1), GIVEN),
    (*of("witness-constant-mass", 0.05), QR),
    (*CHAOTIC, GIVEN),
]


def splittings():
    """100 steps; 40 where a step takes long."""
    out = []
    long = ("suslov-angles", "witness-coupled-mass", "witness-constant-mass")
    for name, setups in (("driver-splitting", DRIVER), ("frame-splitting", FRAME)):
        for problem_name, parameters, start, step, options in setups:
            slow = problem_name in long or (problem_name, name) == ("chaotic-2", "frame-splitting")
            out.append({"problem": problem_name, "parameters": parameters, "start": start,
                        "step": step, "steps": 40 if slow else 100,
                        "method": dict(name=name, **options)})
    return out
