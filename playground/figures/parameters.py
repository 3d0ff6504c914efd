"""Name the parameters in which schedulers differ from their defaults, for a figure's caption."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from playground.figures.words import path_value_words
from playground.studies.metric_names import plain
from scheduler_core import SCHEDULERS
from scheduler_core.experiment.labels import label_of

_PARAMS = "scheduler.params."
_MOST_LETTERS = 60


def parameter_words(schedulers: Iterable[Mapping[str, Any]], varied: Collection[str] = ()) -> str:
    """Return a sentence on the parameters that differ from the defaults, by scheduler; `varied` are told elsewhere.

    `schedulers` have `name`, `params` and `label`.
    """
    told = []
    for one in schedulers:
        known = _defaults(one["name"])
        other = [
            _words(one["name"], key, value)
            for key, value in (one.get("params") or {}).items()
            if key in known and value != known[key] and _PARAMS + key not in varied
        ]
        if other:
            told.append(f"{one['label']}: {', '.join(other)}")
    if not told:
        return "All parameters of schedulers have their defaults"
    return f"Parameters other than the defaults: {'; '.join(told)}"


@functools.cache
def _defaults(name: str) -> dict[str, Any]:
    spec = next((one for one in SCHEDULERS if one.name == name), None)
    return {} if spec is None else spec.params().model_dump(mode="json")


def _words(scheduler: str, key: str, value: object) -> str:
    path = _PARAMS + key
    label = label_of(path, [scheduler])
    name = f"{label[0].lower()}{label[1:]}" if label and not label[1:2].isupper() else label or plain(key)
    if value is None or isinstance(value, dict | list):
        text = "not set" if value is None else json.dumps(value)
        return f"{name} {text if len(text) <= _MOST_LETTERS else f'{text[:_MOST_LETTERS]}…'}"
    return f"{name} {path_value_words(path, value)}"
