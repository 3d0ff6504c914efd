"""What a worker process keeps from one simulation to the next: built workloads, instants of runs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import scheduler_core

if TYPE_CHECKING:
    from scheduler_core import KeptBuilds, KeptMoments


@functools.cache
def kept_builds() -> KeptBuilds:
    """Return what this process keeps from preview to preview."""
    return scheduler_core.KeptBuilds()


@functools.cache
def kept_moments() -> KeptMoments:
    """Return the instants of runs that this process keeps from question to question."""
    return scheduler_core.KeptMoments()
