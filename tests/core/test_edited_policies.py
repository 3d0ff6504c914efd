"""A page edits a policy, in node: it writes the program into its start, or asks for another one; the library's runs."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numba
import pytest

from scheduler_core import Experiment, ExperimentError, changed_start
from scheduler_core.policy import WORDS
from scheduler_core.run.start_file import StartFile, start_file
from tests.core.policies import policy
from tests.core.test_start_files import ROOMY
from tests.core.test_turned_runs import by_library, header_of, in_page, plain
from tests.support import small_experiment
from tests.tiers import wide

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

POLICY = "scheduler.params.policy"
FIRST = "score: machine.free_cpus"


def first() -> Experiment:
    """Return a crowded run with machines of two sizes: policies differ."""
    machines = [{"count": 3, "cpus": 8, "memory_gb": 16}, {"count": 5, "cpus": 4, "memory_gb": 16}]
    topology = {"global_masters": 1, "clusters": [{"name": "lm", "machines": machines}]}
    workload = {**small_experiment()["workload"], "arrivals": {"kind": "poisson", "offered_load": 1.1}}
    return plain("own", {"policy": FIRST}, topology=topology, workload=workload)


def own_values(experiment: Experiment) -> dict[str, Any]:
    params = experiment.scheduler.params
    return {"scheduler.params": dict(params)} | {f"scheduler.params.{name}": value for name, value in params.items()}


def test_an_edit_within_what_the_start_has_asks_for_nothing(tmp_path: Path) -> None:
    """Other words, hooks and settings, and scores that are not kept; other kinds of tasks ask for arrays."""
    experiment = first()
    start = start_file(experiment, touchable=True, limits=ROOMY)
    by_queue = {POLICY: "filter: queue.over_share < 0.5 or machine.tasks < 2\nscore: -machine.number"}
    edits: list[tuple[dict[str, Any], int]] = [
        ({POLICY: "score: -machine.free_cpus"}, 1),  # the run's own start
        ({POLICY: "score: machine.cpus - 3 * machine.tasks\norder: job.longest_s - task.estimate_s"}, 0),
        ({POLICY: "param w = 1 from 0 to 9\nscore: w * machine.number - machine.same_job"}, 0),
        ({POLICY: "param w = 1 from 0 to 9\nscore: w * machine.number", "scheduler.params.w": 0}, 0),
        ({POLICY: "filter: machine.number % 3 != 1 or now > 2\nscore: mean(m.tasks for m in rack)"}, 0),
        ({POLICY: "order: -job.dominant_share\nscore: 1 / 0"}, 0),
        (by_queue, 1),
        ({POLICY: "filter: queue.over_share < 0.25 or machine.tasks < 3"}, 0),
        ({POLICY: "score: -machine.free_cpus"}, 0),
    ]
    other = changed_start(experiment, by_queue, limits=ROOMY)
    starts: dict[str, tuple[dict[str, Any], StartFile]] = {"plain": ({}, start), "queues": (by_queue, other)}
    steps = [{"turned": changes} for changes, _ in edits]
    told = in_page(tmp_path, starts, {"steps": steps, "own": own_values(experiment)})
    assert [one["why"] for one in told] == [""] * len(steps)
    assert [len(one["asked"]) for one in told] == [asked for _, asked in edits]
    digests = [by_library(experiment.with_(changes)) for changes, _ in edits]
    assert [one["digest"] for one in told] == digests
    assert len(set(digests)) > 5


def test_a_start_has_the_columns_of_all_words() -> None:
    experiment = first()
    header = header_of(start_file(experiment, touchable=True, limits=ROOMY))
    (turn,) = header["turns"]
    assert turn["path"] == POLICY
    has = turn["writes"][0]["policy"]
    assert has["columns"] == [word.number for word in WORDS if word.fixed]
    assert experiment.scheduler.params["policy"] == FIRST


@wide
def test_generated_policies_have_the_library_s_outcomes(tmp_path: Path) -> None:
    """What the page takes over by itself ends as the library's run; it may ask for other arrays instead."""
    experiment = first()
    start = start_file(experiment, touchable=True, limits=ROOMY)
    steps, wanted = [], []
    for seed in range(60):
        changes = {POLICY: policy(Random(seed))}
        try:
            changed = experiment.with_(changes)
        except ExperimentError:
            continue
        steps.append({"turned": changes})
        wanted.append(changed)
    told = in_page(tmp_path, {"plain": ({}, start)}, {"steps": steps, "own": own_values(experiment)})
    done = [(one["digest"], changed) for one, changed in zip(told, wanted, strict=True) if one["isDone"]]
    assert len(done) > 5
    for digest, changed in done:
        assert digest == by_library(changed), changed.scheduler.params["policy"]
