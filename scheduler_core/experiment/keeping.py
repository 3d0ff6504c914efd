"""Find the values that an experiment of an earlier version implies by omission, and write them out.

A walk through a model of pydantic and data of it side by side. `scheduler_core.experiment.formerly` has the
declarations, `scheduler_core.experiment.rules` what callers use.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from scheduler_core.experiment.formerly import KEY, former_default
from scheduler_core.known import registries

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class FormerRule:
    """A value that an experiment has from the rules of an earlier version."""

    place: Place
    """The keys and indices that lead to it."""
    value: Any
    """What it was by default, and is in the experiment."""
    written: bool
    """Whether the experiment lacks it, so that `keep_rules` writes it out."""
    label: str = ""
    """The field's name for people."""
    unit: str = ""
    """The unit of the value; empty: none."""

    @property
    def path(self) -> str:
        """Write the place as problems do: topology.clusters[0].racks."""
        return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.place).removeprefix(".")


def former_rules(model: type[BaseModel], data: dict[str, Any], made_under: str) -> list[FormerRule]:
    """List the values in which an experiment of a version (in today's format) follows rules that have changed since.

    A value that the experiment names itself counts where it is the default of then: experiments are stored with their
    defaults written out, which cannot be told from values that a user chose.
    """
    return list(rules_of_part(model, data, made_under, ())) + list(_rules_of_scheduler(data, made_under))


def with_former_values(model: type[BaseModel], data: dict[str, Any], made_under: str) -> dict[str, Any]:
    """Return a copy with the former values of all absent fields; the data need not be valid."""
    for rule in former_rules(model, data, made_under):
        if rule.written:
            data = with_value(data, rule.place, rule.value)
    return data


def _rules_of_scheduler(data: dict[str, Any], made_under: str) -> Iterator[FormerRule]:
    choice = data.get("scheduler")
    name = choice.get("name") if isinstance(choice, dict) else None
    model = registries().params_of(name) if isinstance(name, str) else None
    params = choice.get("params", {}) if isinstance(choice, dict) else None
    if model is not None and isinstance(params, dict):
        yield from rules_of_part(model, params, made_under, ("scheduler", "params"))


def rules_of_part(model: type[BaseModel], data: dict[str, Any], made_under: str, place: Place) -> Iterator[FormerRule]:
    """Yield the former rules of a part, and of the parts in it that it names or has by default."""
    profile = _profile(model, data, made_under)
    for name, field in model.model_fields.items():
        here, given = (*place, name), name in data
        for value in former_default(field.json_schema_extra, made_under, profile):
            if not given or _same(data[name], value):
                extra = field.json_schema_extra
                unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
                yield FormerRule(here, value, not given, field.title or name.replace("_", " "), unit)
        for inner, part, at in _parts(field, data.get(name), given, here):
            yield from rules_of_part(inner, part, made_under, at)


def _profile(model: type[BaseModel], data: dict[str, Any], made_under: str) -> object:
    """Return the profile that a scheduler's parameters name, or had by default."""
    field = model.model_fields.get("profile")
    if field is None or "profile" in data:
        return data.get("profile")
    return next(iter(former_default(field.json_schema_extra, made_under)), field.default)


def _parts(
    field: FieldInfo, value: object, given: bool, place: Place
) -> Iterator[tuple[type[BaseModel], dict[str, Any], Place]]:
    """Yield the parts of an experiment that a field holds, as model, data and place.

    A part that is absent counts where its default is all defaults, such as `network`.
    """
    if not given and isinstance(field.default, BaseModel) and not field.default.model_fields_set:
        yield type(field.default), {}, place
    # Walking a long list of unchanged jobs would be slow, and would find nothing.
    models = [model for model in _models(field.annotation) if _declares(model)]
    values: list[tuple[Place, object]] = [(place, value)]
    if isinstance(value, list):
        values = [((*place, number), each) for number, each in enumerate(value)]
    elif isinstance(value, dict) and get_origin(field.annotation) is dict:
        values = [((*place, key), each) for key, each in value.items()]
    for at, each in values if models else ():
        if isinstance(each, dict):
            yield from ((model, each, at) for model in models if _is_meant(model, each))


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


@functools.cache
def _declares(model: type[BaseModel]) -> bool:
    """Return True if a field of a part, or of a part in it, has a former default."""
    return any(
        (isinstance(field.json_schema_extra, dict) and KEY in field.json_schema_extra)
        or any(map(_declares, _models(field.annotation)))
        for field in model.model_fields.values()
    )


def _is_meant(model: type[BaseModel], data: dict[str, Any]) -> bool:
    """Return True if data can be of this one of several models: `kind: trace` cannot be a synthetic workload."""
    kind = model.model_fields.get("kind")
    return kind is None or get_origin(kind.annotation) is not Literal or data.get("kind") in get_args(kind.annotation)


def _same(one: object, other: object) -> bool:
    # In Python True equals 1; in JSON they are two things.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def with_value(data: Any, place: Place, value: Any) -> Any:
    """Return a copy with a value at a place; missing parts on the way are added."""
    step, rest = place[0], place[1:]
    inner = value if not rest else with_value(data.get(step, {}) if isinstance(data, dict) else data[step], rest, value)
    if isinstance(data, list):
        return [inner if number == step else each for number, each in enumerate(data)]
    return {**data, step: inner}


def without_value(data: Any, place: Place) -> Any:
    """Return a copy without the value at a place."""
    step, rest = place[0], place[1:]
    if isinstance(data, list):
        return [without_value(each, rest) if number == step else each for number, each in enumerate(data)]
    if not rest:
        return {key: each for key, each in data.items() if key != step}
    return {**data, step: without_value(data[step], rest)}


def value_at(data: Any, place: Place) -> Any:
    """Look up the value at a place."""
    for step in place:
        data = data[step]
    return data
