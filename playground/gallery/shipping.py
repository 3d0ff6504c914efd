"""The experiments whose recordings are shipped: the studio's first, the gallery's, and the signatures'."""

from __future__ import annotations

import functools

from django.conf import settings

from playground.catalogue.controls import SIGNATURE
from playground.gallery.service import experiment_of, gallery
from scheduler_core import Experiment, signature_cards, signature_experiment

#: The studio's first experiment, the same as in static/js/experiment/default_experiment.js.
FIRST = "studio"


@functools.cache
def first_experiment() -> Experiment:
    """Return what the studio opens with."""
    return Experiment.from_file(settings.FIXTURES_DIR / "experiments" / f"{FIRST}.json")


def to_ship() -> dict[str, Experiment]:
    """Return the experiments by the names of their recordings."""
    questions = {f"gallery-{entry.name}": Experiment.parse(experiment_of(entry)) for entry in gallery()}
    signatures = {
        f"{SIGNATURE}{card['name']}": Experiment.parse(signature_experiment(card["name"])) for card in signature_cards()
    }
    return {FIRST: first_experiment(), **questions, **signatures}
