"""The rules under which an experiment was made: it keeps them when defaults change later.

An experiment that was stored, or that lies in a link, does not name every parameter. `keep_rules` writes out what the
absent ones meant in the version that made it. What is posted, read from a file or given to `Experiment.parse` has
today's rules: nothing is written out there.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from scheduler_core.errors import ExperimentError
from scheduler_core.experiment.experiment import Experiment
from scheduler_core.experiment.formerly import KEY, former_default
from scheduler_core.experiment.upgrade import upgrade
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

    @property
    def path(self) -> str:
        """Write the place as problems do: topology.clusters[0].racks."""
        return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.place).removeprefix(".")


def keep_rules(data: dict[str, Any], made_under: str) -> dict[str, Any]:
    """Give an experiment of a version in today's format, with the rules of that version written out.

    `data` never changes and need not be valid. Raises ExperimentError for a format that is still to come.
    """
    data = upgrade(data)
    for rule in former_rules(data, made_under):
        if rule.written:
            data = _with(data, rule.place, rule.value)
    return data


def former_rules(data: dict[str, Any], made_under: str) -> list[FormerRule]:
    """List the values in which an experiment of a version (in today's format) follows rules that have changed since.

    A value that the experiment names itself counts where it is the default of then: experiments are stored with their
    defaults written out, which cannot be told from values that somebody chose.
    """
    return list(_of_part(Experiment, data, made_under, ())) + list(_of_scheduler(data, made_under))


def with_todays_rules(data: dict[str, Any], made_under: str) -> dict[str, Any]:
    """Give an experiment of a version without what it follows of former rules: today's defaults take their place."""
    data = keep_rules(data, made_under)
    for rule in former_rules(data, made_under):
        data = _without(data, rule.place)
    return data


def changed_rules(data: dict[str, Any], made_under: str) -> list[tuple[FormerRule, Any]]:
    """List the former rules that an experiment follows, each with today's value; none where they come to the same.

    An experiment that is not valid (any more) under today's rules has no values to compare: it gives none.
    """
    rules = former_rules(upgrade(data), made_under)
    if not rules:
        return []
    try:
        today = Experiment.parse(with_todays_rules(data, made_under)).to_dict()
    except ExperimentError:
        return []
    pairs = [(rule, _at(today, rule.place)) for rule in rules]
    return [(rule, value) for rule, value in pairs if value != rule.value]


def _of_scheduler(data: dict[str, Any], made_under: str) -> Iterator[FormerRule]:
    choice = data.get("scheduler")
    name = choice.get("name") if isinstance(choice, dict) else None
    model = registries().params_of(name) if isinstance(name, str) else None
    params = choice.get("params", {}) if isinstance(choice, dict) else None
    if model is not None and isinstance(params, dict):
        yield from _of_part(model, params, made_under, ("scheduler", "params"))


def _of_part(model: type[BaseModel], data: dict[str, Any], made_under: str, place: Place) -> Iterator[FormerRule]:
    """Give the former rules of a part, and of the parts in it that it names or has by default."""
    profile = _profile(model, data, made_under)
    for name, field in model.model_fields.items():
        here, given = (*place, name), name in data
        for value in former_default(field.json_schema_extra, made_under, profile):
            if not given or _same(data[name], value):
                yield FormerRule(here, value, written=not given)
        for inner, part, at in _parts(field, data.get(name), given, here):
            yield from _of_part(inner, part, made_under, at)


def _profile(model: type[BaseModel], data: dict[str, Any], made_under: str) -> object:
    """Return the profile that a scheduler's parameters name, or had by default."""
    field = model.model_fields.get("profile")
    if field is None or "profile" in data:
        return data.get("profile")
    return next(iter(former_default(field.json_schema_extra, made_under)), field.default)


def _parts(
    field: FieldInfo, value: object, given: bool, place: Place
) -> Iterator[tuple[type[BaseModel], dict[str, Any], Place]]:
    """Give the parts of an experiment that a field holds, as model, data and place.

    A part that is absent counts where its default is all defaults, such as `network`.
    """
    if not given and isinstance(field.default, BaseModel) and not field.default.model_fields_set:
        yield type(field.default), {}, place
    # A long list of jobs in which nothing has changed is not walked.
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
    """Say whether a field of a part, or of a part in it, has a former default."""
    return any(
        (isinstance(field.json_schema_extra, dict) and KEY in field.json_schema_extra)
        or any(map(_declares, _models(field.annotation)))
        for field in model.model_fields.values()
    )


def _is_meant(model: type[BaseModel], data: dict[str, Any]) -> bool:
    """Say whether data can be of this one of several models: `kind: trace` is no synthetic workload."""
    kind = model.model_fields.get("kind")
    return kind is None or get_origin(kind.annotation) is not Literal or data.get("kind") in get_args(kind.annotation)


def _same(one: object, other: object) -> bool:
    # In Python True equals 1; in JSON they are two things.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _with(data: Any, place: Place, value: Any) -> Any:
    """Give a copy with a value at a place, the parts on the way made where they lack."""
    step, rest = place[0], place[1:]
    inner = value if not rest else _with(data.get(step, {}) if isinstance(data, dict) else data[step], rest, value)
    if isinstance(data, list):
        return [inner if number == step else each for number, each in enumerate(data)]
    return {**data, step: inner}


def _without(data: Any, place: Place) -> Any:
    """Give a copy without the value at a place."""
    step, rest = place[0], place[1:]
    if isinstance(data, list):
        return [_without(each, rest) if number == step else each for number, each in enumerate(data)]
    if not rest:
        return {key: each for key, each in data.items() if key != step}
    return {**data, step: _without(data[step], rest)}


def _at(data: Any, place: Place) -> Any:
    for step in place:
        data = data[step]
    return data
