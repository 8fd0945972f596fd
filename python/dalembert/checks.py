"""Arguments of people, each refused with one sentence that names it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .errors import RequestError


def _kind(value: object) -> str:
    return repr(value) if isinstance(value, (int, float, str)) or value is None else f"of the type {type(value).__name__}"


def text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise RequestError(f"{what} is {_kind(value)}; a text is allowed")
    return value


def flag(value: object, what: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise RequestError(f"{what} is {_kind(value)}; True or False is allowed")
    return bool(value)


def whole(value: object, what: str, least: int, largest: int = 2**62) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= largest:
        raise RequestError(f"{what} is {_kind(value)}; a whole number, at least {least}"
                           f"{'' if largest == 2**62 else f' and at most {largest}'}, is allowed")
    return int(value)


def numbers(values: object, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """An array of numbers, of any shape."""
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError):
        raise RequestError(f"{what} is {values!r:.80}; numbers are allowed") from None


def number(value: object, what: str, *, finite: bool = True) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise RequestError(f"{what} is {_kind(value)}; a number is allowed")
    try:
        made = float(value)
    except (OverflowError, TypeError):
        raise RequestError(f"{what} is {_kind(value)}; a number is allowed") from None
    if finite and not math.isfinite(made):
        raise RequestError(f"{what} is {made}; it must be a finite number")
    return made


def mapping(value: object, what: str) -> dict[str, Any]:
    """A mapping with names; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise RequestError(f"{what} is {_kind(value)}; a dict by name is allowed")
    for key in value:
        if not isinstance(key, str):
            raise RequestError(f"{what} has the key {key!r}; names are texts")
    return dict(value)


def items(value: object, what: str) -> list[Any]:
    """What can be looked through; None is empty."""
    if value is None:
        return []
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        raise RequestError(f"{what} is {_kind(value)}; a list is allowed")
    return list(value)


def words(value: object, what: str) -> list[str]:
    """Names in a text, separated by blanks, or in a list."""
    if isinstance(value, str):
        return value.split()
    return [text(one, f"an entry of {what}") for one in items(value, what)]


def word(value: object, what: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise RequestError(f"{what} is {_kind(value)}; allowed are " + ", ".join(f'"{one}"' for one in allowed))
    return str(value)


def name(value: str, what: str, *, hyphens: bool = False) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*" if hyphens else r"[A-Za-z][A-Za-z0-9_]*", value):
        raise RequestError(f'{what} "{value}" is no name; letters, digits{", -" if hyphens else ""} and _ are allowed, a letter first')
    return value


def function(value: object, what: str) -> Callable[..., Any]:
    if not callable(value):
        raise RequestError(f"{what} is {_kind(value)}; a function is allowed")
    return value
