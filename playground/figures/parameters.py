"""Name the parameters in which schedulers differ from their defaults, for a figure's caption.

A default that suits one trace, which its field declares by `suits`, is named, too: on other work it may mislead.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from playground.figures.words import path_value_words
from playground.studies.fitted import defaults_of, fitted_defaults
from playground.studies.metric_names import plain
from playground.web.words import SOURCE, gettext, language
from playground.web.words import marked as _
from scheduler_core.experiment.labels import label_of

_PARAMS = "scheduler.params."
_MOST_LETTERS = 60
_ALL_DEFAULTS = _("All parameters of schedulers have their defaults")


def parameter_words(schedulers: Iterable[Mapping[str, Any]], varied: Collection[str] = ()) -> str:
    """Return a sentence on the parameters that differ from the defaults, by scheduler; `varied` are told elsewhere.

    `schedulers` have `name`, `params` and `label`.
    """
    schedulers, told = list(schedulers), []
    for one in schedulers:
        known = defaults_of(one["name"])
        other = [
            _words(one["name"], key, value)
            for key, value in (one.get("params") or {}).items()
            if key in known and value != known[key] and _PARAMS + key not in varied
        ]
        if other:
            told.append(f"{one['label']}: {', '.join(other)}")
    words = gettext(_ALL_DEFAULTS)
    if told:
        words = gettext("Parameters other than the defaults: {parameters}", parameters="; ".join(told))
    fitted = "; ".join(_fitted(schedulers, varied))
    if not fitted:
        return words
    suited = gettext("Defaults that suit one trace, perhaps not this work: {parameters}", parameters=fitted)
    return f"{words}. {suited}"


def _fitted(schedulers: Iterable[Mapping[str, Any]], varied: Collection[str]) -> list[str]:
    """Return the defaults in use that suit one trace, each with its schedulers."""
    return [
        f"{', '.join(one.labels)}: {_words(one.scheduler, one.key, one.value)} ({one.trace})"
        for one in fitted_defaults(schedulers, varied)
    ]


def _words(scheduler: str, key: str, value: object) -> str:
    path = _PARAMS + key
    label = label_of(path, [scheduler])
    name = gettext(label) if label else plain(key)
    if label and language() == SOURCE and not label[1:2].isupper():
        name = f"{label[0].lower()}{label[1:]}"
    if value is None or isinstance(value, dict | list):
        text = gettext("not set") if value is None else json.dumps(value)
        return f"{name} {text if len(text) <= _MOST_LETTERS else f'{text[:_MOST_LETTERS]}…'}"
    return f"{name} {path_value_words(path, value)}"
