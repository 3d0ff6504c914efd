"""Format numbers, units and names for figures: `1.2 s`, `2 h 46 min`, `12.5 %`, `Queueing delay, p99`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

from django.utils.formats import get_format

from playground.studies.metric_names import plain
from playground.web.setting_words import ENDS, choice, last_of
from playground.web.words import SOURCE, gettext, language
from scheduler_core.experiment.labels import label_of

SPACE = "\u202f"
MINUS = "\u2212"
#: The unit of a time axis; `auto` writes each tick in the unit that fits it.
TimeUnit = Literal["auto", "s", "ms", "min"]
#: Units that a time axis can have, and how many of each make a second.
TIME_UNITS = {"s": 1.0, "ms": 1e3, "min": 1 / 60}
_LARGE = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
_SMALL = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def in_language(number: str) -> str:
    """Write a number's comma and point as the reader's language does: `1,234.5` is `1.234,5` in German."""
    if language() == SOURCE:
        return number
    marks = {",": str(get_format("THOUSAND_SEPARATOR")), ".": str(get_format("DECIMAL_SEPARATOR"))}
    return "".join(marks.get(letter, letter) for letter in number)


def number_words(value: float) -> str:
    """Write a number with three significant digits, grouped thousands and a true minus sign."""
    if not math.isfinite(value):
        return "–"
    size = abs(value)
    if size >= 1_000:
        text = f"{size:,.0f}"
    elif size == 0:
        text = "0"
    else:
        text = f"{size:.{min(12, max(0, 2 - math.floor(math.log10(size))))}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    text = in_language(text)
    return f"{MINUS}{text}" if value < 0 else text


def duration_words(seconds: float) -> str:
    """Write a length of time in the unit that fits; from a minute on in two units, such as `2 h 46 min`."""
    size = abs(seconds)
    sign = MINUS if seconds < 0 else ""
    if size == 0:
        return f"0{SPACE}s"
    if size < 59.97:
        scale, unit = next((one for one in _SMALL if size >= 0.9995 * one[0]), _SMALL[-1])
        return f"{sign}{number_words(size / scale)}{SPACE}{unit}"
    at = next(at for at, (scale, _) in enumerate(_LARGE) if size >= 0.9995 * scale)
    (scale, unit), (finer, small) = _LARGE[at], _LARGE[at + 1]
    whole, rest = divmod(round(size / finer), scale // finer)
    return sign + " ".join(
        f"{in_language(f'{part:,}')}{SPACE}{name}" for part, name in ((whole, unit), (rest, small)) if part
    )


def tick_words(seconds: float, step: float) -> str:
    """Write an instant of a time axis exactly, in the units that its step needs: `1 h 30 min`, `10 min 0.5 s`."""
    size = abs(seconds)
    sign = MINUS if seconds < 0 else ""
    if size < 59.97 or step <= 0:
        return sign + duration_words(size)
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step < 1 else 0
    left, parts = round(size, digits), []
    for scale, unit in _LARGE:
        part = math.floor(left / scale + 1e-9) if scale > 1 else round(left, digits)
        left -= part * scale
        if part:
            written = f"{part:,.{digits if scale == 1 else 0}f}"
            parts.append(f"{in_language(written)}{SPACE}{unit}")
    return sign + " ".join(parts)


def value_words(value: float | None, unit: str) -> str:
    """Write a value of unit `s` (seconds), `1` (a share, as percent) or none."""
    if value is None:
        return "–"
    if unit == "s":
        return duration_words(value)
    return f"{number_words(value * 100)}{SPACE}%" if unit == "1" else number_words(value)


#: Units that the end of a parameter's name tells, those that end like another first.


def path_words(path: str) -> str:
    """Name a parameter by its label, for the middle of a sentence; without one, by the last part of its path."""
    if label := label_of(path):
        if (said := gettext(label)) != label or language() != SOURCE:
            return said
        return label if label[1:2].isupper() or label.startswith("Global ") else label[0].lower() + label[1:]
    name, end = last_of(path)
    return plain(name.removesuffix(end))


def axis_words(axis: Mapping[str, Any]) -> str:
    """Name what an axis of a study varies: its parameter, and those that change along with it."""
    told = [path_words(one["path"]) for one in (axis, *axis.get("along", ()))]
    name = told[0]
    if told[1:]:
        name = gettext("{parameter} with {others}", parameter=name, others=", ".join(told[1:]))
    if axis.get("holds") == "work":
        return gettext("{axis} (same work)", axis=name)
    return gettext("{axis} (same load)", axis=name) if axis.get("holds") == "load" else name


def path_unit(path: str) -> str:
    """Return the unit of a parameter's values as axes take it: `s`, `1` (a share), or none."""
    if last_of(path)[1] == "_s":
        return "s"
    return "1" if path.endswith("offered_load") else ""


def path_unit_word(path: str) -> str:
    """Return the unit that stands beside a parameter's name or value because ticks do not have it: `GB/s`, `ns`."""
    unit = ENDS.get(last_of(path)[1], "")
    return "" if unit == "s" else unit


def path_value_words(path: str, value: object) -> str:
    """Write a value of a parameter; None stands for the experiment's own."""
    if value is None:
        return gettext("its own value")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return literal(choice(path, value) or str(value))
    unit, word = path_unit(path), path_unit_word(path)
    if word:
        return f"{number_words(value)}{SPACE}{word}"
    # As the user typed it: nobody calls a heartbeat of 100 s one of 1 min 40 s.
    return f"{number_words(value)}{SPACE}s" if unit == "s" and 1 <= value < 600 else value_words(value, unit)


def literal(text: str) -> str:
    """Write a text of a user's so that plotly takes no part of it for markup."""
    return text.replace("<", "‹").replace(">", "›")


def capital(text: str) -> str:
    """Begin a text with a capital letter, unless it begins with a symbol such as p99."""
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]
