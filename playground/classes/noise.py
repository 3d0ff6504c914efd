"""How much the numbers of an explored experiment vary over seeds: previews of the teacher's values under other seeds.

The rows are part of `Classroom.explore`. Whoever has the class open collects the answers, as those of forks.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypedDict

import msgpack
from django.db import transaction

from playground.classes.exploring import MEASURES
from playground.errors import PlaygroundError
from playground.ground.quotas import key_of_class, quota_of_key
from playground.models import Classroom
from playground.previews import newest
from playground.previews.service import ask_at, place_named
from playground.storage.connections import REDIS_AWAY
from scheduler_core.studies.results import measured_numbers
from scheduler_core.studies.statistics import prediction_interval

#: Seeds beside the teacher's own.
OTHER_SEEDS = 4
#: With fewer values than these, a band would say next to nothing.
_FEWEST = 3
#: Previews without an answer for this long were lost; the class goes on without them.
_LOST_S = 120


class Other(TypedDict):
    """The teacher's values under another seed: the number of the preview, and its figures once they are there."""

    preview: int
    asked_s: float
    figures: dict[str, float | None] | None


def ask(classroom: Classroom, data: dict[str, Any]) -> list[Other]:
    """Ask for previews of an experiment under other seeds; those that cannot run now are left out."""
    quota, asked = quota_of_key(key_of_class(classroom.pk)), list[Other]()
    for at in range(OTHER_SEEDS):
        other = {**data, "seed": int(data.get("seed", 0)) + 1 + at}
        with suppress(PlaygroundError, *REDIS_AWAY):
            told = ask_at(place=_place(classroom, len(asked)), data=other, quota=quota)
            asked.append({"preview": told["preview"], "asked_s": time.time(), "figures": None})
    return asked


def _place(classroom: Classroom, at: int) -> str:
    return place_named("class", f"{classroom.public_id}/seed {at}")


def collect(classroom: Classroom) -> tuple[bool, bool]:
    """Store figures that have come in; return whether there are some, and whether some are left."""
    others: list[Other] = (classroom.explore or {}).get("noise", [])
    recent = time.time() - _LOST_S
    waiting = [at for at, one in enumerate(others) if one["figures"] is None and one["asked_s"] > recent]
    if not waiting:
        return False, False
    try:
        told = newest.told_to([_place(classroom, at) for at in waiting])
    except REDIS_AWAY:
        return False, True
    come = {at: found for at, packed in zip(waiting, told, strict=True) if (found := _figures(others[at], packed))}
    if come:
        with transaction.atomic():
            row = Classroom.objects.select_for_update().get(pk=classroom.pk)
            now: list[Other] = (row.explore or {}).get("noise", [])
            for at, figures in come.items():
                if at < len(now) and now[at]["preview"] == others[at]["preview"]:
                    now[at]["figures"] = figures
            row.save(update_fields=["explore"])
    return bool(come), len(come) < len(waiting)


def _figures(other: Other, packed: bytes | None) -> dict[str, float | None] | None:
    message: dict[str, Any] = {} if packed is None else msgpack.unpackb(packed)
    if message.get("preview") != other["preview"] or message.get("state") not in ("done", "failed"):
        return None
    numbers = measured_numbers(message["summary"]) if message["state"] == "done" else {}
    return {name: numbers.get(name) for name in MEASURES}


def bands(base: Mapping[str, float | None] | None, others: list[Other]) -> dict[str, list[float]]:
    """Return where a run of the teacher's values is expected under another seed in 95 of 100 cases, by measure.

    It is the prediction interval over the values of all seeds; a measure that is never negative ends at 0. A measure
    without three values has no band, and none has one before all previews are answered.
    """
    if base is None or any(one["figures"] is None for one in others):
        return {}
    found = {}
    for name in MEASURES:
        told = [row.get(name) for row in (base, *(one["figures"] or {} for one in others))]
        values = [value for value in told if value is not None]
        if len(values) >= _FEWEST:
            low, high = prediction_interval(values)
            found[name] = [max(0.0, low) if min(values) >= 0 else low, high]
    return found
