"""Errands: what workers of previews also do for somebody who waits, such as explaining a task or reading a trace.

They take up to a minute, previews a fraction of a second. So one errand at a time is under way, and the other process
of those workers stays free for previews.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from playground.storage import leases
from playground.storage.keys import ERRAND
from playground.storage.leases import Lease

_AGAIN_S = 0.2


def do_errand(task: Any, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Do it if no other errand is under way; else have the task come again in a moment (it raises Retry).

    The task's own `max_retries` has to be None.
    """
    token = secrets.token_hex(16)
    if not leases.take_lease(ERRAND, token):
        raise task.retry(countdown=_AGAIN_S)
    with Lease(ERRAND, token):
        return work()
