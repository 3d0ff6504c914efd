"""Links that open a claim's experiments in the studio, and their labels."""

from __future__ import annotations

import base64
import functools
import json
import zlib
from typing import Any

import scheduler_core
from playground.web.words import gettext
from scheduler_core import SCHEDULERS, Experiment
from scheduler_core.claims import Claim, known_claims
from scheduler_core.claims.running import experiment_of
from scheduler_core.claims.setups import setup_data, with_parents

LINKS, LONGEST = 4, 20_000
"""Links to the studio a claim, and characters of an experiment that is put into one."""


def label_of(name: str) -> str:
    """Return a scheduler's label, or its name where there is none."""
    return next((spec.label for spec in SCHEDULERS if spec.name == name), name)


@functools.cache
def studio_links(claim_id: str) -> tuple[dict[str, str], ...]:
    """Return links that open the first experiments of a claim in the studio; nothing is stored until one is run.

    Work that a program draws is left out: as an address it would be too long.
    """
    claim = known_claims()[claim_id]
    named = [name for name in claim.setups if name in claim.named and not is_drawn(claim, name)]
    found: list[tuple[str, Experiment]] = []
    for name in named[:LINKS]:
        data = setup_data(claim.setups, claim.setups[name], claim.seeds[0])
        if len(json.dumps(data)) <= LONGEST:
            found.append((name, experiment_of(claim, name, claim.seeds[0])))
    labels = _ways([one for _, one in found], [name for name, _ in found])
    return tuple(
        {"name": label, "url": f"/studio#{_fragment(one.to_dict())}"}
        for label, (_, one) in zip(labels, found, strict=True)
    )


def is_drawn(claim: Claim, name: str) -> bool:
    """Return whether a program draws work for a setup or for one that it begins with."""
    return any(claim.setups[each].drawn for each in with_parents({name}, claim.setups))


def _ways(experiments: list[Experiment], names: list[str]) -> list[str]:
    """Label a claim's experiments by their schedulers, sizes and masters as far as these differ, or by their names."""
    found = [_facts(one) for one in experiments]
    told = [[facts[0], *(fact for at, fact in enumerate(facts) if at and _differ(found, at))] for facts in found]
    labels = [", ".join(part for part in parts if part) for parts in told]
    return [
        label if labels.count(label) == 1 or name == label.lower() else f"{label} ({name.replace('_', ' ')})"
        for label, name in zip(labels, names, strict=True)
    ]


def _differ(found: list[tuple[str, ...]], at: int) -> bool:
    return len({facts[at] for facts in found}) > 1


def _facts(experiment: Experiment) -> tuple[str, ...]:
    """Name an experiment's scheduler, its machines and its masters."""
    topology = experiment.to_dict()["topology"]
    machines = [
        (cluster.get("repeat") or 1, sum(group.get("count") or 1 for group in cluster["machines"]))
        for cluster in topology["clusters"]
    ]
    many = sum(repeat * count for repeat, count in machines)
    # A centralised scheduler has one of each, whatever the topology says.
    alone = experiment.scheduler.name == "centralised"
    clusters = sum(repeat for repeat, _ in machines)
    masters = "1 × 1" if alone else f"{topology.get('global_masters') or 1} × {clusters}"
    return (
        label_of(experiment.scheduler.name),
        gettext("{machines} machines", machines=f"{many:,}"),
        gettext("{masters} masters", masters=masters),
    )


def _fragment(experiment: dict[str, Any]) -> str:
    """Encode an experiment as static/js/experiment/fragment.js reads it."""
    told = {"rules": scheduler_core.__version__, **experiment}
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()) + packer.flush()
    return "x2." + base64.urlsafe_b64encode(packed).decode().rstrip("=")
