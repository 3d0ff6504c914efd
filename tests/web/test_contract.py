"""The contract over HTTP and in files that are made from it; notices and problems as they are really sent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from playground import models
from playground.contract import DOCUMENTS, states
from playground.contract.files import SCHEMA_FOLDER, made_files, schema
from playground.presentations import rooms
from playground.runs.live import store
from playground.shell.api import api
from playground.shell.operations import OPERATIONS, operation_pages
from playground.storage.keys import notices_group, presentation_group, study_group
from playground.studies import signals
from playground.web.schemas import Shape
from scheduler_core.experiment.experiment import schema as experiment
from tests.contracts import kept
from tests.support import PROJECT
from tests.web.conftest import JsonClient


def test_the_committed_files_are_what_the_models_give() -> None:
    files = made_files() | operation_pages()
    for name, text in files.items():
        assert (PROJECT / name).read_text(encoding="utf-8") == text, f"{name}: run manage.py make_contract"
    committed = {f"{SCHEMA_FOLDER}/{path.name}" for path in (PROJECT / SCHEMA_FOLDER).iterdir()}
    assert committed == {name for name in files if name.startswith(SCHEMA_FOLDER)}


def test_every_parameter_and_field_of_an_operation_has_a_meaning() -> None:
    page = operation_pages()[OPERATIONS]
    assert page.count("\n### ") > 100
    assert [row for row in page.splitlines() if row.endswith("|  |")] == []


def fields(part: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each field in a JSON Schema with its place, in definitions and in objects within objects as well."""
    if isinstance(part, list):
        part = dict(enumerate(part))
    if not isinstance(part, dict):
        return
    properties = part.get("properties")
    for name, field in properties.items() if isinstance(properties, dict) else ():
        yield f"{place}.{name}", field
        yield from fields(field, f"{place}.{name}")
    for key, inner in part.items():
        # A condition refers to fields that are declared elsewhere.
        if key not in ("properties", "if", "then"):
            yield from fields(inner, f"{place}/{key}")


SCHEMAS: dict[str, Callable[[], Any]] = {
    **{name: partial(schema, name) for name in DOCUMENTS},
    "api": lambda: json.loads(json.dumps(api.get_openapi_schema(), default=str)),
    "experiment": experiment,
}


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_every_field_has_a_meaning(name: str) -> None:
    found = list(fields(SCHEMAS[name](), name))
    assert found
    silent = [place for place, field in found if not str(field.get("description", "")).strip(" .")]
    assert silent == [], "write a docstring below each of these fields"


def test_no_two_shapes_share_a_name() -> None:
    """The API's description has one object for a name: a second one would take its place."""

    def below(shape: type) -> Iterator[tuple[str, str]]:
        for inner in shape.__subclasses__():
            yield inner.__name__, inner.__module__
            yield from below(inner)

    shapes = set(below(Shape))  # ninja copies the shapes of queries
    assert len(shapes) > 90
    assert [name for name, count in Counter(name for name, _ in shapes).items() if count > 1] == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_every_schema_has_an_address(browser: JsonClient, name: str) -> None:
    answer = browser.read(f"schema/{name}.json")
    assert answer.status_code == 200
    found = answer.json()
    assert found["$schema"].startswith("https://json-schema.org/")
    assert found.keys() & {"properties", "anyOf"}


@pytest.mark.django_db
def test_an_unknown_schema_is_a_problem_that_names_the_known_ones(browser: JsonClient) -> None:
    answer = browser.read("schema/nothing.json")
    assert answer.status_code == 404
    problem = kept("problem", answer.json())
    assert all(name in problem["problems"][0]["allowed"] for name in DOCUMENTS)


@pytest.mark.django_db
def test_problems_are_as_the_model_says(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    refused = browser.send("experiments", small_experiment | {"seed": -1})
    assert refused.status_code == 422
    assert kept("problem", refused.json())["problems"]
    schemas = browser.read("openapi.json").json()["components"]["schemas"]
    assert set(schemas["HttpProblem"]["properties"]) == set(refused.json())
    assert [name for name in schemas if "Problem" in name] == ["HttpProblem", "ProblemItem"]


def test_states_are_those_of_the_database() -> None:
    assert set(states.RunState.__args__) == set(models.RunState.values)  # type: ignore[attr-defined]


@pytest.fixture
def group() -> Iterator[Any]:
    """Join a group of the channel layer; the function returned gives the next notice in it."""
    layer = get_channel_layer()
    assert layer is not None
    joined: list[tuple[str, str]] = []

    def join(name: str) -> Any:
        channel = async_to_sync(layer.new_channel)()
        async_to_sync(layer.group_add)(name, channel)
        joined.append((name, channel))
        return lambda: async_to_sync(layer.receive)(channel)

    yield join
    for name, channel in joined:
        async_to_sync(layer.group_discard)(name, channel)


@pytest.mark.redis
def test_notices_are_as_the_model_says(redis_url: str, group: Any) -> None:
    heard = group(notices_group("r1"))
    store.announce_state("r1", store.Progress(models.RunState.RUNNING, 0.5, 1.0, 3))
    assert kept("notice", heard()) == {"type": "run.state", "state": "running"}
    heard = group(study_group("s1"))
    signals.announce("s1")
    assert kept("notice", heard()) == {"type": "study.news"}
    heard = group(presentation_group("p1"))
    async_to_sync(rooms.begin)("p1")
    assert kept("notice", heard()) == {"type": "presentation.news"}
