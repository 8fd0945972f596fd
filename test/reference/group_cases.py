"""Problems on Lie groups, their starts, and the cases of the methods on groups. The last velocities of
a start are the doubles nearest to those that the constraints ask for."""


def space(row, factors=("", "", "")):
    """Component `row`, along the axes of space, of the body vector factors * R_dot."""
    return "(" + " + ".join("R[%d,%d]*%sR_dot[%d]" % (row, j + 1, f, j + 1)
                            for j, f in enumerate(factors)) + ")"


def entry(coordinates, parameters, kinetic, potential, constraints):
    return {"coordinates": coordinates, "parameters": parameters, "kinetic": kinetic,
            "potential": potential, "constraints": constraints}


SPINNING = "I1*R_dot[1]^2 + I2*R_dot[2]^2 + I3*R_dot[3]^2"
BODY = ["R in SO(3)"]
BALL = ["R in SO(3)", "x", "y"]
UNEQUAL = {"I1": 0.3, "I2": 0.4, "I3": 0.55}

PROBLEMS = {
    "ball-on-turntable": entry(
        BALL, dict({"m": 1.0, "r": 1.0, "Omega": 1.0}, **UNEQUAL),
        "(m*(x_dot^2 + y_dot^2) + " + SPINNING + ")/2", "0",
        ["x_dot - r*" + space(2) + " + Omega*y", "y_dot + r*" + space(1) + " - Omega*x"]),
    "chaplygin-ball": entry(
        BALL, dict({"m": 1.0, "r": 1.0}, **UNEQUAL),
        "(m*(x_dot^2 + y_dot^2) + " + SPINNING + ")/2", "0",
        ["x_dot - r*" + space(2), "y_dot + r*" + space(1)]),
    "unicycle-spring": entry(
        ["B in SE(2)", "phi"], {"m": 1.0, "J": 0.75, "I": 0.5, "R": 0.5, "k": 1.25},
        "(m*(B_dot[2]^2 + B_dot[3]^2) + J*B_dot[1]^2 + I*phi_dot^2)/2", "k*(B_x^2 + B_y^2)/2",
        ["B_dot[2] - R*phi_dot", "B_dot[3]"]),
    "chaplygin-sleigh-se2": entry(
        ["B in SE(2)"], {"m": 1.25, "J": 0.75, "a": 0.625},
        "(m*(B_dot[2]^2 + (B_dot[3] + a*B_dot[1])^2) + J*B_dot[1]^2)/2", "0", ["B_dot[3]"]),
    "snakeboard-se2": entry(
        ["B in SE(2)", "psi", "phi_1", "phi_2"],
        {"m": 1.0, "J": 0.5, "J_0": 0.375, "J_1": 0.125, "r": 1.0},
        "(m*(B_dot[2]^2 + B_dot[3]^2) + J*B_dot[1]^2 + J_0*(B_dot[1] + psi_dot)^2"
        " + J_1*((B_dot[1] + phi_1_dot)^2 + (B_dot[1] + phi_2_dot)^2))/2", "0",
        ["-sin(phi_1)*B_dot[2] + cos(phi_1)*(B_dot[3] + r*B_dot[1])",
         "-sin(phi_2)*B_dot[2] + cos(phi_2)*(B_dot[3] - r*B_dot[1])"]),
    "heavy-top": entry(BODY, {"I1": 0.7, "I2": 0.9, "I3": 0.5, "mgl": 0.75},
                       "(" + SPINNING + ")/2", "mgl*R[3,3]", []),
    "suslov-so3": entry(
        BODY, {"I11": 1.0, "I22": 2.0, "I33": 1.5, "I13": 0.4, "I23": 0.6, "c": 0.5},
        "(I11*R_dot[1]^2 + I22*R_dot[2]^2 + I33*R_dot[3]^2)/2"
        " + (I13*R_dot[1] + I23*R_dot[2])*R_dot[3]", "c*R[3,3]", ["R_dot[3]"]),
    "veselova": entry(BODY, {"I1": 1.0, "I2": 2.0, "I3": 2.5}, "(" + SPINNING + ")/2", "0",
                      [space(3)]),
    # unequal springs; the third velocity is the Heisenberg system's constraint
    "heisenberg-h3": entry(
        ["P in H(3)"], {}, "(P_dot[1]^2 + P_dot[2]^2 + P_dot[3]^2)/2",
        "(P_x^2 + 2*P_y^2 + 0.5*P_z^2)/2 + P_x*P_z^2/8", ["P_dot[3]"]),
    # made up: a mass and an affine constraint that depend on the configuration
    "witness-so3": entry(
        ["R in SO(3)", "s"], {},
        "(R_dot[1]^2 + 1.5*R_dot[2]^2 + (1.25 + s^2/4)*R_dot[3]^2 + (1 + R[3,3]^2/2)*s_dot^2)/2"
        " + R[3,1]*R_dot[1]*s_dot/4 + sin(s)*R_dot[2]*R_dot[3]/8",
        "s^2/2 + R[3,3]/2 + s*R[1,2]/4",
        ["s_dot + (1 + s^2/2)*R_dot[3] + R[3,2]*R_dot[1]/2 - R[1,3]/4"]),
}

