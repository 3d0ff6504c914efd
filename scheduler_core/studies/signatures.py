"""The experiments of schedulers' signatures: the scheduler's own, its neighbor's, and both ends of the setting."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scheduler_core.errors import Problem
from scheduler_core.experiment.places import with_changes
from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name
from scheduler_core.studies.signature_works import WORKS
from scheduler_core.world.signature import DECIDERS, Figure, Signature
from scheduler_core.world.spec import SchedulerSpec


def signature_experiment(name: str) -> dict[str, Any]:
    """Return the JSON of the experiment that shows a scheduler's idea. Raises UnknownName."""
    spec = scheduler_by_name(name)
    return _experiment(spec, spec.name, dict(_signature(spec).params))


def signature_experiments(name: str) -> dict[str, dict[str, Any]]:
    """Return all experiments of a signature: `own`, `neighbour`, and `frm` and `to` of the setting to change."""
    spec = scheduler_by_name(name)
    signature = _signature(spec)
    own = signature_experiment(name)
    turn, against = signature.turn, signature.against
    return {
        "own": own,
        "neighbour": _experiment(spec, against.name, dict(against.params)),
        "frm": with_changes(own, {turn.path: turn.frm}),
        "to": with_changes(own, {turn.path: turn.to}),
    }


def signature_cards() -> list[dict[str, Any]]:
    """Return a description of every scheduler for a page of cards: its signature's sentences, and the view to open."""
    return [_card(spec) for spec in SCHEDULERS if spec.signature is not None]


def figure_value(figure: Mapping[str, Any], summary: Mapping[str, Any]) -> float | None:
    """Return the value of a card's figure in a run's summary; None if the summary lacks a part of it."""
    return Figure(figure["label"], tuple(figure["of"]), tuple(figure["per"]), figure["unit"]).value(summary)


def _signature(spec: SchedulerSpec) -> Signature:
    if spec.signature is None:
        raise LookupError(str(Problem("scheduler", f"{spec.label} has no signature", "a listed scheduler")))
    return spec.signature


def _experiment(spec: SchedulerSpec, scheduler: str, params: dict[str, Any]) -> dict[str, Any]:
    signature = _signature(spec)
    begun = {
        "schema_version": 1,
        "name": f"Example run: {spec.label}",
        "question": signature.says[0],
        **WORKS[signature.work],
        "scheduler": {"name": scheduler, "params": params},
    }
    return with_changes(begun, signature.change)


def _card(spec: SchedulerSpec) -> dict[str, Any]:
    signature = _signature(spec)
    turn, opens, against = signature.turn, signature.opens, signature.against
    neighbor = scheduler_by_name(against.name)
    return {
        "name": spec.name,
        "label": spec.label,
        "family": spec.family,
        "family_label": spec.kin.label,
        "summary": spec.summary,
        "paper": spec.paper,
        "year": signature.year,
        "decides": DECIDERS[signature.decides],
        "knows": signature.knows,
        "says": list(signature.says),
        "waits": signature.waits,
        "number": _figure(signature.number),
        "compared": _figure(against.number or signature.number),
        "touched": None if signature.touched is None else _figure(signature.touched),
        "neighbour": {"name": against.name, "label": against.label or neighbor.label, "short": _short(signature)},
        "turn": {"path": turn.path, "from": turn.frm, "to": turn.to, "says": turn.says},
        "opens": {"view": opens.view, "layer": opens.layer, "moment": opens.moment, "then": opens.then},
        "unseen": signature.unseen,
        "shown": None if signature.shown is None else _figure(signature.shown),
        "needs": signature.needs,
        "misses": signature.misses,
    }


def _short(signature: Signature) -> str:
    """Introduce the neighbor in half a sentence if the signature's sentence compares with it by name; else empty."""
    neighbor = scheduler_by_name(signature.against.name)
    named = re.search(rf"\b{re.escape(neighbor.label)}(?![\w-])", signature.says[1])
    return _signature(neighbor).short if named else ""


def _figure(figure: Figure) -> dict[str, Any]:
    return {"label": figure.label, "of": list(figure.of), "per": list(figure.per), "unit": figure.unit}
