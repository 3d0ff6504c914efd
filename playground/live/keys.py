"""Names of everything a run keeps in Redis."""

from __future__ import annotations


def frames_key(run_id: str) -> str:
    """Stream of encoded frames; the entry of frame `seq` has the id `seq + 1`-0, so no frame enters twice."""
    return f"run:{run_id}:frames"


def progress_key(run_id: str) -> str:
    return f"run:{run_id}:progress"


def lease_key(run_id: str) -> str:
    return f"run:{run_id}:lease"


def cancel_key(run_id: str) -> str:
    return f"run:{run_id}:cancel"


def pause_key(run_id: str) -> str:
    return f"run:{run_id}:pause"


def notices_group(run_id: str) -> str:
    """Channel-layer group of everyone who watches a run (only letters, digits, hyphens, underscores and dots)."""
    return f"run.{run_id}"


#: Hash of what all workers have simulated: `tasks`, `seconds`, and `tasks_per_s` of the last run that ended.
SIMULATED_KEY = "simulated"

WORKER_PREFIX = "worker:alive:"


def worker_key(name: str) -> str:
    return WORKER_PREFIX + name
