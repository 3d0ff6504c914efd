"""Read untrusted JSON: bound its size and depth, and reject duplicate keys and numbers outside JSON."""

from __future__ import annotations

import json
from typing import Any

from scheduler_core.errors import ExperimentError, Problem, shown
from scheduler_core.limits import Limits


def read_json(text: str | bytes, limits: Limits) -> dict[str, Any]:
    """Return the JSON object in an experiment's text. Raises ExperimentError."""
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if (problem := limits.exceeded("json_bytes", size, "")) is not None:
        raise ExperimentError([problem])
    twice: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            seen: set[str] = set()
            twice.extend(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return found

    try:
        data = json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise ExperimentError([_too_deep(limits)]) from None
    except UnicodeDecodeError as error:
        raise ExperimentError([Problem("", f"is not UTF-8 text (byte {error.start})", "JSON in UTF-8")]) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ExperimentError([Problem("", f"is not JSON: {error.msg} at {where}", "one JSON object")]) from None
    except ValueError:
        raise ExperimentError(
            [Problem("", "has a number of thousands of digits", "numbers that fit a double")]
        ) from None
    if twice:
        raise ExperimentError(
            [
                Problem("", f"has the key {shown(key)} twice in one object", "each key once", "remove one")
                for key in dict.fromkeys(twice)
            ]
        )
    return as_object(data, limits)


def as_object(data: object, limits: Limits) -> dict[str, Any]:
    """Return `data` after checking that it is an object of bounded size and depth. Raises ExperimentError."""
    if not isinstance(data, dict):
        raise ExperimentError([Problem("", "is not an object", "one JSON object with keys such as 'topology'")])
    values, level = 0, [data]
    for _depth in range(limits.json_depth):
        below: list[Any] = []
        for value in level:
            inner = value.values() if isinstance(value, dict) else value
            values += len(inner)
            below.extend(v for v in inner if isinstance(v, dict | list | tuple))
            # Counted as we go: a self-referring object would otherwise fill the memory before it is too deep.
            if (problem := limits.exceeded("json_values", values, "")) is not None:
                raise ExperimentError([problem])
        if not below:
            return data
        level = below
    raise ExperimentError([_too_deep(limits)])


def _too_deep(limits: Limits) -> Problem:
    return Problem("", "is nested too deeply", f"at most {limits.json_depth} levels (limit 'json_depth')")
