"""Experiments from before kube-scheduler: their `kubernetes` is `kubernetes-papers` today, with the same outcome."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Experiment, Simulation, keep_rules
from scheduler_core.experiment.renamed import RENAMED
from scheduler_core.schedulers import scheduler_by_name

DATA: dict[str, Any] = {
    "schema_version": 1,
    "topology": {"clusters": [{"machines": [{"count": 2, "cpus": 4, "memory_gb": 8}]}]},
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 2, 3]}]},
}
FORMER = {"name": "kubernetes", "params": {"least_allocated": 1.0}}


def named(scheduler: dict[str, Any], **more: Any) -> str:
    return Experiment.parse({**DATA, "scheduler": scheduler, **more}).scheduler.name


def test_the_name_alone_is_kube_scheduler() -> None:
    assert named({"name": "kubernetes"}) == "kubernetes"
    assert named({"name": "kubernetes", "params": {"percentage": 50, "preemption": False}}) == "kubernetes"


def test_an_experiment_from_before_is_known_by_its_rules_or_its_parameters() -> None:
    assert named({"name": "kubernetes"}, rules="0.1.0") == "kubernetes-papers"
    assert named(FORMER) == "kubernetes-papers"
    assert (
        keep_rules({**DATA, "scheduler": {"name": "kubernetes"}}, "0.1.0")["scheduler"]["name"] == "kubernetes-papers"
    )
    assert keep_rules({**DATA, "scheduler": {"name": "kubernetes"}}, "0.2.0")["scheduler"]["name"] == "kubernetes"


def test_stored_experiments_have_their_parameters_written_out() -> None:
    """All parameters of the former scheduler, as an experiment is stored, under its former name."""
    stored = Experiment.parse({**DATA, "scheduler": {"name": "kubernetes-papers"}}).to_dict()
    stored["scheduler"]["name"] = "kubernetes"
    assert Experiment.parse(stored).scheduler.name == "kubernetes-papers"


def test_the_marks_of_the_former_scheduler_are_its_own_parameters() -> None:
    for name, one in RENAMED.items():
        today, former = scheduler_by_name(name).params.model_fields, scheduler_by_name(one.now).params.model_fields
        assert one.only <= set(former)
        assert not one.only & set(today)


def test_the_run_says_so_in_one_sentence() -> None:
    simulation = Simulation(Experiment.parse({**DATA, "scheduler": FORMER}))
    simulation.prepare()
    assert sum("had the name 'kubernetes'" in note for note in simulation.notes) == 1


@pytest.mark.parametrize("rest", [None, "kubernetes", 3, {"name": 3}, {"name": ["kubernetes"]}])
def test_what_names_no_scheduler_stays_as_it_is(rest: Any) -> None:
    from scheduler_core.experiment.renamed import with_former_scheduler

    data = {**DATA, "scheduler": rest}
    assert with_former_scheduler(data, "0.1.0") is data
