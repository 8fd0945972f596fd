"""The lists of cases, one per output file."""

ONE_STEP = [{"name": "dla", "alpha": a} for a in (0.0, 0.3, 0.4, 0.5, 1.0)] + [
    {"name": "dla01"}, {"name": "leapfrog"}] + [
    {"name": "discrete-derivative", "gradient": g}
    for g in ("gonzalez", "mean-value", "coordinate-increment")] + [{"name": "runge-kutta-4"}]

# problem, parameters, start, step
ONE_STEP_SETUPS = [
    ("contact-oscillator", {}, "contact-oscillator", 0.1),
    ("pendulum-cvt", {"epsilon": 0.0}, "oscillating", 0.1),
    ("pendulum-cvt", {"epsilon": 0.0}, "rotating", 0.1),
    ("pendulum-cvt", {"epsilon": 0.5}, "oscillating", 0.1),
    ("pendulum-cvt", {"epsilon": 0.5}, "rotating", 0.1),
    ("pendulum-cvt-inverted", {"epsilon": 0.4}, "moving", 0.1),
    ("particle-harmonic", {"k1": 0.25, "k2": 1.0, "k3": 0.7}, "particle-harmonic", 0.1),
    ("knife-edge", {"epsilon": 0.0}, "knife-edge", 0.3141592653589793),
    ("knife-edge", {"f2": 0.5, "epsilon": 0.1}, "knife-edge", 0.3141592653589793),
    ("rolling-disk", {"m": 2.0, "J_theta": 0.75, "J_phi": 1.25, "r": 0.5, "k": 0.6},
     "rolling-disk", 0.1),
    ("mobile-robot", {}, "mobile-robot", 0.1),
    ("particle-free", {}, "particle-free", 0.05),
    ("chaotic-2", {}, "chaotic-2", 0.1),
    ("chaotic-3", {}, "chaotic-3", 0.1),
    ("witness-constant-mass", {}, "witness-constant-mass", 0.05),
]


def case(problem, parameters, start, step, method):
    return {"problem": problem, "parameters": parameters, "start": start, "step": step,
            "steps": 100, "method": method}


def one_step():
    return [case(*setup, method) for setup in ONE_STEP_SETUPS for method in ONE_STEP]


FILES = {"one_step.json": one_step}
