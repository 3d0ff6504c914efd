"""The experiment as data: what it expands to, what its digest covers, its schema."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, ExperimentError, schema, unsupported
from scheduler_core.experiment import cluster_names, effective_queues
from scheduler_core.experiment.digest import canonical

amounts = st.one_of(st.integers(1, 64), st.floats(0.25, 64, allow_nan=False))
names = st.text("abcdefghij-ü7", min_size=1, max_size=12)


@st.composite
def machine_groups(draw: st.DrawFn) -> dict[str, Any]:
    group: dict[str, Any] = {"count": draw(st.integers(4, 20)), "cpus": draw(amounts)}
    for key in ("memory_gb", "gpus"):
        if draw(st.booleans()):
            group[key] = draw(amounts)
    if draw(st.booleans()):
        group["attributes"] = {"clock": draw(amounts), "os": draw(names), "ssd": draw(st.booleans())}
    if draw(st.booleans()):
        group["resources"] = {"disk_mb_s": draw(amounts)}
    return group


def distributions() -> st.SearchStrategy[dict[str, Any]]:
    positive = st.one_of(st.integers(1, 1000), st.floats(0.001, 1000))
    return st.one_of(
        st.fixed_dictionaries({"kind": st.just("constant"), "value": positive}),
        st.fixed_dictionaries({"kind": st.just("exponential"), "mean": positive}),
        st.fixed_dictionaries({"kind": st.just("lognormal"), "median": positive, "sigma": st.floats(0, 3)}),
        st.fixed_dictionaries({"kind": st.just("lognormal"), "mu": st.floats(-3, 3), "sigma": st.integers(0, 3)}),
    )


@st.composite
def workloads(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        jobs = st.lists(
            st.fixed_dictionaries({"arrival_s": amounts, "durations_s": st.lists(amounts, min_size=1, max_size=4)}),
            min_size=1,
            max_size=5,
        )
        return {"kind": "inline", "jobs": draw(jobs)}
    return {
        "kind": "synthetic",
        "jobs": draw(st.integers(1, 1000)),
        "duration_s": draw(distributions()),
        "tasks_per_job": draw(distributions()),
        "arrivals": {"kind": "poisson", "rate_per_s": draw(amounts)},
        "demands": draw(
            st.lists(st.fixed_dictionaries({"weight": amounts, "demand": st.just({"cpus": 0.5})}), max_size=3)
        ),
    }


@st.composite
def experiments(draw: st.DrawFn) -> dict[str, Any]:
    masters = draw(st.integers(1, 8))
    data: dict[str, Any] = {
        "schema_version": 1,
        "topology": {
            "global_masters": masters,
            "clusters": [
                {
                    "name": "a",
                    "repeat": draw(st.integers(1, 5)),
                    "racks": draw(st.integers(1, 4)),
                    "machines": draw(st.lists(machine_groups(), min_size=1, max_size=3)),
                }
            ],
        },
        "workload": draw(workloads()),
        "scheduler": {"name": draw(st.sampled_from([spec.name for spec in SCHEDULERS]))},
    }
    optional: dict[str, st.SearchStrategy[Any]] = {
        "name": names,
        "question": names,
        "seed": st.integers(0, 2**53 - 1),
        "warmup_s": amounts,
        "network": st.fixed_dictionaries({"message_delay_s": st.floats(0, 1)}),
        "queues": st.lists(
            st.fixed_dictionaries({"share": st.floats(0.01, 0.3), "global_master": st.integers(0, masters - 1)}),
            max_size=3,
        ).map(lambda queues: [{"name": f"q{i}", **q} for i, q in enumerate(queues)]),
        "events": st.lists(
            st.fixed_dictionaries(
                {
                    "at_s": amounts,
                    "kind": st.sampled_from(["fail", "recover", "drain"]),
                    "target": st.just({"cluster": "a-0"}),
                }
            ),
            max_size=2,
        ),
        "stop": st.sampled_from([{"when": "drained"}, {"when": "tasks", "tasks": 3}, {"when": "at_s", "at_s": 1000}]),
    }
    for key, strategy in optional.items():
        if draw(st.booleans()):
            data[key] = draw(strategy)
    return data


def turned(value: Any) -> Any:
    """The same JSON with keys in the other order, whole floats as integers and integers as floats."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [turned(inner) for inner in value]
    if isinstance(value, bool) or not isinstance(value, int | float) or float(value) != int(value):
        return value
    return int(value) if isinstance(value, float) else float(value)


