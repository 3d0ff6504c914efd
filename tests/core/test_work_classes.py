"""Short and long jobs belong to the work: the rules of its cut-off, the figures of every run, and the warnings."""

from __future__ import annotations

import copy
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import SCHEDULERS, Experiment, Simulation, simulate
from scheduler_core.experiment.classes import YAHOO_S, fitted, work_cutoff
from tests.core.experiments import by_loop

WITH_CUTOFF = [
    spec.name for spec in SCHEDULERS if getattr(spec.params.model_fields.get("short_cutoff_s"), "default", 0) == YAHOO_S
]


def law(median: float, most: float) -> dict[str, Any]:
    return {"kind": "lognormal", "median": median, "sigma": 0.3, "max": most}


def two_classes(scheduler: str = "sparrow", **params: Any) -> dict[str, Any]:
    classes = [
        {"name": "quick", "weight": 9, "duration_s": law(4, 15)},
        {"name": "slow", "weight": 1, "duration_s": law(120, 300)},
    ]
    return {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 30, "cpus": 1, "memory_gb": 4}]}]},
        "workload": {
            "kind": "synthetic",
            "jobs": 60,
            "sampling": "even",
            "duration_varies": "job",
            "arrivals": {"kind": "poisson", "offered_load": 0.8},
            "tasks_per_job": {"kind": "constant", "value": 3},
            "duration_s": law(4, 15),
            "classes": classes,
        },
        "scheduler": {"name": scheduler, "params": params},
    }


@pytest.mark.parametrize("scheduler", WITH_CUTOFF)
def test_the_boundary_of_two_declared_classes_is_the_cutoff_and_stands_in_the_experiment(scheduler: str) -> None:
    experiment = Experiment.parse(two_classes(scheduler))
    cutoff = experiment.to_dict()["scheduler"]["params"]["short_cutoff_s"]
    assert 15 < cutoff < 60
    assert "quick and slow" in work_cutoff(experiment.workload).says
    assert Experiment.parse(experiment.to_dict()).scheduler.params["short_cutoff_s"] == cutoff


@pytest.mark.parametrize("scheduler", WITH_CUTOFF)
def test_what_is_given_the_programs_profiles_and_earlier_rules_keep_their_cutoff(scheduler: str) -> None:
    assert Experiment.parse(two_classes(scheduler, short_cutoff_s=7)).scheduler.params["short_cutoff_s"] == 7
    former = Experiment.parse(two_classes(scheduler) | {"rules": "0.1.0"})
    assert former.scheduler.params["short_cutoff_s"] == YAHOO_S
    spec = next(one for one in SCHEDULERS if one.name == scheduler)
    if "profile" in spec.params.model_fields:
        program = Experiment.parse(two_classes(scheduler, profile="public-simulator"))
        assert program.scheduler.params["short_cutoff_s"] == YAHOO_S


def test_two_modes_have_a_gap_and_one_mode_has_none() -> None:
    draw = random.Random(1)
    two = [math.exp(draw.gauss(1, 0.4) if draw.random() < 0.9 else draw.gauss(5, 0.4)) for _ in range(1000)]
    assert fitted(two).rule == "modes"
    assert 7 < fitted(two).seconds < 60
    assert "Ashman's D" in fitted(two).says
    for one in (
        [math.exp(draw.gauss(3, 1)) for _ in range(1000)],
        [draw.expovariate(0.1) for _ in range(1000)],
        [math.exp(draw.uniform(0, 5)) for _ in range(1000)],
        [draw.paretovariate(1.1) for _ in range(1000)],
        [5.0] * 100,
        two[:10],
    ):
        assert (fitted(one).seconds, fitted(one).rule) == (YAHOO_S, "yahoo")
        assert "not of this work" in fitted(one).says


@pytest.mark.parametrize("scheduler", by_loop([spec.name for spec in SCHEDULERS]))
def test_every_run_has_the_same_jobs_in_the_works_classes(scheduler: str) -> None:
    summary = simulate(Experiment.parse(two_classes(scheduler))).summary
    work = summary["by_work_class"]
    assert (work["short"]["jobs"], work["long"]["jobs"]) == (54, 6)
    assert (work["short"]["tasks"], work["long"]["tasks"]) == (162, 18)
    assert "quick and slow" in work["definition"]
    waits = [work[name]["allocation_delay_s"]["mean"] * work[name]["tasks"] for name in ("short", "long")]
    assert sum(waits) / 180 == pytest.approx(summary["allocation_delay_s"]["mean"])


def notes(data: dict[str, Any]) -> str:
    simulation = Simulation(Experiment.parse(data), frames=0)
    simulation.prepare()
    return " ".join(simulation.notes)


def test_a_cutoff_that_does_not_separate_the_work_is_told() -> None:
    assert "cut-off" not in notes(two_classes("hawk"))
    assert "all 60 jobs are short" in notes(two_classes("hawk", short_cutoff_s=1000))
    assert "puts" in notes(two_classes("hawk", short_cutoff_s=5))
    assert "By the work, the cut-off is" in notes(two_classes("hawk", short_cutoff_s=5))
    alike = copy.deepcopy(two_classes("hawk"))
    del alike["workload"]["classes"]
    assert "which is Yahoo's and not of this work, does not separate" in notes(alike)
    assert "cut-off" not in notes(two_classes("kubernetes"))


def test_the_gallery_asks_hawk_and_eagle_about_its_own_short_jobs() -> None:
    data = json.loads(Path("fixtures/gallery/short-job.json").read_text())["experiment"]
    for name in ("hawk", "eagle"):
        found = Experiment.parse(data | {"scheduler": {"name": name}}).scheduler.params["short_cutoff_s"]
        assert 15 < found < 60
