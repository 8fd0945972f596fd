"""Simulation of mechanical systems with nonholonomic constraints.

    import dalembert as dal
    sol = dal.run("pendulum-cvt", ["dla", "leapfrog"], step=0.1, until=1000, start="rotating")
    sol["leapfrog"].energy_error

Names are those of the command line and of problem and study files; arrays are (records, n), time
first. ``load`` looks at a problem, ``run`` runs methods on it, ``ensemble`` from many starts, and
``open`` reads result files.
"""

from ._core import version as __version__
from .animations import Animation
from .audits import AuditReport, Breach, audit
from .comparisons import Comparison, compare
from .controls import OptimalControl, control, control_study
from .ensembles import (QUANTILE_LEVELS, End, Ensemble, EnsembleResult, Failure, Growth, Statistics, ensemble,
                        ensemble_part, ensemble_study, merge, open_ensemble)
from .errors import Caution, Error, OutputError, RequestError, StepError, UnknownName
from .events import Event, Events, Occurrences
from .expressions import Expression, atan2, gradient, maximum, minimum, pi, solve_linear, where
from .linearisations import Linearisation, LinearisedMotions, StabilityChange, linearise, linearise_along
from .methods import (Before, Method, Needs, Piece, Step, System, Unknowns, adjoint, compose, library_method, method,
                      splitting)
from .motion import State, States
from .orbits import PeriodicOrbit, periodic_orbit
from .orders import ModifiedField, Orders, modified, order
from .problems import Equations, MethodPage, Parameter, Problem, Start, load, methods, problems, studies
from .results import Result, Solution
from .running import open_result, run, run_study
from .sensitivities import Exponent, LyapunovSpectrum, Sensitivity, VolumeHistory, lyapunov, sensitivity, volume
from .stepping import Block, Point, Stepper, StepReport
from .sweeps import sweep
from .symbolic import EquationsOfMotion, SympySystem, from_sympy, to_sympy
from .systems import Mechanics, Parameters, Quantities, system

open = open_result

__all__ = [
    "Animation", "AuditReport", "Before", "Block", "Breach", "Caution", "Comparison", "End", "Ensemble", "EnsembleResult", "Equations",
    "EquationsOfMotion", "Error", "Event", "Events", "Exponent", "Expression", "Failure", "Growth", "Linearisation", "LinearisedMotions", "LyapunovSpectrum", "Mechanics", "Method", "MethodPage", "ModifiedField", "Needs",
    "Occurrences", "OptimalControl", "Orders", "OutputError", "Parameter", "Parameters", "PeriodicOrbit", "Piece", "Point", "Problem", "QUANTILE_LEVELS", "Quantities",
    "RequestError", "Result", "Sensitivity", "Solution", "StabilityChange", "Start", "State", "States", "Statistics", "Step", "StepError",
    "StepReport", "Stepper", "SympySystem", "System", "UnknownName", "Unknowns", "VolumeHistory", "__version__", "adjoint", "atan2",
    "audit", "compare", "compose", "control", "control_study", "ensemble", "ensemble_part", "ensemble_study", "from_sympy", "gradient", "library_method",
    "linearise", "linearise_along", "load", "lyapunov", "maximum", "merge", "method", "methods", "minimum", "modified", "open", "open_ensemble", "order", "periodic_orbit", "pi", "problems", "run",
    "run_study", "sensitivity", "solve_linear",
    "splitting", "studies", "sweep", "system", "to_sympy", "volume", "where",
]
