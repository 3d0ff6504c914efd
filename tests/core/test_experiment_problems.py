"""What is said about experiments that cannot be used: where, what, what is allowed; all of it at once."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import DEFAULT_LIMITS, Experiment, ExperimentError, Limits, Problem

BASE: dict[str, Any] = {
    "schema_version": 1,
    "topology": {
        "global_masters": 2,
        "clusters": [{"name": "lm", "repeat": 2, "racks": 2, "machines": [{"count": 4, "cpus": 1, "memory_gb": 4}]}],
    },
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]},
    "scheduler": {"name": "megha", "params": {}},
}
MACHINE = "topology.clusters[0].machines[0]"
SYNTHETIC = {
    "kind": "synthetic",
    "jobs": 5,
    "arrivals": {"kind": "poisson", "rate_per_s": 1},
    "duration_s": {"kind": "exponential", "mean": 1},
}
STAGES = [
    {"name": "a", "duration_s": 1, "after": ["c"]},
    {"name": "b", "duration_s": 1, "after": ["a"]},
    {"name": "c", "duration_s": 1, "after": ["b"]},
    {"name": "d", "duration_s": 1, "after": ["zz"]},
]

# What is put where -> the path of the one problem, and words that its line has.
BAD: list[tuple[str, Any, str, tuple[str, ...]]] = [
    ("schema_version", 2, "schema_version", ("is 2", "1")),
    ("schema_version", True, "schema_version", ("is true, not a number", "1")),
    ("schema_version", "1", "schema_version", ("is a text, not a number", "1")),
    ("seed", 1.5, "seed", ("1.5", "a whole number from 0")),
    ("seed", True, "seed", ("true", "not a number")),
    ("seed", 10**400, "seed", ("more than 18 digits",)),
    ("seed", float("nan"), "seed", ("not a finite number",)),
    ("name", "x" * 201, "name", ("201 characters", "200")),
    ("name", "\ud800", "name", ("not text",)),
    ("topolgy", {}, "topolgy", ("did you mean 'topology'",)),
    ("topology", [], "topology", ("not an object",)),
    ("topology.clusters", [], "topology.clusters", ("at least 1",)),
    ("topology.clusters", {}, "topology.clusters", ("not a list",)),
    ("topology.clusters.0.machines.0.cpu", 1, f"{MACHINE}.cpu", ("did you mean 'cpus'",)),
    ("topology.clusters.0.machines.0.cpus", -1, f"{MACHINE}.cpus", ("is -1", "above 0")),
    ("topology.clusters.0.machines.0.cpus", "1", f"{MACHINE}.cpus", ("the text '1'",)),
    ("topology.clusters.0.machines.0.cpus", float("inf"), f"{MACHINE}.cpus", ("finite",)),
    ("topology.clusters.0.machines.0.count", 0, f"{MACHINE}.count", ("is 0",)),
    ("topology.clusters.0.machines.0.resources", {"gpus": 1}, f"{MACHINE}.resources.gpus", ("beside",)),
    ("topology.clusters.0.machines.0.resources", {"a b": 1}, f"{MACHINE}.resources.a b", ("letters",)),
    ("topology.clusters.0.racks", 5, "topology.clusters[0].racks", ("5 for 4 machines",)),
    ("topology.clusters.0.repeat", 1001, "topology.clusters", ("1,001", "limit 'clusters'")),
    (
        "topology.clusters.0.machines.0.count",
        600_000,
        "topology.clusters",
        ("1,200,000", "1,000,000 (limit 'machines')"),
    ),
    ("topology.clusters.1", {"name": "lm-1", "machines": [{}]}, "topology.clusters", ("called 'lm-1'",)),
    ("topology.global_masters", 257, "topology.global_masters", ("limit 'global_masters'",)),
    ("topology.pooled", "yes", "topology.pooled", ("true or false",)),
    ("topology.clusters.0.constraint_mix", "google-a", "topology.clusters[0].constraint_mix", ("no `constraints`",)),
    ("constraints", {"catalogue": "megha21"}, "constraints.catalogue", ("did you mean 'megha-21'",)),
    ("constraints", {"catalogue": "custom"}, "constraints", ("at least one",)),
    ("queues", [{"name": "a", "share": 0.7}, {"name": "b", "share": 0.7}], "queues", ("1.4", "at most 1")),
    ("queues", [{"name": "a", "share": 0.7, "global_master": 2}], "queues[0].global_master", ("is 2", "0 to 1")),
    ("queues", [{"name": "a", "share": 0.1}, {"name": "a", "share": 0.1}], "queues", ("2 queues are called 'a'",)),
    ("queues", [{"name": "a", "share": 0}], "queues[0].share", ("above 0",)),
    ("queues", [{"name": f"q{i}", "share": 0.001} for i in range(257)], "queues", ("limit 'queues'",)),
    ("workload", None, "workload", ("not an object",)),
    ("workload", {}, "workload.kind", ("missing",)),
    ("workload.kind", "inlin", "workload.kind", ("did you mean 'inline'",)),
    ("workload", {"kind": "trace"}, "workload", ("one of `path` and `trace`",)),
    ("workload", {"kind": "trace", "path": "a", "trace": "b"}, "workload", ("one of `path` and `trace`",)),
    ("workload", {"kind": "trace", "path": "a", "format": "sparow"}, "workload.format", ("did you mean 'sparrow'",)),
    ("workload", SYNTHETIC | {"tasks": 5}, "workload", ("jobs and tasks are given",)),
    ("workload", SYNTHETIC | {"jobs": 5_000_001}, "workload.jobs", ("limit 'jobs'",)),
    ("workload", SYNTHETIC | {"arrivals": {"kind": "poison"}}, "workload.arrivals.kind", ("did you mean 'poisson'",)),
    ("workload", SYNTHETIC | {"arrivals": {"kind": "poisson"}}, "workload.arrivals", ("offered_load",)),
    ("workload", SYNTHETIC | {"duration_s": {"kind": "lognormal", "sigma": 1}}, "workload.duration_s", ("median",)),
    (
        "workload",
        SYNTHETIC | {"duration_s": {"kind": "exponential", "mean": 1, "min": 3, "max": 2}},
        "workload.duration_s",
        ("min of 3 above its max of 2",),
    ),
    ("workload", SYNTHETIC | {"queue_assignment": "column"}, "workload", ("column",)),
    (
        "workload",
        SYNTHETIC | {"demand": {"gpus": 1}, "arrivals": {"kind": "poisson", "offered_load": 0.5}},
        "workload.arrivals.offered_load",
        ("gpus",),
    ),
    ("workload.jobs.0.queue", "q7", "workload.jobs[0].queue", ("no queue is called 'q7'", "q0, q1")),
    ("workload.jobs.0.constraints", ["c03"], "workload.jobs[0].constraints[0]", ("no constraint is called 'c03'",)),
    ("workload.jobs.0.durations_s", [1, -2], "workload.jobs[0].durations_s[1]", ("is -2",)),
    ("workload.jobs.0.durations_s", [], "workload.jobs[0]", ("at least one task",)),
    ("workload.jobs.0.demand", {"cpus": 0}, "workload.jobs[0].demand", ("asks for no resource",)),
    ("workload.jobs.0.demand", {"resources": {"disk": 1}}, "workload.jobs[0].demand.resources.disk", ("no machine",)),
    (
        "workload.jobs.0",
        {"arrival_s": 0, "stages": STAGES[:3]},
        "workload.jobs[0].stages",
        ("'a' after 'c' after 'b' after 'a'",),
    ),
    ("workload.jobs.0", {"arrival_s": 0, "stages": STAGES[3:]}, "workload.jobs[0].stages[0].after[0]", ("'zz'",)),
    ("scheduler", "megha", "scheduler", ("not an object",)),
    ("scheduler.name", "meghha", "scheduler.name", ("did you mean 'megha'", "sparrow")),
    ("scheduler.params", {"heartbeat": 1}, "scheduler.params.heartbeat", ("did you mean 'heartbeat_s'",)),
    ("scheduler.params", {"heartbeat_s": 0}, "scheduler.params.heartbeat_s", ("is 0", "above 0")),
    ("scheduler.params", {"heartbeat_s": True}, "scheduler.params.heartbeat_s", ("true",)),
    ("scheduler.params", {"heartbeat_s": "10"}, "scheduler.params.heartbeat_s", ("not a number",)),
    ("scheduler.params", {"profile": "x"}, "scheduler.params.profile", ("'paper'",)),
    (
        "events",
        [{"at_s": 1, "kind": "fail", "target": {"cluster": "lm-2"}}],
        "events[0].target.cluster",
        ("lm-0, lm-1",),
    ),
    ("events", [{"at_s": 1, "kind": "fail", "target": {"cluster": "lm"}}], "events[0].target.cluster", ("no cluster",)),
    ("events", [{"at_s": 1, "kind": "fail", "target": {"machine": 8}}], "events[0].target.machine", ("0 to 7",)),
    ("events", [{"at_s": 1, "kind": "fail", "target": {"rack": 4}}], "events[0].target.rack", ("0 to 3",)),
    (
        "events",
        [{"at_s": 1, "kind": "drain", "target": {"queue": "q0"}}],
        "events[0].target",
        ("machine, rack, cluster",),
    ),
    ("events", [{"at_s": 1, "kind": "fail", "target": {}}], "events[0].target", ("names 0 things",)),
    (
        "events",
        [{"at_s": 1, "kind": "set", "target": {"queue": "q0"}, "value": {"share": 2}}],
        "events[0].value.share",
        ("is 2",),
    ),
    (
        "events",
        [{"at_s": 1, "kind": "set", "target": {"scheduler": True}, "value": {"heartbeat_s": -1}}],
        "events[0].value.heartbeat_s",
        ("is -1",),
    ),
    ("stop", {"when": "at_s"}, "stop", ("at_s",)),
    ("stop", {"when": "tasks", "tasks": 4, "at_s": 4}, "stop", ("gives 'at_s'",)),
    ("warmup_s", -1, "warmup_s", ("is -1",)),
    ("fork_of", {"experiment": "abc", "at_s": 1}, "fork_of.experiment", ("64 characters",)),
    ("network.message_delay_s", 1e9, "network.message_delay_s", ("3,600",)),
]


def with_value(path: str, value: Any) -> dict[str, Any]:
    """The base experiment with a value put at a dotted path."""
    data = copy.deepcopy(BASE)
    here: Any = data
    *steps, last = path.split(".")
    for step in steps:
        here = here[int(step)] if step.isdigit() else here.setdefault(step, {})
    if isinstance(here, list) and int(last) == len(here):
        here.append(value)
    else:
        here[int(last) if isinstance(here, list) else last] = value
    return data


def problems_of(data: Any, limits: Limits = DEFAULT_LIMITS) -> list[tuple[str, str]]:
    with pytest.raises(ExperimentError) as caught:
        Experiment.parse(data, limits=limits)
    return [(problem.path, str(problem)) for problem in caught.value.problems]


@pytest.mark.parametrize(("path", "value", "where", "words"), BAD, ids=[f"{b[0]}={str(b[1])[:30]!a}" for b in BAD])
def test_a_problem_names_its_field_and_nothing_else(path: str, value: Any, where: str, words: tuple[str, ...]) -> None:
    found = problems_of(with_value(path, value))
    assert [place for place, _ in found] == [where]
    line = found[0][1]
    assert all(word in line for word in words), line
    for jargon in ("Input should be", "pydantic", "https://", "\n", "Error", "validator"):
        assert jargon not in line


@pytest.mark.parametrize("key", ["schema_version", "topology", "workload", "scheduler"])
def test_what_is_required_is_said_to_be_missing(key: str) -> None:
    found = problems_of({name: value for name, value in BASE.items() if name != key})
    assert [place for place, _ in found] == [key]
    assert "missing" in found[0][1]


def test_every_problem_is_told_at_once() -> None:
    data = with_value("topology.clusters.0.machines.0.cpus", 0)
    data |= {
        "queues": [{"name": "a", "share": 0.7}, {"name": "a", "share": 0.7}],
        "stop": {"when": "at_s", "at_s": 5},
        "warmup_s": 9,
        "scheduler": {"name": "megha", "params": {"heartbeat_s": 0, "x": 1}},
        "seed": "one",
    }
    data["workload"] = {"kind": "trace", "path": "a", "format": "b"}
    places = [place for place, _ in problems_of(data)]
    assert sorted(places) == sorted(
        [
            f"{MACHINE}.cpus",
            "queues",
            "queues",
            "scheduler.params.heartbeat_s",
            "scheduler.params.x",
            "seed",
            "warmup_s",
            "workload.format",
        ]
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (b"", "not JSON"),
        (b"[]", "not an object"),
        (b"3", "not an object"),
        (b'{"a": 1', "line 1, column"),
        (b'{"seed": 1, "seed": 2}', "twice"),
        (b"\x80abc", "UTF-8"),
        (b"[" * 200_000, "nested"),
        (b'{"a":' * 40 + b"1" + b"}" * 40, "nested"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "digits"),
        (b" " * 4_000_001, "limit 'json_bytes'"),
        (b'{"a": [' + b"1," * 1_100_000 + b"1]}", "limit 'json_values'"),
    ],
)
def test_bytes_that_are_no_experiment_get_one_sentence(text: bytes, word: str) -> None:
    found = problems_of(text)
    assert len(found) == 1
    assert word in found[0][1]


def test_an_object_that_holds_itself_is_refused() -> None:
    data: dict[str, Any] = {}
    data["topology"] = {"clusters": [data, data, data]}
    assert "limit" in problems_of(data)[0][1]


def test_lower_limits_are_named_with_their_value() -> None:
    limits = Limits(machines=7, tasks=1, events=0)
    data = with_value("workload.jobs.0.durations_s", [1, 1])
    data["events"] = [{"at_s": 1, "kind": "fail", "target": {"machine": 0}}]
    lines = dict(problems_of(data, limits))
    assert "at most 7 (limit 'machines')" in lines["topology.clusters"]
    assert "at most 1 (limit 'tasks')" in lines["workload.jobs"]
    assert "at most 0 (limit 'events')" in lines["events"]


def test_thousands_of_wrong_jobs_do_not_make_thousands_of_lines() -> None:
    job = {"arrival_s": 0, "durations_s": [1], "queue": "nowhere"}
    found = problems_of(with_value("workload.jobs", [job] * 1000))
    assert len(found) == 51
    assert "more problems" in found[-1][1]


@pytest.mark.parametrize("name", ["absent.json", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        Experiment.from_file(tmp_path / name)
    assert caught.value.problems[0].path == str(tmp_path / name)


def leaves(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values, containers included."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path] * bool(path) + [leaf for key, value in inner for leaf in leaves(value, (*path, key))]


EVERY_PART = json.loads((Path(__file__).parent / "data" / "every_part.json").read_text())
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(leaves(EVERY_PART)), anything)
def test_whatever_stands_in_a_field_is_taken_or_refused_in_sentences(path: tuple[Any, ...], value: Any) -> None:
    data = copy.deepcopy(EVERY_PART)
    here = data
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    problems, experiment = parsed(data)
    assert bool(problems) != bool(experiment)
    for problem in problems:
        assert problem.path
        assert "Input should" not in str(problem)
        str(problem).encode()
    if experiment is not None:
        json.dumps(experiment.to_dict(), allow_nan=False).encode()
        assert Experiment.parse(experiment.to_dict()).digest() == experiment.digest()


def parsed(data: dict[str, Any]) -> tuple[tuple[Problem, ...], Experiment | None]:
    try:
        return (), Experiment.parse(data)
    except ExperimentError as error:
        return error.problems, None
