"""One experiment of a claim, for a user to run."""

from __future__ import annotations

from typing import Any

from playground.claims.labels import labels_of
from playground.claims.openings import offered
from playground.errors import PlaygroundError, not_found, problem
from playground.web.words import gettext
from scheduler_core import ExperimentError
from scheduler_core.claims import Claim
from scheduler_core.claims.outside import Missing, traces_folder
from scheduler_core.claims.running import experiment_of

_LONGEST_NAME = 64


def claim_experiment(claim: Claim, *, setup: str) -> dict[str, Any]:
    """Return one experiment of a claim under its first seed. Raises PlaygroundError."""
    if setup not in claim.named:
        raise not_found("experiment")
    try:
        made = experiment_of(claim, setup, claim.seeds[0]).to_dict()
    except (ExperimentError, Missing) as error:
        why = str(error).replace(str(traces_folder()), gettext("the server's folder of traces"))
        raise PlaygroundError(409, "not-run-here", "This claim cannot be run here", (problem("", why),)) from None
    return made | {"name": made.get("name") or _name(claim, setup)}


def _name(claim: Claim, setup: str) -> str:
    """Name an experiment by its label among the claim's, and by the place in the paper."""
    names = list(offered(claim))
    label = dict(zip(names, labels_of(claim, names), strict=True)).get(setup, "")
    return " · ".join(part for part in (label, claim.ref) if part)[:_LONGEST_NAME]
