"""Turn pydantic's errors into problems with the field's path and a message of this library."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from scheduler_core.errors import Problem, did_you_mean, listed, shown
from scheduler_core.experiment.fields import REFUSED

_OBJECT = ("is not an object", "an object in braces")
_LIST = ("is not a list", "a list in brackets")
_NUMBER = ("is not a number", "a number")
_WHOLE = ("is not a whole number", "a whole number")
_TEXT = ("is not a text", "a text in quotes")
_FIXED: dict[str, tuple[str, str]] = {
    "model_type": _OBJECT,
    "dict_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "mapping_type": _OBJECT,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "set_type": _LIST,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": ("is not a finite number", "a finite number"),
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": _WHOLE,
    "string_type": _TEXT,
    "bool_type": ("is neither true nor false", "true or false"),
    "bool_parsing": ("is neither true nor false", "true or false"),
}
_BOUNDS = {
    "gt": "above {:,}",
    "ge": "at least {:,}",
    "lt": "below {:,}",
    "le": "at most {:,}",
    "multiple_of": "a multiple of {:,}",
}
_OUT_OF_BOUNDS = {"greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of"}
_LENGTHS: dict[str, tuple[str, str]] = {
    "too_short": ("min_length", "at least {:,}"),
    "too_long": ("max_length", "at most {:,}"),
    "string_too_short": ("min_length", "at least {:,} characters"),
    "string_too_long": ("max_length", "at most {:,} characters"),
}


def from_pydantic(error: ValidationError, root: type[BaseModel], data: object, prefix: str = "") -> list[Problem]:
    """Return a problem for each entry of a pydantic error; `prefix` is the path of `data` in the experiment."""
    places = [(entry, _Place(root, data, entry)) for entry in error.errors(include_url=False)]
    return [_problem(entry, place, prefix) for entry, place in places if not _follows(entry, place)]


def _follows(entry: ErrorDetails, place: _Place) -> bool:
    """Return True if a list is too short only because it leaves out entries with problems of their own."""
    least = entry.get("ctx", {}).get("min_length", 0)
    return entry["type"] == "too_short" and isinstance(place.value, list | tuple) and len(place.value) >= least


class _Place:
    """Where an error lies: its path as a person writes it, and the model whose key it is."""

    def __init__(self, root: type[BaseModel], data: object, entry: ErrorDetails) -> None:
        self.path = ""
        self.owner: type[BaseModel] | None = root
        self.value = data
        models: list[type[BaseModel]] = [root]
        for step in entry["loc"]:
            if isinstance(step, int):
                self.path += f"[{step}]"
                held = self.value
                self.value = held[step] if isinstance(held, list | tuple) and step < len(held) else None
            elif len(models) > 1:
                # The tag of a union, which no reader of the experiment knows: it only tells which model follows.
                models = [model for model in models if step in _kinds(model)]
            elif isinstance(self.value, dict):
                self.owner = models[0] if models else None
                self.path = join(self.path, step)
                self.value = self.value.get(step)
                models = _models_in(self.owner, step)


def join(path: str, key: object) -> str:
    """Append a key to a path."""
    text = str(key)
    text = text if text.isprintable() and len(text) <= 80 else shown(text, 80)
    return f"{path}.{text}" if path else text


def _models_in(owner: type[BaseModel] | None, key: str) -> list[type[BaseModel]]:
    """List the models that a field of `owner` may hold."""
    field = owner.model_fields.get(key) if owner else None
    return list(_models(field.annotation)) if field else []


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and not typing.get_args(annotation):
        if issubclass(annotation, BaseModel):
            yield annotation
        return
    for part in typing.get_args(annotation):
        yield from _models(part)


def _kinds(model: type[BaseModel]) -> tuple[object, ...]:
    """Return the values of `kind` that select a model."""
    field = model.model_fields.get("kind")
    return typing.get_args(field.annotation) if field else ()


def _problem(entry: ErrorDetails, place: _Place, prefix: str) -> Problem:
    path = f"{prefix}.{place.path}" if prefix and place.path else prefix or place.path
    kind, context, value = entry["type"], entry.get("ctx", {}), entry["input"]
    if kind == REFUSED:
        return Problem(path, context["message"], context["allowed"], context["remedy"])
    if kind in _SPECIAL:
        return _SPECIAL[kind](path, context, value, place)
    if kind in _FIXED:
        message, allowed = _FIXED[kind]
        return Problem(path, message if isinstance(value, dict | list) else f"{message}: {shown(value)}", allowed)
    if kind in _OUT_OF_BOUNDS:
        return Problem(path, f"is {shown(value)}", _bounds(place))
    if kind in _LENGTHS:
        key, allowed = _LENGTHS[kind]
        noun = "characters" if kind.startswith("string") else "entries"
        size = context.get("actual_length")
        size = len(value) if size is None and hasattr(value, "__len__") else size
        return Problem(
            path, f"has {size:,} {noun}" if isinstance(size, int) else "has too many", allowed.format(context[key])
        )
    if kind in ("value_error", "assertion_error"):
        return Problem(path, str(context.get("error", "is refused")))
    return Problem(
        path, f"is {shown(value)}, which is not accepted here", remedy="see `python -m scheduler_core schema`"
    )


def _bounds(place: _Place) -> str:
    """Return all bounds of the field at a place in words, not only the violated one."""
    field = place.owner.model_fields.get(place.path.rpartition(".")[2]) if place.owner else None
    found = [
        words.format(int(bound) if float(bound).is_integer() else bound)
        for one in (field.metadata if field else ())
        for key, words in _BOUNDS.items()
        if (bound := getattr(one, key, None)) is not None
    ]
    return " and ".join(found)


def _missing(path: str, context: dict[str, Any], value: object, place: _Place) -> Problem:
    return Problem(path, "is missing", remedy="add it: it has no default")


def _unknown_key(path: str, context: dict[str, Any], value: object, place: _Place) -> Problem:
    names = list(place.owner.model_fields) if place.owner else []
    key = path.rpartition(".")[2]
    return Problem(path, f"is not a known key{did_you_mean(key, names)}", listed(names), "rename it or remove it")


def _literal(path: str, context: dict[str, Any], value: object, place: _Place) -> Problem:
    expected = str(context["expected"])
    names = expected.replace("'", "").replace(" or ", ", ").split(", ")
    return Problem(path, f"is {shown(value)}{did_you_mean(str(value), names)}", expected)


def _unknown_tag(path: str, context: dict[str, Any], value: object, place: _Place) -> Problem:
    expected, tag = str(context["expected_tags"]), str(context["tag"])
    key = str(context["discriminator"]).strip("'")
    near = did_you_mean(tag, expected.replace("'", "").split(", "))
    return Problem(join(path, key), f"is {shown(tag)}{near}", expected)


def _no_tag(path: str, context: dict[str, Any], value: object, place: _Place) -> Problem:
    return Problem(
        join(path, str(context["discriminator"]).strip("'")), "is missing", remedy="add it: it says which fields follow"
    )


_SPECIAL: dict[str, Callable[[str, dict[str, Any], object, _Place], Problem]] = {
    "missing": _missing,
    "extra_forbidden": _unknown_key,
    "literal_error": _literal,
    "union_tag_invalid": _unknown_tag,
    "union_tag_not_found": _no_tag,
}
