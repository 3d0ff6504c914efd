"""Name the parameters in which schedulers differ from their defaults, for a figure's caption.

A default that suits one trace, which its field declares by `suits`, is named, too: on other work it may mislead.
"""

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
_ALL_DEFAULTS = "All parameters of schedulers have their defaults"


def parameter_words(schedulers: Iterable[Mapping[str, Any]], varied: Collection[str] = ()) -> str:
    """Return a sentence on the parameters that differ from the defaults, by scheduler; `varied` are told elsewhere.

    `schedulers` have `name`, `params` and `label`.
    """
    schedulers, told = list(schedulers), []
    for one in schedulers:
        known = _defaults(one["name"])
        other = [
            _words(one["name"], key, value)
            for key, value in (one.get("params") or {}).items()
            if key in known and value != known[key] and _PARAMS + key not in varied
        ]
        if other:
            told.append(f"{one['label']}: {', '.join(other)}")
    words = f"Parameters other than the defaults: {'; '.join(told)}" if told else _ALL_DEFAULTS
    fitted = _fitted(schedulers, varied)
    return f"{words}. Defaults that suit one trace, perhaps not this work: {'; '.join(fitted)}" if fitted else words


def _fitted(schedulers: Iterable[Mapping[str, Any]], varied: Collection[str]) -> list[str]:
    """Return the defaults in use that suit one trace, each with its schedulers."""
    found: dict[str, list[str]] = {}
    for one in schedulers:
        known, given = _defaults(one["name"]), one.get("params") or {}
        for key, trace in _suits(one["name"]).items():
            if given.get(key, known[key]) == known[key] and _PARAMS + key not in varied:
                found.setdefault(f"{_words(one['name'], key, known[key])} ({trace})", []).append(one["label"])
    return [f"{', '.join(labels)}: {words}" for words, labels in found.items()]


@functools.cache
def _suits(name: str) -> dict[str, str]:
    """Return the parameters of a scheduler whose default suits one trace, with the trace."""
    spec = next((one for one in SCHEDULERS if one.name == name), None)
    fields = {} if spec is None else spec.params.model_fields
    extras = {key: field.json_schema_extra for key, field in fields.items()}
    return {key: str(extra["suits"]) for key, extra in extras.items() if isinstance(extra, dict) and "suits" in extra}


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
