"""Names and values of settings for people, also as axes of a study: `Heartbeat interval 10 s`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from playground.web.words import gettext, three
from scheduler_core.experiment.labels import choice_label, label_of

SPACE = "\u202f"
#: Ends of parameters' names that tell a unit; those that end like another come first.
ENDS = {"_gb_s": "GB/s", "_s": "s", "_gb": "GB", "_ns": "ns", "_us": "µs", "_percent": "%"}


def last_of(path: str) -> tuple[str, str]:
    """Return the last part of a path and the end of it that tells a unit."""
    name = re.sub(r"(\[\d+\])+$", "", path).rpartition(".")[2]
    return name, next((end for end in ENDS if name.endswith(end)), "")


def parameter(path: str, schedulers: Iterable[str] = ()) -> str:
    """Name a parameter by its label, such as `Heartbeat interval`; without one, by the last part of its path."""
    name, end = last_of(path)
    return gettext(label_of(path, schedulers)) or name.removesuffix(end).replace("_", " ")


def spaced(value: str) -> str:
    """Write the name of a choice as words; the text of a policy keeps its underscores."""
    return value.replace("_", " ") if value.isidentifier() else value


def choice(path: str, value: object, schedulers: Iterable[str] = ()) -> str:
    """Return what people call a value that is no number, and an empty text for a number."""
    if value is None:
        return gettext("unchanged")
    if isinstance(value, bool):
        return gettext("on") if value else gettext("off")
    if isinstance(value, str):
        return gettext(choice_label(path, value, schedulers)) or spaced(value)
    return "" if isinstance(value, int | float) else str(value)


def value_and_unit(path: str, value: object, schedulers: Iterable[str] = ()) -> str:
    """Write a value with the unit that its parameter's name tells: `10 s`, `60 %`, `DRF vector`."""
    if word := choice(path, value, schedulers):
        return word
    if not isinstance(value, int | float):
        return str(value)
    if path.endswith("offered_load"):
        return f"{three(100 * value)}{SPACE}%"
    unit = ENDS.get(last_of(path)[1], "")
    return f"{three(value)}{SPACE}{unit}" if unit else three(value)
