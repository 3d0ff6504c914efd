"""Find which experiments of a claim a user can run on this server, and which share workload and machines."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any, TypeVar

from playground.errors import not_found
from scheduler_core import ExperimentError
from scheduler_core.claims import Claim, known_claims
from scheduler_core.claims.setups import Setup, setup_data, with_parents

MOST_ARMS = 4
"""Runs that the page of comparisons shows."""
#: Drawing functions that read a file which no upload has brought to this server.
_OF_FILES = {"trace", "megha_partitions"}
#: What may differ between arms that share a workload.
_OWN = {"scheduler", "network", "name", "question"}

T = TypeVar("T")


def claim_named(claim_id: str) -> Claim:
    """Return the claim that an address names; all else passes the claim on. Raises PlaygroundError."""
    claim = known_claims().get(claim_id)
    if claim is None:
        raise not_found("claim")
    return claim


def once(make: Callable[[Claim], T]) -> Callable[[Claim], T]:
    """Compute something of a claim once. A claim is not hashable, but its id is unique among those that are known."""
    kept: dict[str, tuple[Claim, T]] = {}

    @functools.wraps(make)
    def of(claim: Claim) -> T:
        if claim.id not in kept or kept[claim.id][0] is not claim:
            kept[claim.id] = (claim, make(claim))
        return kept[claim.id][1]

    return of


@once
def offered(claim: Claim) -> dict[str, dict[str, Any]]:
    """Return the experiments of a claim that can be run here, by their setups' names.

    They are written without what a program draws for them: drawing takes long, and their names need none of it.
    """
    plain = {name: one.model_copy(update={"drawn": {}}) for name, one in claim.setups.items()}
    found = {}
    for name in claim.setups:
        if name not in claim.named or {draw.get("by") for draw in drawn_for(claim, name)} & _OF_FILES:
            continue
        try:
            found[name] = setup_data(plain, plain[name], claim.seeds[0])
        except (ExperimentError, LookupError):  # a change of drawn jobs or machines
            continue
    return found


def drawn_for(claim: Claim, name: str) -> list[dict[str, Any]]:
    """Return what programs draw for a setup and for those that it begins with."""
    used: list[Setup] = [claim.setups[each] for each in sorted(with_parents({name}, claim.setups))]
    return [one.drawn for one in used if one.drawn]


@once
def arms_of(claim: Claim) -> tuple[tuple[str, ...], ...]:
    """Return the setups of a claim that share workload and machines, two to four together: the plainest of them."""
    groups: dict[str, list[str]] = {}
    for name, data in offered(claim).items():
        shared = {key: value for key, value in data.items() if key not in _OWN}
        groups.setdefault(json.dumps([shared, drawn_for(claim, name)], sort_keys=True), []).append(name)
    plainest = [sorted(names, key=lambda name: name.count("_")) for names in groups.values() if len(names) > 1]
    return tuple(tuple(names[:MOST_ARMS]) for names in plainest)
