"""Build claims from schedulers' signatures: the affected number, the neighbor, and the setting to change."""

from __future__ import annotations

from typing import Any

from scheduler_core.claims.declared import Claim
from scheduler_core.schedulers import SCHEDULERS
from scheduler_core.studies.signatures import signature_experiments
from scheduler_core.world.signature import Band, Figure, Signature
from scheduler_core.world.spec import SchedulerSpec


def signature_claims() -> dict[str, Claim]:
    """Return one claim a scheduler with a signature, by id (`signature-hawk`)."""
    made = (_claim(spec, spec.signature) for spec in SCHEDULERS if spec.signature is not None)
    return {claim.id: claim for claim in made}


def _claim(spec: SchedulerSpec, signature: Signature) -> Claim:
    name = spec.name
    return Claim.model_validate(
        {
            "id": f"signature-{name}",
            "source": "signatures",
            "ref": f"signature of {name}",
            "says": " ".join((spec.summary, signature.says[1], signature.turn.says, signature.misses)).strip(),
            "kind": "ratio",
            "setups": {key: {"experiment": one} for key, one in signature_experiments(name).items()},
            "measures": _measures(signature),
            "known": "chosen",
            "parameters": "The workload was made to show the idea.",
        }
    )


def _measures(signature: Signature) -> list[dict[str, Any]]:
    against, turn = signature.against, signature.turn
    compared, turned = against.number or signature.number, turn.number or signature.number
    rows = [
        {
            "name": "number divided by the neighbor's",
            "of": f"{_text(compared, 'own')} / {_text(compared, 'neighbour')}",
            "band": _band(against.moved),
        },
        {
            "name": "number with the setting changed / before",
            "of": f"{_text(turned, 'to')} / {_text(turned, 'frm')}",
            "band": _band(turn.moved),
        },
    ]
    if signature.touched is None:
        return rows
    touched = {
        "name": "part touched",
        "of": _text(signature.touched, "own"),
        "band": {"least": signature.least_touched},
    }
    return [touched, *rows]


def _text(figure: Figure, setup: str) -> str:
    """Return the figure as an expression over a setup's run."""
    above = " + ".join(f"{setup}.{path}" for path in figure.of)
    below = " + ".join(f"{setup}.{path}" for path in figure.per)
    return f"(({above}) / ({below}))" if below else f"({above})"


def _band(band: Band) -> dict[str, float]:
    return {key: end for key, end in (("least", band.least), ("most", band.most)) if end is not None}
