"""A cluster file of an earlier version of this program opens, with the same numbers."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from scheduler_core import Experiment, TraceError, simulate
from scheduler_core.workload.clusters.file import read_cluster_file
from tests.support import PROJECT

OLD = PROJECT / "tests" / "data" / "version-1.cluster"
GIB = 2**30


def test_a_file_of_version_1_has_its_machines_tasks_and_objects() -> None:
    content = read_cluster_file(OLD)
    assert content.head["scheduler_core.cluster"] == 1
    nodes = list(content.nodes())
    assert [node["allocatable"] for node in nodes] == [
        {"cpu": cpu, "memory": 16 * GIB, "pods": 110} for cpu in (8000, 8000, 4000)
    ]
    assert [len(node["taints"]) for node in nodes] == [0, 0, 1]
    pods = list(content.pods())
    names = [node["name"] for node in nodes]
    assert [(pod["requests"]["cpu"], pod["priority"], pod.get("node")) for pod in pods] == [
        (100, 0, names[2]), (2000, 7, None), (2000, 7, names[0]), (500, 0, names[0]), (500, 0, names[1]),
    ]  # fmt: skip
    (budget,) = content.further("PodDisruptionBudget")
    assert budget["status"] == {"disruptionsAllowed": 1}
    assert budget["spec"]["selector"]["matchLabels"].items() <= pods[3]["labels"].items()


def test_the_experiment_in_a_file_of_version_1_runs() -> None:
    data = read_cluster_file(OLD).head["experiment"]
    data["workload"] |= {"path": str(OLD), "durations": {"Job": {"kind": "constant", "value": 60}}}
    result = simulate(Experiment.parse(data))
    assert {name: result.summary["tasks"][name] for name in ("total", "completed", "endless")} == {
        "total": 5, "completed": 2, "endless": 3,
    }  # fmt: skip
    assert sorted(result.tasks["machine"].tolist())[-1] == 2


def test_a_file_of_a_later_version_is_refused_with_its_version(tmp_path: Path) -> None:
    later = tmp_path / "later.cluster"
    with zipfile.ZipFile(OLD) as old, zipfile.ZipFile(later, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, text.replace(b'"scheduler_core.cluster": 1', b'"scheduler_core.cluster": 2'))
    with pytest.raises(TraceError, match="cluster file of version 2"):
        read_cluster_file(later)
