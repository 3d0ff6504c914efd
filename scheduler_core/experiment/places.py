"""Paths into an experiment's JSON, such as `topology.clusters[0].machines[0].count`, as errors name them."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from scheduler_core.experiment.fields import refuse

_STEP = re.compile(r"(?:^|\.)([A-Za-z_][A-Za-z0-9_-]*)|\[(\d{1,6})\]")
ALLOWED = "a path such as 'scheduler.params.heartbeat_s' or 'topology.clusters[0].machines[0].count'"
PARAMS = "scheduler.params."
#: A workload's arrivals follow from one of these: a value for one takes the place of the other.
_EITHER = {
    "workload.arrivals.offered_load": "rate_per_s",
    "workload.arrivals.rate_per_s": "offered_load",
}
#: What a study varies by other means, or what changes no outcome.
_OTHERWISE = {
    "schema_version": "it is the format's own",
    "name": "it changes nothing",
    "question": "it changes nothing",
    "fork_of": "it changes nothing",
    "seed": "set `repeats` instead: seeds are what a study repeats over",
    "scheduler.name": "name schedulers in `schedulers` instead",
}


def steps_of(path: str) -> list[str | int]:
    """Take a path apart into keys and places in lists; refuses what is no path or is varied otherwise."""
    if path in _OTHERWISE:
        raise refuse("cannot be varied", ALLOWED, _OTHERWISE[path])
    return _steps(path)


def _steps(path: str) -> list[str | int]:
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None or (not steps and found[1] is None):
            raise refuse("is not a path", ALLOWED)
        steps.append(found[1] if found[1] is not None else int(found[2]))
        at = found.end()
    if not steps:
        raise refuse("is not a path", ALLOWED)
    return steps


def value_at(data: dict[str, Any], path: str) -> Any:
    """Return the value at a path of an experiment's JSON. Raises LookupError, and ValueError where it is no path."""
    here: Any = data
    walked = ""
    *way, last = _steps(path)
    for step in way:
        here, walked = _inner(here, step, walked)
    if not (isinstance(here, dict) and last in here):
        return _inner(here, last, walked)[0]
    return here[last]  # may be null, such as a parameter that is not set


def with_value(data: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Return a copy of the experiment's JSON with one value set; it adds a missing last key.

    An offered load takes the place of a rate of arrivals, and a rate that of a load. Raises LookupError with a message
    for users if the path does not exist.
    """
    changed = copy.deepcopy(data)
    _make_way(changed, path, value)
    *way, last = steps_of(path)
    here: Any = changed
    walked = ""
    for step in way:
        here, walked = _inner(here, step, walked)
    if isinstance(last, int):
        _inner(here, last, walked)
    elif not isinstance(here, dict):
        raise LookupError(f"{walked or 'the experiment'} has no keys, so there is no '{last}' in it")
    if isinstance(here.get(last) if isinstance(here, dict) else here[last], dict | list):
        raise LookupError("holds several values; name one of them")
    here[last] = value
    return changed


def with_changes(data: dict[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """Return a copy of the experiment's JSON with each path set to its value, or removed for the value `"absent"`.

    A value may be a whole section, such as `scheduler`. It adds missing keys along a path. An offered load takes the
    place of a rate of arrivals that is not among the changes, and a rate that of a load. Raises LookupError with a
    message for users if a path does not exist.
    """
    changed = copy.deepcopy(data)
    for path, value in changes.items():
        if value != "absent" and _beside(path) not in changes:
            _make_way(changed, path, value)
        *way, last = _steps(path)
        here: Any = changed
        walked = ""
        for step in way:
            if isinstance(step, str) and isinstance(here, dict):
                here.setdefault(step, {})
            here, walked = _inner(here, step, walked)
        if value == "absent":
            if isinstance(here, dict):
                here.pop(last, None)
        else:
            if isinstance(last, int):
                _inner(here, last, walked)
            here[last] = copy.deepcopy(value)
    return changed


def _beside(path: str) -> str:
    """Return the path of the value whose place this one takes; empty for none."""
    other = _EITHER.get(path)
    return f"workload.arrivals.{other}" if other else ""


def _make_way(changed: dict[str, Any], path: str, value: object) -> None:
    """Remove the rate of arrivals where a load is set, and the load where a rate is."""
    workload = changed.get("workload")
    arrivals = workload.get("arrivals") if isinstance(workload, dict) else None
    if value is not None and path in _EITHER and isinstance(arrivals, dict):
        arrivals.pop(_EITHER[path], None)


def _inner(here: Any, step: str | int, walked: str) -> tuple[Any, str]:
    place = f"{walked}[{step}]" if isinstance(step, int) else f"{walked}.{step}" if walked else step
    if isinstance(step, int):
        if not isinstance(here, list):
            raise LookupError(f"{walked} is not a list")
        if step >= len(here):
            raise LookupError(f"{walked} has {len(here)} entries, counted from 0")
        return here[step], place
    if not isinstance(here, dict) or here.get(step) is None:
        raise LookupError(f"this experiment has no {place}")
    return here[step], place
