"""Fields of an experiment have the labels that forms show, and problems name them by these labels."""

from __future__ import annotations

import json

import pytest

from scheduler_core import Experiment, ExperimentError
from scheduler_core.experiment.labels import LABELS, label_of
from tests.support import PROJECT


def test_the_labels_are_those_of_the_forms() -> None:
    catalogue = json.loads((PROJECT / "playground" / "locale" / "en.json").read_text(encoding="utf-8"))
    shown = {text for texts in catalogue.values() for text in texts}
    assert set(LABELS.values()) <= shown


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("topology.clusters[0].machines[1].count", "Machines per cluster"),
        ("workload.duration_s.mean", "Task duration"),
        ("scheduler.params.heartbeat_s", "Heartbeat interval"),
        ("workload.tasks_per_job.kind", ""),
        ("scheduler.params.no_such", ""),
    ],
)
def test_a_path_has_its_label(path: str, label: str) -> None:
    assert label_of(path) == label


def test_a_problem_names_its_field_by_label_and_path() -> None:
    data = {"schema_version": 1, "topology": {}, "scheduler": {"name": "megha", "params": {"heartbeat_s": -1}}}
    with pytest.raises(ExperimentError) as refused:
        Experiment.parse(data)
    told = next(each for each in refused.value.problems if each.path == "scheduler.params.heartbeat_s")
    assert told.label == told.to_dict()["label"] == "Heartbeat interval"
    assert str(told).startswith("Heartbeat interval (scheduler.params.heartbeat_s) is -1; allowed: ")
