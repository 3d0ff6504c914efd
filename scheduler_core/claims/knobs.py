"""Claims about the effects of parameters and sliders, built from the trials that `bench.knobs` runs."""

from __future__ import annotations

import re
from typing import Any

from scheduler_core.claims.declared import Claim
from scheduler_core.claims.trials import STUDIO, Trial, trials
from scheduler_core.schedulers import SCHEDULERS

LEAST = 0.01
"""A change by a smaller part is none worth telling."""
SOURCE = "knobs"
_BANDS = {"+": {"least": LEAST}, "-": {"most": -LEAST}, "=": {"least": -LEAST, "most": LEAST}}
_WORDS = {"+": "Higher", "-": "Lower", "=": "The same"}


def knob_claims() -> dict[str, Claim]:
    """Return the claims by id: one for each value of a parameter that a claim compares with the first value."""
    labels = {spec.name: spec.label for spec in SCHEDULERS} | {STUDIO: "Studio"}
    found: dict[str, Claim] = {}
    for trial in trials([], own=True):
        for value in trial.values[1:] if trial.claims else ():
            name = _free(f"knob-{_slug(trial.scheduler)}-{_slug(_last(trial.knob))}-{_slug(str(value))}", found)
            found[name] = claim_of(trial, value, name, labels[trial.scheduler])
    return found


def claim_of(trial: Trial, value: Any, name: str, label: str) -> Claim:
    """Make the claim that a trial's figures move as said between its first value and another one."""
    figures = {way: [figure for figure, claimed in trial.claims if claimed == way] for way in _WORDS}
    said = ". ".join(f"{_WORDS[way]}: {', '.join(names)}" for way, names in figures.items() if names)
    beside = f" ({trial.beside})" if trial.beside else ""
    setups = {"before": trial.at(trial.values[0], 1), "after": trial.at(value, 1)}
    return Claim.model_validate(
        {
            "id": name,
            "source": SOURCE,
            "ref": f"{trial.scheduler} {trial.knob}",
            "says": f"{label}: {trial.knob} {_told(value)} in place of {_told(trial.values[0])}{beside}. {said}.",
            "kind": "sign",
            "setups": {key: {"experiment": data} for key, data in setups.items()},
            "measures": [
                {"name": f"{figure}, change", "of": _change(figure), "band": _BANDS[way]}
                for figure, way in trial.claims
            ],
            "why_band": "A change below 1 % counts as no change.",
            "known": "chosen",
            "parameters": f"Synthetic work, made for this comparison (ground {trial.ground}).",
            "seeds": (1, 2, 3),
            "full": {"seeds": tuple(range(1, 9))},
            "expected": "not reproduced" if trial.missed else "reproduced",
            "reason": trial.missed,
        }
    )


def _change(figure: str) -> str:
    """Return the change as a part of the larger value: 1 from scratch to something, -1 the other way round."""
    before, after = (f"figure({name}, '{figure}')" for name in ("before", "after"))
    return f"({after} - {before}) / max(abs({after}), abs({before}), 1e-12)"


def _last(path: str) -> str:
    """Return the last two steps of a path; a parameter's name as it is."""
    return "-".join(path.split(".")[-2:])


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _free(name: str, taken: dict[str, Claim]) -> str:
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}-n{number}", number + 1
    return found


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ", ".join(" ".join(f"{key} {part}" for key, part in one.items()) for one in value) or "empty"
    return f"{value:g}" if isinstance(value, int | float) else str(value) or "empty"
