"""Expressions: what the equations of systems and methods are written in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Expression as Expression

Scalar = Union[Expression, float]
"""An expression, or a number; fractions.Fraction keeps its digits beyond those of a double."""

Vector = Union[Sequence[Any], npt.NDArray[Any]]
"""A list or an array of expressions and numbers."""

_where = np.frompyfunc(_core.where, 3, 1)
_maximum = np.frompyfunc(_core.maximum, 2, 1)
_minimum = np.frompyfunc(_core.minimum, 2, 1)
_atan2 = np.frompyfunc(_core.atan2, 2, 1)

pi = _core.pi()
"""pi to 106 bits."""


def where(number: Any, a: Any, b: Any) -> Any:
    """a where number >= 0, else b, entry by entry. Nothing of what is not chosen enters, even if it is infinite there."""
    return _where(number, a, b)


def maximum(a: Any, b: Any) -> Any:
    """The greater one, entry by entry; a where they are equal."""
    return _maximum(a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller one, entry by entry; a where they are equal."""
    return _minimum(a, b)


def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y), entry by entry."""
    return _atan2(y, x)


def gradient(function: Scalar, variables: Vector) -> npt.NDArray[Any]:
    """The derivatives of an expression by symbols, [len(variables)]."""
    return _core.gradient(function, variables)


def solve_linear(matrix: Any, right_side: Vector) -> npt.NDArray[Any]:
    """The solution x of ``matrix @ x = right_side`` as expressions, by elimination on pivots that are never zero where such are known."""
    return _core.solve_linear(matrix, right_side)
