"""Say what a seed changes in an experiment, so that an interval over seeds can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DRAWS = "the scheduler's own random choices"


def seeds_change(experiment: Mapping[str, Any]) -> str:
    """Return a sentence that says what differs between runs of an experiment's JSON under different seeds."""
    workload = experiment["workload"]
    draws = [_DRAWS]
    if workload.get("queue_assignment") == "by_share":
        draws.append("which queue a job goes to")
    if experiment.get("constraints"):
        draws.append("which machines and tasks have which constraints")
    if workload["kind"] in ("synthetic", "dag"):
        return f"Each seed draws other jobs from the same distributions. It also decides {_and(draws)}."
    if workload.get("resampling"):
        drawn = "Each seed draws other blocks of the trace's jobs (circular block bootstrap)."
        return f"{drawn} It also decides {_and(draws)}."
    whose = "the trace" if workload["kind"] == "trace" else "the experiment"
    resample = " Resample the trace to vary the jobs, too." if workload["kind"] == "trace" else ""
    return f"The jobs are those of {whose} under every seed. A seed only decides {_and(draws)}.{resample}"


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
