"""Links that open a claim's experiments in the studio."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import scheduler_core
from playground.claims.labels import facts_of, labels_of, written
from playground.claims.openings import arms_of, drawn_for, offered, once
from scheduler_core.claims import Claim
from scheduler_core.claims.running import experiment_of

LINKS, LONGEST = 4, 20_000
"""Links to the studio a claim, and characters of an experiment that is put into one."""


def studio_links(claim: Claim) -> tuple[dict[str, str], ...]:
    """Return links that open the first experiments of a claim in the studio; nothing is stored until one is run.

    An experiment that is too long for an address has no `url`: the page asks for its `setup` when it is opened.
    """
    addresses = _addresses(claim)
    return tuple(
        {"name": label, "setup": name, "url": addresses[name]}
        for label, name in zip(labels_of(claim, addresses), addresses, strict=True)
    )


def compared_links(claim: Claim) -> tuple[dict[str, str], ...]:
    """Return the groups of a claim's experiments that share a workload: their setups, and the names of the arms."""
    groups = arms_of(claim)[:LINKS]
    named = [" · ".join(labels_of(claim, names)) for names in groups]
    shared = [_shared(names, claim) for names in groups]
    told = [
        f"{name} ({ours})" if named.count(name) > 1 and ours else name for name, ours in zip(named, shared, strict=True)
    ]
    machines = [facts_of(claim, names[0])[1] for names in groups]
    return tuple(
        {"name": name if told.count(name) == 1 else f"{name}, {many}", "setups": ",".join(names)}
        for name, many, names in zip(told, machines, groups, strict=True)
    )


def _shared(names: tuple[str, ...], claim: Claim) -> str:
    """Name what the setups of a group share: the words of all their names."""
    parts = [name.split("_") for name in names]
    return written([word for word in parts[0] if all(word in each for each in parts)], claim)


@once
def _addresses(claim: Claim) -> dict[str, str]:
    """Return the addresses of the first experiments in the studio, by setup; an empty one is too long."""
    return {name: _address(claim, name, data) for name, data in list(offered(claim).items())[:LINKS]}


def _address(claim: Claim, name: str, data: dict[str, Any]) -> str:
    if is_drawn(claim, name) or len(json.dumps(data)) > LONGEST:
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
