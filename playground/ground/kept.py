"""What a worker process keeps between simulations: built workloads, and instants of runs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from django.conf import settings

import scheduler_core

if TYPE_CHECKING:
    from scheduler_core import KeptBuilds, KeptMoments


@functools.cache
def kept_builds() -> KeptBuilds:
    """Return the built workloads that this process keeps from preview to preview, and from run to run of a study."""
    return scheduler_core.KeptBuilds(settings.KEEP_BUILDS_BYTES)


@functools.cache
def kept_moments() -> KeptMoments:
    """Return the instants of runs that this process keeps from question to question."""
    return scheduler_core.KeptMoments(2 * settings.KEEP_BUILDS_BYTES)
