"""Jobs with the dependency `singleton`: each waits for the earlier jobs of the same user and name.

Source: Slurm's documentation, sbatch: --dependency.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from scheduler_core.errors import TraceError
from scheduler_core.inventory.found import Spec
from scheduler_core.inventory.slurm.texts import SINGLETON
from scheduler_core.limits import Limits


def name_of(job: str, element: str) -> str:
    """Return the name of a job, or of one element of an array."""
    return f"{job}_{element}" if element else job


def one_by_one(jobs: list[dict[str, Any]], specs: list[Spec], limits: Limits) -> list[dict[str, Any]]:
    """Return the jobs of `Sacct`; each singleton has a spec of its own that names the jobs it waits for.

    The jobs between two singletons of one user and name, and the first of the two, are enough: when that one starts,
    all jobs before it have ended. This does not hold for a singleton that may start by another condition (`?`).
    `specs` grows. Raises TraceError.
    """
    owners = {job["owner"] for job in jobs if _is_single(specs[job["spec"]])}
    order = sorted((at for at, job in enumerate(jobs) if job["owner"] in owners), key=lambda at: _submitted(jobs[at]))
    since: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    waits: dict[str, list[str]] = {}
    parts, links = [[job] for job in jobs], 0
    for at in order:
        job = jobs[at]
        earlier, spec = since[job["owner"]], specs[job["spec"]]
        names = [name_of(job["id"], element) for element in job["elements"]]
        if not _is_single(spec):
            earlier += names
            continue
        parts[at] = []
        for name, element in zip(names, job["elements"], strict=True):
            if name not in waits:  # parts of one job have the same name, and do not wait for each other
                waits[name] = list(earlier)
                if not spec.fields["dependency"]["any"]:
                    earlier.clear()
                earlier.append(name)
            links += len(waits[name])
            if (problem := limits.exceeded("inventory_pods", links, "")) is not None:
                raise TraceError([problem])
            parts[at].append({**job, "elements": [element], "spec": len(specs)})
            specs.append(_after(spec, waits[name]))
    return [job for part in parts for job in part]


def _is_single(spec: Spec) -> bool:
    return any(kind == SINGLETON for kind, _, _ in spec.fields.get("dependency", {}).get("of", ()))


def _submitted(job: dict[str, Any]) -> float:
    return float("inf") if job["submit"] is None else float(job["submit"])


def _after(spec: Spec, names: list[str]) -> Spec:
    """Return a spec whose condition `singleton` names jobs; one that names none is met."""
    given = spec.fields["dependency"]
    if given["any"] and not names:
        return Spec(spec.demand, {name: value for name, value in spec.fields.items() if name != "dependency"})
    others = [each for each in given["of"] if each[0] != SINGLETON]
    of = [*others, *([SINGLETON, name, 0] for name in names)]
    return Spec(spec.demand, {**spec.fields, "dependency": {**given, "of": of}})
