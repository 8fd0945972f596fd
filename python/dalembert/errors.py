"""What dalembert refuses, each as one sentence for people."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Result


class Error(Exception):
    """Whatever dalembert refuses."""


class RequestError(Error, ValueError):
    """The request was wrong: a name, a value, a size, a pair that does not fit."""


class UnknownName(RequestError, KeyError):
    """There is nothing of that name; the sentence says what there is."""

    __str__ = Exception.__str__


class OutputError(Error, OSError):
    """A file could not be read or written, or a module that is needed for it is missing."""


class StepError(Error, ArithmeticError):
    """The numbers refused a step, and ``strict=True`` asked for an exception.

    ``result`` holds everything up to there.
    """

    result: Result | None = None


class Caution(UserWarning):
    """What has to be known beside the numbers of a run before they are believed."""


def caution(sentence: str) -> None:
    """Warns, with the line outside of this package that asked for the run."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, Caution, stacklevel=level)
