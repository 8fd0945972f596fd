"""Arguments of analyses as types, from the pages of the library: cmake --build build/release --target pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

# begin keys


class RunKeys(TypedDict, total=False):
    """The table [run] of a study."""

    tolerance: float | str | None
    until: float | str | None
    steps: int | None
    record_every: int | None
    every: float | str | None
    tolerance_until: float | str | None
    compensated: bool | None
    wrap_angles: bool | None
    native: str | None
    strict: bool | None
    no_events: bool | None


class SensitivityKeys(TypedDict, total=False):
    """The table [sensitivity] of a study."""

    by: str | Iterable[str] | None
    of: str | Iterable[str] | None
    mode: str | None
    records: bool | None


class LyapunovKeys(TypedDict, total=False):
    """The table [lyapunov] of a study."""

    exponents: int | str | None
    settle: float | None
    blocks: int | None


class VolumeKeys(TypedDict, total=False):
    """The table [volume] of a study."""

    samples: int | None


class CompareKeys(TypedDict, total=False):
    """The table [compare] of a study."""

    levels: int | None
    error: float | None
    horizon: float | str | None
    longest: float | None
    all: bool | None
    own_steps: bool | None
    against: str | None


class OrderKeys(TypedDict, total=False):
    """The table [order] of a study."""

    until: float | str | None
    runs: int | None
    precision: str | None
    multiplier: str | None


class ModifiedKeys(TypedDict, total=False):
    """The table [modified] of a study."""

    points: int | None
    terms: int | None
    half_width: int | None
    window: float | None


class LineariseKeys(TypedDict, total=False):
    """The table [linearise] of a study."""

    at: str | None
    keep: str | Iterable[str] | None


class ControlKeys(TypedDict, total=False):
    """The table [control] of a study."""

    cost: str | None
    end_cost: str | None
    conditions: str | Iterable[str] | None
    trials: int | None
    scale: float | None
    iterations: int | None
    seed: int | None


# end
