"""No default changes unseen: what each was in an earlier version is recorded, and each that differs now is declared.

A file `data/defaults-VERSION.json` is written once, when that version is finished, and never changes afterwards:
`python -m tests.core.test_former_defaults` writes the one of the present version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, TypeAdapter

from scheduler_core import Experiment, __version__, keep_rules
from scheduler_core.experiment.formerly import KEY, former_default, version_of
from scheduler_core.experiment.renamed import RENAMED
from scheduler_core.schedulers import SCHEDULERS, UNLISTED
from scheduler_core.world.spec import SchedulerSpec

DATA = Path(__file__).parent / "data"
RECORDED = sorted(DATA.glob("defaults-*.json"))
HOW = "declare what it was with formerly(): CONTRIBUTING.md, 'Changing a default'"
JSON = TypeAdapter(Any)


def parts(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[type[BaseModel]]:
    """Yield a model of the experiment and all in it, each once."""
    if model in seen:
        return
    seen.add(model)
    yield model
    for field in model.model_fields.values():
        for inner in models_in(field.annotation):
            yield from parts(inner, seen)


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from models_in(inner)


def defaults_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return the default of each field that has one; a part that is all defaults is recorded as that part."""
    fields = {
        name: field
        for name, field in model.model_fields.items()
        if not field.is_required() and not (isinstance(field.default, BaseModel) and not field.default.model_fields_set)
    }
    return {
        name: JSON.dump_python(field.get_default(call_default_factory=True), mode="json")
        for name, field in fields.items()
    }


def profiles_of(spec: SchedulerSpec) -> list[dict[str, str]]:
    profile = spec.params.model_fields.get("profile")
    return [{"profile": name} for name in get_args(profile.annotation)] if profile else [{}]


def table() -> dict[str, Any]:
    """Record every default: of the parts of an experiment, and of each scheduler under each profile."""
    return {
        "parts": {model.__name__: defaults_of(model) for model in parts(Experiment, set())},
        "schedulers": {
            spec.name: [spec.params.model_validate(given).model_dump(mode="json") for given in profiles_of(spec)]
            for spec in (*SCHEDULERS, *UNLISTED)
        },
    }


def known(version: str) -> Any:
    return json.loads((DATA / f"defaults-{version}.json").read_text())


def named_then(name: str, version: str) -> str:
    """Return the name that a scheduler had in a version; empty if another one had its name."""
    then = {old: one.now for old, one in RENAMED.items() if version_of(version) < version_of(one.since)}
    return next((old for old, now in then.items() if now == name), "" if name in then else name)


VERSIONS = [path.stem.removeprefix("defaults-") for path in RECORDED]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("spec", [*SCHEDULERS, *UNLISTED], ids=lambda spec: spec.name)
def test_a_scheduler_keeps_every_default_of_an_earlier_version(spec: SchedulerSpec, version: str) -> None:
    called = named_then(spec.name, version)
    for then in known(version)["schedulers"].get(called, []):
        given = {"profile": then["profile"]} if "profile" in then else {}
        scheduler = keep_rules({"scheduler": {"name": called, "params": given}}, version)["scheduler"]
        assert scheduler["name"] == spec.name
        kept = scheduler["params"]
        now = spec.params.model_validate(kept).model_dump(mode="json")
        # As it is read today: a value may have got another name.
        stored = spec.params.model_validate(then).model_dump(mode="json")
        for name, value in then.items():
            assert now[name] == stored[name], f"{spec.name}.{name} was {value}, is {now[name]}: {HOW}"
        for name in now.keys() - then.keys() - kept.keys():
            assert not now[name], f"{spec.name}.{name} is new and not off (None, false, 0 or empty): {HOW}"


@pytest.mark.parametrize("version", VERSIONS)
def test_the_parts_of_an_experiment_keep_every_default_of_an_earlier_version(version: str) -> None:
    before = known(version)["parts"]
    for model in parts(Experiment, set()):
        then = before.get(model.__name__)
        for name, value in defaults_of(model).items() if then is not None else ():
            extra = model.model_fields[name].json_schema_extra
            was = former_default(extra, version) or (value,)
            if name in then:
                assert was == (then[name],), f"{model.__name__}.{name} was {then[name]}, is {value}: {HOW}"
            else:
                assert not value or KEY in (extra or {}), f"{model.__name__}.{name} is new and not off: {HOW}"


def test_the_first_version_is_recorded_whole() -> None:
    first = known("0.1.0")
    assert len(first["schedulers"]) == 44
    assert {"Experiment", "Network", "SyntheticWorkload", "TraceWorkload", "InlineWorkload"} <= first["parts"].keys()
    assert first["schedulers"]["megha"][0]["match_us"] == 40.0
    assert first["schedulers"]["megha"][1]["heartbeat_s"] == 30.0


if __name__ == "__main__":
    path = DATA / f"defaults-{__version__}.json"
    path.write_text(json.dumps(table(), indent=1, sort_keys=True) + "\n")
