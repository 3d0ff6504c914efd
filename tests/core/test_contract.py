"""What every scheduler gives away is what the contract's models say, and old recordings are read as new ones."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import msgpack
import pytest
from pydantic import TypeAdapter, ValidationError

from scheduler_core import (
    SCHEDULERS,
    Experiment,
    Frame,
    RecordingReader,
    RunView,
    Simulation,
    describe,
    explain,
    merge,
    scheduler_by_name,
)
from scheduler_core.cli.main import main
from scheduler_core.contract import DOCUMENTS, upgraded_meta
from scheduler_core.contract.meta import Meta
from scheduler_core.contract.schema import schema_of
from scheduler_core.contract.upgrade import ROLES_OF_FORMAT_1
from scheduler_core.engine.records import DECISION
from scheduler_core.errors import Problem
from tests.contracts import kept
from tests.core.experiments import LOOPS

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SPECS = {spec.name: spec for spec in SCHEDULERS}
JOBS = [
    {"arrival_s": 0.1, "durations_s": [1.0, 2.0, 1.5]},
    {"arrival_s": 0.5, "durations_s": [1.0, 2.0, 1.5], "demand": {"cpus": 2, "memory_gb": 1}},
    {"arrival_s": 1.0, "durations_s": [9.0, 9.0]},
]
GRAPH = {"arrival_s": 1.2, "stages": [
    {"name": "a", "tasks": 3, "duration_s": 1.0, "demand": {"cpus": 1}},
    {"name": "b", "tasks": 1, "duration_s": 2.0, "demand": {"cpus": 1}, "after": ["a"]},
]}  # fmt: skip
PARAMS: dict[str, dict[str, Any]] = {"quincy": {"input_gb": 1.0}}


def experiment_of(scheduler: str) -> Experiment:
    """A small datacenter with little to do, and a fault where the scheduler knows of any."""
    supports = scheduler_by_name(scheduler).supports
    data: dict[str, Any] = {
        "schema_version": 1,
        "topology": {
            "global_masters": 2,
            "clusters": [{"name": "c", "repeat": 2, "racks": 2, "machines": [{"count": 6, "cpus": 2, "memory_gb": 4}]}],
        },
        "workload": {"kind": "inline", "jobs": [*JOBS, *([GRAPH] if "dag" in supports else [])]},
        "scheduler": {"name": scheduler, "params": PARAMS.get(scheduler, {})},
    }
    if "machine_faults" in supports:
        data["events"] = [{"at_s": 1.5, "kind": "fail", "target": {"machine": 1}, "duration_s": 1}]
    return Experiment.parse(data)


@pytest.mark.parametrize("scheduler", list(SPECS))
def test_meta_of_every_scheduler_is_as_the_model_says(scheduler: str) -> None:
    meta = kept("meta", describe(experiment_of(scheduler)))
    roles = [layer["role"] for layer in meta["layers"] if layer["role"] not in ("", "resource")]
    assert "load" in roles
    assert len(roles) == len(set(roles))
    assert ("owner" in roles) == bool(meta["owners"])


@pytest.mark.parametrize("scheduler", [*LOOPS, "carbyne", "eagle"])
def test_frames_summary_and_recording_of_every_loop_are_as_the_models_say(scheduler: str, tmp_path: Path) -> None:
    experiment = experiment_of(scheduler)
    simulation = Simulation(experiment, frames=40)
    frames = list(simulation.run())
    for frame in frames:
        kept("frame", msgpack.unpackb(frame.encode()))
    whole = kept("frame", msgpack.unpackb(merge(frames).encode()))
    names = {layer["name"] for layer in simulation.meta()["layers"]}
    assert whole["layers"].keys() == names
    assert kept("summary", whole["end"])["scheduler"] == scheduler
    RunView(simulation).write_recording(tmp_path / "run.zip")
    with RecordingReader(tmp_path / "run.zip") as reader:
        assert kept("meta", reader.meta)["decisions_thinned"] == 0
        kept("summary", json.loads(json.dumps(reader.summary)))
        for row in reader.decisions().to_pylist():
            kept("decision-row", row)


def test_figures_of_some_schedulers_only_are_in_the_models() -> None:
    found: dict[str, Any] = {}
    for scheduler in ("eagle", "carbyne", "quincy", "pipeline"):
        simulation = Simulation(experiment_of(scheduler), frames=0)
        for _ in simulation.run():
            pass
        assert simulation.result is not None
        found[scheduler] = kept("summary", simulation.result.summary)
    assert "by_class" in found["eagle"]
    assert {"leftover", "slowdown"} <= found["carbyne"]["graphs"].keys()
    assert {"read_gb", "locality"} <= found["quincy"]["running"].keys()
    assert {"pipeline", "graphs"} <= found["pipeline"].keys()


def test_told_decisions_and_problems_are_as_the_models_say() -> None:
    told = explain(experiment_of("megha"), 0)["decisions"]
    assert told
    for decision in told:
        kept("told-decision", decision)
    problem = {"type": "invalid", "title": "No", "status": 422, "problems": [Problem("seed", "is wrong").to_dict()]}
    kept("problem", problem)


def test_the_log_has_the_columns_of_the_model() -> None:
    assert list(DOCUMENTS["decision-row"].__annotations__) == list(DECISION.names or ())


@pytest.mark.parametrize("place", [(), ("scheduler",), ("layers", 0), ("clusters", 0, "partitions", 0)])
def test_a_key_too_many_or_too_few_is_noticed(place: tuple[Any, ...]) -> None:
    good = describe(experiment_of("megha"))
    for change in ("more", "fewer"):
        bad = copy.deepcopy(good)
        part: Any = bad
        for step in place:
            part = part[step]
        if change == "more":
            part["another"] = 1
        else:
            part.popitem()
        with pytest.raises(ValidationError):
            kept("meta", bad)


def test_the_json_schema_accepts_and_refuses_the_same() -> None:
    schema = schema_of(Meta, "Meta")
    meta = json.loads(json.dumps(describe(experiment_of("megha"))))
    jsonschema.validate(meta, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(meta | {"another": 1}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({name: value for name, value in meta.items() if name != "layers"}, schema)


def test_every_field_of_the_models_has_words_or_a_name_that_says_it() -> None:
    for name, model in DOCUMENTS.items():
        schema = TypeAdapter(model).json_schema()
        for each in (schema, *schema.get("$defs", {}).values()):
            assert each.get("description"), (name, each.get("title"))


def of_format_2(meta: dict[str, Any]) -> dict[str, Any]:
    """Meta as it was before marks had roles."""
    old = copy.deepcopy(meta)
    old["format"] = 2
    for mark in old["marks"]:
        del mark["role"]
    return old


def of_format_1(meta: dict[str, Any]) -> dict[str, Any]:
    """Meta as it was before layers and marks had these roles and schedulers flags."""
    old = of_format_2(meta)
    old["format"] = 1
    del old["scheduler"]["composes"]
    for layer in old["layers"]:
        if layer["role"] in {*ROLES_OF_FORMAT_1.values(), "resource"}:
            layer["role"] = ""
    return old


@pytest.mark.parametrize("scheduler", list(SPECS))
def test_meta_of_before_is_read_as_meta_of_today(scheduler: str) -> None:
    today = json.loads(json.dumps(describe(experiment_of(scheduler))))
    old = of_format_1(today)
    assert old != today
    before = copy.deepcopy(old)
    assert upgraded_meta(old) == today
    assert old == before  # it is not changed in place
    assert upgraded_meta(of_format_2(today)) == today
    assert upgraded_meta(today) is today


def test_a_recording_of_before_opens() -> None:
    with RecordingReader(Path(__file__).parent / "data" / "recording-format-1.zip") as reader:
        raw = json.loads(reader._archive.read("meta.json"))
        assert raw["format"] == 1
        kept("meta", reader.meta)
        by_role = {layer["role"]: layer["name"] for layer in reader.meta["layers"]}
        assert {"owner", "load", "lent", "borrower", "service"} <= by_role.keys()
        assert isinstance(reader.frame(0), Frame)


def test_the_command_line_prints_each_schema(capsys: pytest.CaptureFixture[str]) -> None:
    for name in DOCUMENTS:
        assert main(["schema", name]) == 0
        assert json.loads(capsys.readouterr().out)["$schema"].endswith("/schema")
    assert main(["schema"]) == 0
    assert "workload" in json.loads(capsys.readouterr().out)["properties"]
    assert main(["schema", "nothing"]) == 2
    assert "meta" in capsys.readouterr().err