@given(experiments())
def test_an_experiment_survives_its_own_expansion(data: dict[str, Any]) -> None:
    experiment = Experiment.parse(data)
    expanded = json.loads(json.dumps(experiment.to_dict(), allow_nan=False))
    again = Experiment.parse(expanded)
    assert again == experiment
    assert again.to_dict() == expanded
    assert again.digest() == experiment.digest()


@given(experiments())
def test_the_digest_does_not_depend_on_how_the_question_is_written(data: dict[str, Any]) -> None:
    experiment = Experiment.parse(data)
    assert Experiment.parse(turned(data)).digest() == experiment.digest()
    assert Experiment.parse(json.dumps(turned(data), indent=3).encode()).digest() == experiment.digest()
    assert Experiment.parse(data | {"name": "other", "question": "why?"}).digest() == experiment.digest()


@given(experiments(), st.integers(0, 2**53 - 1))
def test_the_digest_covers_the_seed(data: dict[str, Any], seed: int) -> None:
    experiment = Experiment.parse(data)
    same = Experiment.parse(data | {"seed": seed}).digest() == experiment.digest()
    assert same == (seed == experiment.seed)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("topology.global_masters", 3),
        ("topology.clusters.0.machines.0.cpus", 2),
        ("topology.clusters.0.machines.0.attributes", {"clock": 3}),
        ("workload.jobs.0.durations_s.0", 1.000000001),
        ("network", {"message_delay_s": 0.001}),
        ("scheduler.params", {"heartbeat_s": 11}),
        ("stop", {"when": "at_s", "at_s": 5}),
        ("warmup_s", 1),
        ("constraints", {"catalogue": "megha-21"}),
    ],
)
def test_the_digest_covers_every_part(minimal: dict[str, Any], path: str, value: Any) -> None:
    before = Experiment.parse(minimal).digest()
    put(minimal, path, value)
    assert Experiment.parse(minimal).digest() != before


def test_the_canonical_form_has_no_title_and_no_needless_points(minimal: dict[str, Any]) -> None:
    experiment = Experiment.parse(
        minimal | {"scheduler": {"name": "sparrow", "params": {"profile": "paper", "probe_ratio": 2}}}
    )
    shared = json.loads(canonical(experiment))
    assert "name" not in shared
    assert "question" not in shared
    assert shared["seed"] == 1
    assert isinstance(shared["topology"]["clusters"][0]["machines"][0]["cpus"], int)
    assert len(experiment.digest()) == 64


def test_default_queues_ask_the_same_as_written_ones(minimal: dict[str, Any]) -> None:
    written = minimal | {"queues": [{"name": "q0", "share": 0.5}, {"name": "q1", "share": 0.5, "global_master": 1}]}
    assert Experiment.parse(written).digest() == Experiment.parse(minimal).digest()
    assert Experiment.parse(minimal).to_dict()["queues"] == []


def test_queues_without_a_master_go_round(minimal: dict[str, Any]) -> None:
    minimal["queues"] = [{"name": name, "share": 0.2} for name in "abc"]
    assert [queue.global_master for queue in effective_queues(Experiment.parse(minimal))] == [0, 1, 0]


def test_parameters_are_expanded_and_checked_by_the_scheduler(minimal: dict[str, Any]) -> None:
    minimal["scheduler"]["params"] = {"heartbeat_s": 7}
    params = Experiment.parse(minimal).to_dict()["scheduler"]["params"]
    assert params["heartbeat_s"] == 7
    assert set(params) == set(next(spec for spec in SCHEDULERS if spec.name == "megha").params.model_fields)


def test_clusters_are_numbered_where_they_repeat(minimal: dict[str, Any]) -> None:
    machines = [{"count": 1}]
    minimal["topology"]["clusters"] = [
        {"name": "a", "repeat": 2, "machines": machines},
        {"name": "b", "machines": machines},
        {"name": "c", "repeat": 1, "machines": machines},
    ]
    assert list(cluster_names(Experiment.parse(minimal).topology)) == ["a-0", "a-1", "b", "c-0"]


