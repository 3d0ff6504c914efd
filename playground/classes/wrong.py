"""Problems of what a teacher typed, in sentences: where it is on the page, what is wrong, and what is allowed."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from playground.errors import MOST_PROBLEMS, ProblemItem, problem

_TYPES = {
    "string_type": "text", "float_type": "a number", "int_type": "a whole number", "bool_type": "true or false",
    "list_type": "a list", "dict_type": "an object", "model_type": "an object", "finite_number": "a finite number",
}  # fmt: skip
_MOST_SAID = 40
#: Fields whose names say little, as the page names them.
_NAMES = {
    "after_s": "instant (after_s)", "at_s": "instant (at_s)", "low": "beginning of the scale (low)",
    "high": "end of the scale (high)", "path": "parameter (path)", "metric": "measure (metric)",
}  # fmt: skip


def problems_of(error: ValidationError) -> list[ProblemItem]:
    """Return the problems that a model found; of very many, one more than an answer lists."""
    return [_problem(dict(item)) for item in error.errors(include_url=False)[: MOST_PROBLEMS + 1]]


def _problem(item: dict[str, Any]) -> ProblemItem:
    message, allowed = _words(item["type"], item.get("ctx") or {}, item.get("input"), item["msg"])
    return problem(".".join(str(part) for part in item["loc"]), message, allowed=allowed)


def _words(kind: str, about: dict[str, Any], given: object, said: str) -> tuple[str, str]:
    """Return what is wrong, and what is allowed; for a kind of problem without words of ours, what the model said."""
    value = f"is {given!r}"[:_MOST_SAID]
    words = {
        "missing": ("is missing", ""),
        "extra_forbidden": ("is no field here", ""),
        "string_too_short": ("is empty", ""),
        "string_too_long": ("is too long", f"at most {about.get('max_length')} characters"),
        "too_short": (f"must have at least {about.get('min_length')}", ""),
        "too_long": (f"must have at most {about.get('max_length')} entries", ""),
        "less_than_equal": (value, f"at most {about.get('le', 0):g}"),
        "greater_than_equal": (value, f"at least {about.get('ge', 0):g}"),
        "literal_error": (value, str(about.get("expected", ""))),
        "string_pattern_mismatch": (value, "letters, digits, points and hyphens"),
    }
    if kind in words:
        return words[kind]
    if kind in _TYPES:
        return value, _TYPES[kind]
    return said.removeprefix("Value error, "), ""


def of_lesson(item: ProblemItem) -> ProblemItem:
    """Return a problem of a lesson with the name of its place: steps count from 1, as on the page."""
    head, *rest = item["path"].split(".")
    if head == "steps" and rest:
        number, *names = rest
        shown = [name for name in names if name not in ("show", "question", "explore")]
        label = ", ".join([f"Step {int(number) + 1}", *(_NAMES.get(name, name) for name in shown[-1:])])
    else:
        label = head.capitalize() + (f", line {int(rest[0]) + 1}" if rest and rest[0].isdigit() else "")
    return {**item, "label": label} if label and not label.startswith("Line ") else item
