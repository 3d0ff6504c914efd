"""Names for runs side by side: the scheduler and, if two runs have the same one, their differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playground.figures.words import SPACE, literal
from playground.ground.simulator import scheduler_label
from playground.web.words import gettext

_LONGEST_LINE = 32


def names_of(runs: Sequence[tuple[dict[str, Any], int]]) -> list[str]:
    """Name runs, each an experiment's JSON and a seed, as the page that compares them does."""
    labels = [scheduler_label(data) for data, _ in runs]
    return [literal(_name(at, runs, labels)) for at in range(len(runs))]


def _name(at: int, runs: Sequence[tuple[dict[str, Any], int]], labels: list[str]) -> str:
    label, (data, seed) = labels[at], runs[at]
    alike = [other for place, other in enumerate(runs) if place != at and labels[place] == label]
    if not alike:
        return label
    own, others = _params(data), [_params(other) for other, _ in alike]
    keys = [key for key, value in own.items() if any(other.get(key) != value for other in others)]
    parts = [
        _policy(own[key], [other.get(key) for other in others], "ABCDEFGH"[at])
        if key == "policy"
        else f"{key.removesuffix('_s').replace('_', ' ')} {own[key]}{f'{SPACE}s' if key.endswith('_s') else ''}"
        for key in keys[:2]
    ]
    if not keys or any(other != seed for _, other in alike):
        parts.append(gettext("seed {seed}", seed=str(seed)))
    name = f"{label} ({', '.join(parts)})"
    same = not keys and any(other == seed for _, other in alike)
    return f"{name} {'ABCDEFGH'[at]}" if same else name


def _lines(policy: object) -> list[str]:
    """Return the lines of a policy that say something, without comments."""
    return [line for row in str(policy or "").splitlines() if (line := row.partition("#")[0].strip())]


def _policy(policy: object, others: list[object], letter: str) -> str:
    """Return the first line of a policy that other policies have not, cut; its letter if there is none."""
    line = next((one for one in _lines(policy) if any(one not in _lines(other) for other in others)), None)
    if line is None:
        return gettext("policy {letter}", letter=letter)
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1].rstrip()}…"


def _params(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = (data.get("scheduler") or {}).get("params") or {}
    return found
