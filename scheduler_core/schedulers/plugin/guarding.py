"""Run a plugin so that its errors come back as problems: the user's file and line, what is wrong, task and machine."""

from __future__ import annotations

import os
from typing import Any

from scheduler_core.errors import Cancelled, ExperimentError
from scheduler_core.schedulers.plugin.reading import Source
from scheduler_core.schedulers.plugin.telling import problem_of

CHECKED = "SCHEDULER_CORE_CHECKED"
"""The environment variable that turns on bounds checks."""


def is_checked() -> bool:
    """Return True if plugins run with bounds checks."""
    return os.environ.get(CHECKED, "") == "1"


class Guarded:
    """A plugin's protocol (world.protocol.Protocol) whose every error names the plugin's file and line."""

    def __init__(self, protocol: Any, source: Source) -> None:
        self._protocol, self._source, self._checked = protocol, source, is_checked() and source.is_loop

    def __getattr__(self, name: str) -> Any:
        """Return a member of the protocol; a method's errors come back as problems."""
        if name.startswith("_"):
            raise AttributeError(name)
        member = getattr(self._protocol, name)
        if not callable(member) or isinstance(member, type):
            return member

        def guarded(*args: Any, **named: Any) -> Any:
            try:
                return member(*(self._watched(each) for each in args), **named)
            except (ExperimentError, Cancelled, MemoryError, NotImplementedError):
                raise
            except Exception as error:
                raise ExperimentError([problem_of(error, self._source, args)]) from error

        return guarded

    def _watched(self, value: Any) -> Any:
        if not self._checked:
            return value
        from scheduler_core.schedulers.plugin.checking import watched

        return watched(value)
