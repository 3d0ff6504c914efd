"""Turns what pydantic reports into problems: the field's path and a sentence of ours."""

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
_BOUNDS: dict[str, tuple[str, str]] = {
    "greater_than": ("gt", "above {}"),
    "greater_than_equal": ("ge", "at least {}"),
    "less_than": ("lt", "below {}"),
    "less_than_equal": ("le", "at most {}"),
    "multiple_of": ("multiple_of", "a multiple of {}"),
}
_LENGTHS: dict[str, tuple[str, str]] = {
    "too_short": ("min_length", "at least {:,} entries"),
    "too_long": ("max_length", "at most {:,} entries"),
    "string_too_short": ("min_length", "at least {:,} characters"),
    "string_too_long": ("max_length", "at most {:,} characters"),
}


def from_pydantic(error: ValidationError, root: type[BaseModel], data: object, prefix: str = "") -> list[Problem]:
    """Give a problem for each of the error's entries; `prefix` is the path at which `data` lies."""
    return [_problem(entry, _Place(root, data, entry), prefix) for entry in error.errors(include_url=False)]


class _Place:
    """Where an error lies: its path as a person writes it, and the model whose key it is."""

    def __init__(self, root: type[BaseModel], data: object, entry: ErrorDetails) -> None:
        self.path = ""
        self.owner: type[BaseModel] | None = root
        here, models = data, [root]
        steps = entry["loc"]
        for number, step in enumerate(steps):
            last = number == len(steps) - 1
            if isinstance(step, int):
                self.path += f"[{step}]"
                here = here[step] if isinstance(here, list | tuple) and step < len(here) else None
            elif isinstance(here, dict) and (
                step in here or (last and entry["type"] in ("missing", "extra_forbidden"))
            ):
                self.owner = _of_kind(models, here)
                self.path = join(self.path, step)
                here = here.get(step)
                models = _models_in(self.owner, step)
            # Else the step is the tag of a union, which no reader of the experiment knows.


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


def _of_kind(models: list[type[BaseModel]], here: dict[str, object]) -> type[BaseModel] | None:
    """Pick the model whose `kind` the data has."""
    for model in models:
        field = model.model_fields.get("kind")
        if len(models) == 1 or (field is not None and here.get("kind") in typing.get_args(field.annotation)):
            return model
    return None


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
    if kind in _BOUNDS:
        key, allowed = _BOUNDS[kind]
        return Problem(path, f"is {shown(value)}", allowed.format(context[key]))
    if kind in _LENGTHS:
        key, allowed = _LENGTHS[kind]
        size = context.get("actual_length")
        size = len(value) if size is None and hasattr(value, "__len__") else size
        return Problem(
            path, f"has {size:,} of them" if isinstance(size, int) else "has too many", allowed.format(context[key])
        )
    if kind in ("value_error", "assertion_error"):
        return Problem(path, str(context.get("error", "is refused")))
    return Problem(
        path, f"is {shown(value)}, which is not accepted here", remedy="see `python -m scheduler_core schema`"
    )


def _missing(path: str, context: dict[str, Any], value: object, place: _Place) -> Problem:
    return Problem(path, "is missing", "it has no default", "add it")


def _unknown_key(path: str, context: dict[str, Any], value: object, place: _Place) -> Problem:
    names = list(place.owner.model_fields) if place.owner else []
    key = path.rpartition(".")[2]
    return Problem(
        path, f"is no key that is known here{did_you_mean(key, names)}", listed(names), "rename or remove it"
    )


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
    return Problem(join(path, str(context["discriminator"]).strip("'")), "is missing", "it says which fields follow")


_SPECIAL: dict[str, Callable[[str, dict[str, Any], object, _Place], Problem]] = {
    "missing": _missing,
    "extra_forbidden": _unknown_key,
    "literal_error": _literal,
    "union_tag_invalid": _unknown_tag,
    "union_tag_not_found": _no_tag,
}
