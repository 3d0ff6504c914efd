"""A burst makes a queue's arrivals come faster for a while: the same jobs, in the order of their new times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, Simulation, build_cluster, build_workload, simulate


def experiment(*events: dict[str, Any]) -> Experiment:
    jobs = [{"arrival_s": float(i), "durations_s": [0.001 * (i + 1)], "queue": f"q{i % 2}"} for i in range(20)]
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": 4}]}]},
            "queues": [{"name": "q0", "share": 0.5}, {"name": "q1", "share": 0.5}],
            "workload": {"kind": "inline", "jobs": jobs},
            "scheduler": {"name": "megha"},
            "events": list(events),
        }
    )


def burst(at_s: float, duration_s: float, factor: float) -> dict[str, Any]:
    return {"at_s": at_s, "kind": "burst", "target": {"queue": "q0"}, "duration_s": duration_s,
            "value": {"rate_factor": factor}}  # fmt: skip


def arrivals_s(of: Experiment, queue: int) -> list[float]:
    jobs = build_workload(of, build_cluster(of)).jobs
    return [float(t) / 1e9 for t in jobs["arrival_ns"][jobs["queue"] == queue]]


def test_arrivals_come_faster_in_the_window_and_earlier_after_it() -> None:
    """By hand: from 4 s to 6 s twice as fast takes in what came from 4 s to 8 s; the rest is 2 s early."""
    assert arrivals_s(experiment(), 0) == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
    assert arrivals_s(experiment(burst(4, 2, 2)), 0) == [0, 2, 4, 5, 6, 8, 10, 12, 14, 16]


def test_a_factor_below_one_slows_them_and_other_queues_are_left_alone() -> None:
    assert arrivals_s(experiment(burst(0, 4, 0.5)), 0) == [0, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    assert arrivals_s(experiment(burst(0, 4, 0.5)), 1) == arrivals_s(experiment(), 1)


def test_overlapping_bursts_multiply() -> None:
    assert arrivals_s(experiment(burst(0, 4, 2), burst(1, 1, 2)), 0)[:4] == [0, 1, 1.5, 2]


def test_the_work_is_the_same_jobs_in_their_new_order() -> None:
    plain, hurried = (build_workload(e, build_cluster(e)) for e in (experiment(), experiment(burst(0, 6, 3))))
    assert sorted(plain.tasks["duration_ns"].tolist()) == sorted(hurried.tasks["duration_ns"].tolist())
    assert (np.diff(hurried.jobs["arrival_ns"]) >= 0).all()
    # A job's duration tells which it was: those of q0 have odd numbers of milliseconds.
    assert (hurried.tasks["duration_ns"] // 1_000_000 % 2 == 1 - hurried.jobs["queue"]).all()


def test_every_scheduler_runs_a_burst() -> None:
    data = experiment(burst(0, 6, 3)).to_dict()
    for name in ("megha", "sparrow"):
        summary = simulate(Experiment.parse(data | {"scheduler": {"name": name}})).summary
        assert summary["tasks"]["completed"] == 20


@pytest.mark.parametrize("scheduler", [{"name": "megha"}, {"name": "megha", "params": {"profile": "public-simulator"}},
                                       {"name": "sparrow"}])  # fmt: skip
def test_a_fork_with_a_burst_has_the_same_frames_before_it(scheduler: dict[str, Any]) -> None:
    """The last job comes 1.7 s later than planned; a grid made from that would shift every frame."""
    plain = experiment().to_dict() | {"scheduler": scheduler}
    forked = plain | {"events": [burst(9, 3, 0.1)]}
    frames = []
    for data in (plain, forked):
        simulation = Simulation(Experiment.parse(data))
        frames.append([frame.to_wire() for frame in simulation.run()])
    before = [[frame for frame in each if frame["t_ns"] < 9e9] for each in frames]
    assert len(before[0]) > 100
    assert before[0] == before[1]
    assert frames[1][-1]["t_ns"] > frames[0][-1]["t_ns"]
