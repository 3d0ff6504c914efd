"""Links that open a claim's experiments in the studio."""

from __future__ import annotations

import base64
import functools
import json
import zlib
from typing import Any

import scheduler_core
from playground.claims.labels import facts_of, labels_of, written
from playground.claims.openings import arms_of, drawn_for, offered
from scheduler_core.claims import Claim, known_claims
from scheduler_core.claims.running import experiment_of

LINKS, LONGEST = 4, 20_000
"""Links to the studio a claim, and characters of an experiment that is put into one."""


def studio_links(claim_id: str) -> tuple[dict[str, str], ...]:
    """Return links that open the first experiments of a claim in the studio; nothing is stored until one is run.

    An experiment that is too long for an address has no `url`: the page asks for its `setup` when it is opened.
    """
    found = list(offered(claim_id))[:LINKS]
    return tuple(
        {"name": label, "setup": name, "url": _address(claim_id, name)}
        for label, name in zip(labels_of(claim_id, found), found, strict=True)
    )


def compared_links(claim_id: str) -> tuple[dict[str, str], ...]:
    """Return the groups of a claim's experiments that share a workload: their setups, and the names of the arms."""
    groups = arms_of(claim_id)[:LINKS]
    named = [" · ".join(labels_of(claim_id, names)) for names in groups]
    shared = [_shared(names, claim_id) for names in groups]
    told = [
        f"{name} ({ours})" if named.count(name) > 1 and ours else name for name, ours in zip(named, shared, strict=True)
    ]
    machines = [facts_of(claim_id, names[0])[1] for names in groups]
    return tuple(
        {"name": name if told.count(name) == 1 else f"{name}, {many}", "setups": ",".join(names)}
        for name, many, names in zip(told, machines, groups, strict=True)
    )


def _shared(names: tuple[str, ...], claim_id: str) -> str:
    """Name what the setups of a group share: the words of all their names."""
    parts = [name.split("_") for name in names]
    return written([word for word in parts[0] if all(word in each for each in parts)], claim_id)


@functools.cache
def _address(claim_id: str, name: str) -> str:
    claim = known_claims()[claim_id]
    if is_drawn(claim, name) or len(json.dumps(offered(claim_id)[name])) > LONGEST:
        return ""
    return f"/studio#{_fragment(experiment_of(claim, name, claim.seeds[0]).to_dict())}"


def is_drawn(claim: Claim, name: str) -> bool:
    """Return whether a program draws work for a setup or for one that it begins with."""
    return bool(drawn_for(claim, name))


def _fragment(experiment: dict[str, Any]) -> str:
    """Encode an experiment as static/js/experiment/fragment.js reads it."""
    told = {"rules": scheduler_core.__version__, **experiment}
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()) + packer.flush()
    return "x2." + base64.urlsafe_b64encode(packed).decode().rstrip("=")