STARTS = {
    "tumbling": ([0.9528748528860296, 0.14763625576652625, -0.09842417051101751,
         0.24606042627754376, 0.625, -0.25],
        [0.5, -0.25, 0.75, 0.01375916190824698, 0.15692288192221296]),
    "rolling": ([0.914982736566581, -0.19429939054862347, 0.3400239334600911,
         0.09714969527431173, 0, 0],
        [0.75, 0.5, -0.5, 0.2762316504347095, -0.11522185244004936]),
    "driving": ([0.25, 1, -0.5, 0.125],
        [0.75, 0.75, 0, 1.5]),
    "sleigh": ([0.5, 0, 0.25],
        [1.5, 0.75, 0]),
    "board": ([0.25, 0, 0, 0, 0.4, -0.4],
        [0.3805138968643456, 0.9, 0, 1, 0.3, 0.2]),
    "top": ([0.9528748528860296, 0.24606042627754376, -0.14763625576652625, 0.09842417051101751],
        [0.5, -0.625, 2]),
    "suslov": ([0.9528748528860296, 0.24606042627754376, -0.14763625576652625, 0.09842417051101751],
        [1, 0.25, 0]),
    "veselova": ([0.9528748528860296, 0.14763625576652625, -0.09842417051101751,
         0.24606042627754376],
        [0.75, -0.5, -0.08399864322938033]),
    "point": ([0.75, 0.5, -0.25],
        [0.5, -0.75, 0]),
    "witness": ([0.9247140980050291, 0.19495528664378256, 0.2924329299656738,
         -0.1462164649828369, 0.5],
        [0.75, -0.5, 0.25, -0.263433954473269]),
}


def method(name, **options):
    return dict(name=name, **options)


# problem, start, step
SETUPS = [("ball-on-turntable", "tumbling", 0.1), ("chaplygin-ball", "rolling", 0.125),
          ("unicycle-spring", "driving", 0.1), ("chaplygin-sleigh-se2", "sleigh", 0.1),
          ("snakeboard-se2", "board", 0.05), ("heavy-top", "top", 0.1),
          ("suslov-so3", "suslov", 0.1), ("veselova", "veselova", 0.1),
          ("heisenberg-h3", "point", 0.1), ("witness-so3", "witness", 0.05)]
CAYLEY, EXPONENTIAL = {"retraction": "cayley"}, {"retraction": "exponential"}
LOBATTO = [dict(CAYLEY, stages=2), dict(EXPONENTIAL, stages=3), dict(EXPONENTIAL, stages=3),
           dict(CAYLEY, stages=4), dict(CAYLEY, stages=3), dict(EXPONENTIAL, stages=4),
           dict(CAYLEY, stages=3), dict(EXPONENTIAL, stages=2), dict(CAYLEY, stages=3),
           dict(CAYLEY, stages=3)]
PROJECTED = {"projection": "velocity"}
MIDPOINT = [dict(CAYLEY, **PROJECTED), EXPONENTIAL, CAYLEY, EXPONENTIAL,
            dict(EXPONENTIAL, **PROJECTED), CAYLEY, EXPONENTIAL, dict(CAYLEY, **PROJECTED), CAYLEY,
            EXPONENTIAL]
NEWMARK = [dict(CAYLEY, alpha=0.3), dict(EXPONENTIAL, alpha=0.5), dict(CAYLEY, alpha=0.5),
           dict(EXPONENTIAL, alpha=0.5), dict(CAYLEY, alpha=0.7), dict(EXPONENTIAL, alpha=0.5),
           dict(CAYLEY, alpha=0.0), dict(EXPONENTIAL, alpha=0.5), dict(CAYLEY, alpha=0.5),
           dict(EXPONENTIAL, alpha=0.4)]


def groups():
    """100 steps, but of the sleigh, whose carried multiplier is unstable where it slows its turn."""
    out = []
    for name, all_options in (("lie-lobatto", LOBATTO), ("lie-midpoint", MIDPOINT),
                              ("lie-newmark", NEWMARK)):
        for (problem, start, step), options in zip(SETUPS, all_options):
            steps = 40 if (problem, name) == ("chaplygin-sleigh-se2", "lie-lobatto") else 100
            out.append({"problem": problem, "parameters": {}, "start": start, "step": step,
                        "steps": steps, "method": method(name, **options)})
    return out
