"""A KubeSchedulerConfiguration read as parameters, and written from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.errors import ExperimentError
from scheduler_core.kube.configuration import API, KIND, configuration_of, params_of
from scheduler_core.schedulers import scheduler_by_name
from tests.core.test_cli import assert_refused, cli

HEAD = f"apiVersion: {API}\nkind: {KIND}\n"
FULL = (
    HEAD
    + """
percentageOfNodesToScore: 40
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
leaderElection: {leaderElect: true}
extenders: []
profiles:
- schedulerName: default-scheduler
  plugins:
    score:
      disabled: [{name: ImageLocality}]
      enabled: [{name: NodeResourcesFit, weight: 5}, {name: MyPlugin}]
    postFilter:
      disabled: [{name: DefaultPreemption}]
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: RequestedToCapacityRatio
        requestedToCapacityRatio:
          shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]
  - name: PodTopologySpread
    args: {defaultingType: List}
- schedulerName: other
"""
)
PARAMS = {
    "percentage": 40, "backoff_s": 2.0, "max_backoff_s": 20.0, "image_weight": 0, "fit_weight": 5, "preemption": False,
    "scoring_strategy": "RequestedToCapacityRatio", "shape": "0:0, 100:10",
}  # fmt: skip


def test_a_configuration_is_read_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(FULL)
    done = cli("kube", "read-config", path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"name": "kubernetes", "params": PARAMS}
    told = (
        "extenders",
        "profiles[1]",
        "profiles[0].plugins.score.MyPlugin",
        "profiles[0].pluginConfig[1] (PodTopology",
    )
    assert len(done.stderr.splitlines()) == len(told)
    assert all(place in done.stderr for place in told)
    scheduler_by_name("kubernetes").params(**PARAMS)


@pytest.mark.parametrize("changed", [
    {},
    {"preemption": False, "percentage": 30},
    {"scoring_strategy": "MostAllocated", "spread_weight": 0, "taint_weight": 7},
    {"scoring_strategy": "RequestedToCapacityRatio", "shape": "0:10, 50:3, 100:0", "backoff_s": 3.0},
    {"resource_weights": "cpu:1, nvidia.com/gpu:5"},
])  # fmt: skip
def test_what_is_written_is_read_as_the_same_parameters(changed: dict[str, Any]) -> None:
    model = scheduler_by_name("kubernetes").params
    params = model(**changed).model_dump()
    found, left = params_of(configuration_of(params))
    assert left == []
    assert model(**found).model_dump() == params


def test_weights_of_resources_are_read_and_a_weight_of_nothing_is_one() -> None:
    def read(*resources: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        args = {"scoringStrategy": {"type": "MostAllocated", "resources": list(resources)}}
        profile = {"pluginConfig": [{"name": "NodeResourcesFit", "args": args}]}
        return params_of({"apiVersion": API, "kind": KIND, "profiles": [profile]})

    assert read() == ({"scoring_strategy": "MostAllocated"}, [])
    assert read({"name": "memory", "weight": 1}, {"name": "cpu"}) == ({"scoring_strategy": "MostAllocated"}, [])
    found, left = read({"name": "cpu", "weight": 3}, {"name": "nvidia.com/gpu", "weight": 0})
    assert (found["resource_weights"], left) == ("cpu:3, nvidia.com/gpu:1", [])
    with pytest.raises(ExperimentError, match="a whole number from 0 to 100"):
        read({"name": "cpu", "weight": 101})
    with pytest.raises(ExperimentError, match="the name of a resource"):
        read({"name": "cpu, memory:3", "weight": 1})


@pytest.mark.parametrize("text", ["cpu", "cpu:0", "cpu:101", ":3", "cpu:1, cpu:2", "cpu:1,", "cpu:-1"])
def test_a_text_that_is_no_weights_of_resources_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="distinct resources with weights"):
        scheduler_by_name("kubernetes").params(resource_weights=text)


def test_an_experiment_is_written_as_a_configuration(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    data = {
        "schema_version": 1,
        "topology": {"clusters": [{"machines": [{}]}]},
        "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]},
        "scheduler": {"name": "kubernetes", "params": {"percentage": 12}},
    }
    path.write_text(json.dumps(data))
    done = cli("kube", "write-config", path)
    assert json.loads(done.stdout)["percentageOfNodesToScore"] == 12, done.stderr
    path.write_text(json.dumps(data | {"scheduler": {"name": "swarm"}}))
    assert_refused(cli("kube", "write-config", path), "'swarm'")


@pytest.mark.parametrize(("text", "told"), [
    ("kind: Pod", "apiVersion, kind"),
    ("[1", "line"),
    ("a: !!bool x", "neither YAML nor JSON"),
    ("a: !!int x", "neither YAML nor JSON"),
    (HEAD + "percentageOfNodesToScore: 101", "percentageOfNodesToScore: is 101"),
    (HEAD + "profiles: 3", "profiles"),
    (HEAD + "profiles: [{plugins: {score: {enabled: [3]}}}]", "profiles[0].plugins.score.enabled[0]: is 3"),
])  # fmt: skip
def test_what_is_no_configuration_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    assert_refused(cli("kube", "read-config", path), told)
