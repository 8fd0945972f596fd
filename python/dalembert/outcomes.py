"""What computations have in common that end with a status and a text."""

from __future__ import annotations

from typing import Any


class Outcome:
    """What came of a computation. ``status``: "ok", "failed" or "interrupted", with ``message``."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self._entry = entry
        self.status: str = entry["status"]
        self.message: str = entry["message"]

    @property
    def ok(self) -> bool:
        """Whether it came to its end."""
        return self.status == "ok"

    def __repr__(self) -> str:
        return str(self._entry["text"]).rstrip()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._entry,)
