"""Scheduler cards by family: each scheduler's claim, who decides, by what information, and its signature's result."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from playground.catalogue.controls import signature_controls
from playground.errors import PlaygroundError, problem
from playground.ground.simulator import OWN, offered_schedulers
from playground.web.words import gettext, language, three
from scheduler_core import Experiment, figure_value, plugins, signature_cards, signature_experiment
from scheduler_core.experiment.digest import experiment_digest
from scheduler_core.run.moment_texts import LABELS

FIGURES = "signatures.json"
_EXAMPLE = "order: job.tasks_left\nscore: machine.free_cpus"
_SEARCHED = ("label", "name", "family_label", "summary", "paper", "year")
#: Pictures below the map, and one that covers it.
_BESIDE = ("flow", "gantt", "given", "shares", "turns")
_PICTURES = (*_BESIDE, "stages")


def figures_of(card: Mapping[str, Any], summaries: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the page tells of a signature's runs: the number, the neighbor's, and the part touched."""
    own, neighbor = summaries["own"], summaries["neighbour"]
    return {
        "digest": own["experiment_digest"],
        "number": figure_value(card["number"], own),
        "compared": [figure_value(card["compared"], own), figure_value(card["compared"], neighbor)],
        "touched": None if card["touched"] is None else figure_value(card["touched"], own),
    }


@functools.cache
def recorded_figures() -> dict[str, dict[str, Any]]:
    """Return the figures that `manage.py record_signatures` wrote, by scheduler."""
    path = settings.FIXTURES_DIR / FIGURES
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def families() -> list[dict[str, Any]]:
    """Return the families of schedulers in their order, each with its cards as the page shows them."""
    return _families(language())


@functools.cache
def _families(spoken: str) -> list[dict[str, Any]]:
    """Return the families; numbers, and what a search looks through, are in the language that is spoken."""
    found: dict[str, dict[str, Any]] = {}
    for card in signature_cards():
        if card["name"] == OWN:
            continue  # it stands first (own_cards)
        group = found.setdefault(card["family"], {"name": card["family"], "label": card["family_label"], "cards": []})
        group["cards"].append(_shown(card))
    return list(found.values())


def own_cards() -> list[dict[str, str]]:
    """Return the cards of what users write themselves: their policy, and the plugins of this server."""
    written = {OWN, *(plugin.spec.name for plugin in plugins())}
    addresses = {card["name"]: address_of(card) for card in signature_cards() if card["name"] == OWN}
    return [
        {
            "name": spec.name,
            "label": spec.label,
            "summary": spec.summary,
            "example": _EXAMPLE if spec.name == OWN else "",
            "docs": "/docs/reference/policy/" if spec.name == OWN else "/docs/tutorials/one-file-scheduler/",
            "address": addresses.get(spec.name, ""),
            "searched": f"{spec.label} {spec.name} {spec.summary}".lower(),
        }
        for spec in offered_schedulers()
        if spec.name in written
    ]


def shown_card(name: str) -> dict[str, Any] | None:
    """Return a scheduler's card as pages show it; None for one without a signature."""
    return next((card for group in families() for card in group["cards"] if card["name"] == name), None)


def signature_of(*, name: str) -> dict[str, Any]:
    """Return a scheduler's card with the experiment of its signature. Raises PlaygroundError."""
    for card in signature_cards():
        if card["name"] == name:
            told = {"controls": signature_controls(name), "recorded": recorded_figures().get(name)}
            opens = card["opens"] | {"label": _opening_label(card), "room": card["opens"]["view"] in _BESIDE}
            return card | told | {"opens": opens, "experiment": signature_experiment(name)}
    item = problem("signature", f"there is no scheduler '{name[:100]}'", allowed="a name of /api/v1/schedulers")
    raise PlaygroundError(404, "not-found", "There is no such scheduler", (item,))


def _opening_label(card: Mapping[str, Any]) -> str:
    """Name the moment that a signature begins at, for the room of its button; the run says whose it is."""
    label = LABELS.get(card["opens"]["moment"], "")
    return "" if "{" in label else label


def address_of(card: Mapping[str, Any]) -> str:
    """Return the studio's address for a signature, with the layer and the picture that it opens with."""
    opens = card["opens"]
    view = {"signature": card["name"], "level": "play", "layer": opens["layer"]}
    return f"/studio?{urlencode(view | ({'picture': opens['view']} if opens['view'] in _PICTURES else {}))}"


def pictures_of(name: str) -> dict[str, str]:
    """Return the static files of a signature's run: a still picture, and the data of the moving one."""
    return {"still": f"img/schedulers/{name}.svg", "moves": f"img/schedulers/{name}.json"}


def stale() -> list[str]:
    """Name the schedulers whose recorded figures are of another experiment than today's, or missing."""
    recorded = recorded_figures()
    return [
        card["name"]
        for card in signature_cards()
        if recorded.get(card["name"], {}).get("digest")
        != experiment_digest(Experiment.parse(signature_experiment(card["name"])))
    ]


def _shown(card: dict[str, Any]) -> dict[str, Any]:
    recorded = recorded_figures().get(card["name"], {})
    own, other = recorded.get("compared", (None, None))
    compared = card["compared"]
    return card | {
        "address": address_of(card),
        "number_label": compared["label"],
        "number_text": _text(own, compared["unit"]),
        "neighbour_text": _text(other, compared["unit"]),
        "touched_text": _text(recorded.get("touched"), "%"),
        **pictures_of(card["name"]),
        "searched": " ".join(gettext(str(card[name] or "")) for name in _SEARCHED).lower(),
    }


def _text(value: float | None, unit: str) -> str:
    """Format a figure with its unit and three digits."""
    if value is None:
        return "–"
    if unit == "%":
        return f"{three(value * 100)} %"
    if unit != "s":
        return f"{three(value)} {gettext(unit)}".strip()
    if value < 0.001:
        return f"{three(value * 1e6)} µs"
    return f"{three(value * 1e3)} ms" if value < 1 else f"{three(value)} s"