def test_a_trace_counts_by_its_content_wherever_it_lies(minimal: dict[str, Any], tmp_path: Path) -> None:
    for name, text in (("one.tr", "0 1 1 1\n"), ("copy.tr", "0 1 1 1\n"), ("other.tr", "0 1 2 2\n")):
        (tmp_path / name).write_text(text)

    def digest(**workload: str) -> str:
        data = minimal | {"workload": {"kind": "trace", **workload}}
        return Experiment.parse(data, base_dir=tmp_path).digest(lambda trace: tmp_path / f"{trace}.tr")

    one = digest(path="one.tr", format="sparrow")
    assert digest(path="copy.tr") == one
    assert digest(path=str(tmp_path / "one.tr")) == one
    assert digest(trace="copy") == one
    assert digest(path="other.tr") != one


def test_a_changed_trace_changes_the_digest(minimal: dict[str, Any], tmp_path: Path) -> None:
    trace = tmp_path / "one.tr"
    trace.write_text("0 1 1 1\n")
    experiment = Experiment.parse(minimal | {"workload": {"kind": "trace", "path": str(trace)}})
    before = experiment.digest()
    trace.write_text("0 1 2 2 \n")
    assert experiment.digest() != before


def test_an_experiment_travels_between_processes_with_its_folder(minimal: dict[str, Any], tmp_path: Path) -> None:
    experiment = Experiment.parse(minimal, base_dir=tmp_path)
    again = pickle.loads(pickle.dumps(experiment))
    assert again == experiment
    assert again.base_dir == tmp_path


def test_problems_travel_between_processes() -> None:
    with pytest.raises(ExperimentError) as caught:
        Experiment.parse({"schema_version": 1})
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_features_that_nobody_honors_are_named(minimal: dict[str, Any]) -> None:
    minimal["constraints"] = {"catalogue": "megha-21"}
    minimal["topology"]["pooled"] = True
    minimal["topology"]["clusters"][0]["constraint_mix"] = "google-a"
    minimal["events"] = [{"at_s": 1, "kind": "set", "target": {"scheduler": True}, "value": {"fairness": True}}]
    minimal["workload"]["jobs"].append({"arrival_s": 1, "stages": [{"name": "s", "duration_s": 1}]})
    experiment = Experiment.parse(minimal)
    found = {problem.path for problem in unsupported(experiment, frozenset())}
    assert found == {"constraints", "topology.pooled", "events[0]", "workload.jobs[1].stages"}
    assert all("megha" in problem.message for problem in unsupported(experiment, frozenset()))
    assert unsupported(experiment, frozenset({"constraints", "pooled", "parameter_changes", "dag"})) == []


def test_the_contracts_example_is_valid(tmp_path: Path) -> None:
    example = json.loads((Path(__file__).parent / "data" / "every_part.json").read_text())
    experiment = Experiment.parse(example)
    assert experiment.to_dict()["topology"]["clusters"][0]["repeat"] == 25
    assert Experiment.parse(experiment.to_dict()) == experiment


def test_the_schema_describes_parameters_and_units() -> None:
    described = schema()
    json.dumps(described, allow_nan=False)
    assert set(described["required"]) == {"schema_version", "topology", "workload", "scheduler"}
    assert described["additionalProperties"] is False
    for spec in SCHEDULERS:
        assert set(described["$defs"][f"params-{spec.name}"]["properties"]) == set(spec.params.model_fields)
    referenced = {ref.rpartition("/")[2] for ref in find(described, "$ref")}
    assert referenced <= set(described["$defs"])
    assert described["$defs"]["MachineGroup"]["properties"]["cpus"]["exclusiveMinimum"] == 0


def find(value: Any, key: str) -> list[Any]:
    """Every value that lies under `key`, however deep."""
    if isinstance(value, dict):
        return [inner for name, inner in value.items() if name == key] + [
            x for v in value.values() for x in find(v, key)
        ]
    return [x for v in value for x in find(v, key)] if isinstance(value, list) else []


def put(data: Any, path: str, value: Any) -> None:
    """Set the value at a dotted path."""
    *steps, last = path.split(".")
    for step in steps:
        data = data[int(step) if step.isdigit() else step]
    data[int(last) if last.isdigit() else last] = value


@pytest.fixture
def minimal() -> dict[str, Any]:
    return {
        "schema_version": 1,
        "topology": {"global_masters": 2, "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 4}]}]},
        "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 2.5]}]},
        "scheduler": {"name": "megha"},
    }
