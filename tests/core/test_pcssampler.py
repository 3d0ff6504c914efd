"""PCSsampler against examples worked out on paper, a slow version in plain Python, and Sparrow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scheduler_core import Experiment, RunResult, build_cluster, build_workload, explain, inspect, simulate
from tests.core.experiments import experiments
from tests.core.oracles_pcssampler import PcsSamplerOracle
from tests.core.test_invariants import finished
from tests.tiers import examples

PRESETS = Path(__file__).resolve().parents[2] / "fixtures" / "presets"


def few(params: dict[str, Any], arrivals: list[float], machines: int = 2, **more: Any) -> Experiment:
    """Jobs of one task of a second, machines with one CPU, messages of 10 ms."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "network": {"message_delay_s": 0.01},
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": 1}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": s, "durations_s": [1.0], **more} for s in arrivals]},
            "scheduler": {"name": "pcssampler", "params": params},
        }
    )


def starts(found: RunResult) -> list[float]:
    return [round(ns / 1e9, 9) for ns in found.tasks["first_start_ns"].tolist()]


@pytest.mark.parametrize(("params", "wanted", "known"), [
    ({}, [0.03, 0.51, 1.03, 1.61], 2),
    ({"remember_s": 0.05}, [0.03, 0.53, 1.03, 1.63], 0),
    ({"ends_told": False}, [0.03, 0.51, 1.03, 1.63], 1),
])  # fmt: skip
def test_what_is_known_saves_a_probe_and_its_answer(params: dict[str, Any], wanted: list[float], known: int) -> None:
    """The first job probes both workers and goes to worker 0; so the second one finds worker 1 known.

    The third finds neither free and waits behind the first. Worker 1 ends at 1.51 (1.53): where told, known.
    """
    found = simulate(few({"schedulers": 1} | params, [0, 0.5, 0.6, 1.6]))
    assert starts(found) == wanted
    assert found.tasks["machine"].tolist() == [0, 1, 0, 1]
    counters = found.summary["counters"]
    assert (counters["known"], counters["refused"]) == (known, 0)


def test_what_another_scheduler_has_taken_is_refused_and_sampled_for() -> None:
    """Scheduler 0 still believes at 0.5 what worker 1 told at 0.01; scheduler 1 has sent a task there since."""
    made = few({"schedulers": 2}, [0, 0.1, 0.5])
    found = simulate(made)
    assert starts(found) == [0.03, 0.13, 1.03]
    assert found.summary["counters"]["refused"] == 1
    told = explain(made, 2)["decisions"]
    assert [one["reason"] for one in told] == ["known", "refused", "sampled", "started"]
    assert told[1]["sentence"].endswith("the report that scheduler 0 relied on was 510 ms old.")
    assert round(found.tasks["communication_ns"][2] / 1e9, 9) == 0.05
    assert inspect(made, 0.45)["scheduler"]["workers_known"] == [1, 0]


def test_one_worker_and_nobody_end_clearly() -> None:
    alone = simulate(few({"probes": 64}, [0.0] * 4, machines=1))
    assert starts(alone) == [0.03, 1.03, 2.03, 3.03]
    hopeless = simulate(few({}, [0.0, 1.0], demand={"cpus": 2})).summary
    assert hopeless["tasks"] == {"total": 2, "completed": 0, "unfinished": 0, "unschedulable": 2}
    assert hopeless["counters"]["probes"] == 0


def test_memory_beats_sparrow_where_there_is_room() -> None:
    """The abstract claims lower medians and 90th percentiles than Sparrow's: one message instead of three."""
    delays = {}
    for name in ("sparrow", "pcssampler"):
        delays[name] = simulate(
            Experiment.parse(
                {
                    "schema_version": 1,
                    "seed": 2,
                    "topology": {"clusters": [{"name": "c", "machines": [{"count": 200, "cpus": 1}]}]},
                    "workload": {
                        "kind": "synthetic",
                        "jobs": 1500,
                        "tasks_per_job": {"kind": "constant", "value": 4},
                        "arrivals": {"kind": "poisson", "offered_load": 0.6},
                        "duration_s": {"kind": "exponential", "mean": 5},
                        "demand": {"cpus": 1},
                    },
                    "scheduler": {"name": name},
                }
            )
        ).summary["allocation_delay_s"]
    assert delays["pcssampler"]["p50"] == 0.0005
    assert delays["sparrow"]["p50"] == 0.0015
    assert delays["pcssampler"]["p90"] < delays["sparrow"]["p90"]


def test_the_longer_the_memory_the_fewer_messages_and_the_more_refusals() -> None:
    """The question of a preset."""
    data = json.loads((PRESETS / "pcssampler-memory.json").read_text())
    found = []
    for seconds in (0, 60, 600):
        data["scheduler"]["params"]["remember_s"] = seconds
        found.append(simulate(Experiment.parse(data)).summary)
    counters = [one["counters"] for one in found]
    assert counters[0]["messages"] > counters[1]["messages"] > counters[2]["messages"]
    assert 0 == counters[0]["refused"] < counters[1]["refused"] < counters[2]["refused"]
    assert found[2]["allocation_delay_s"]["mean"] < 0.5 * found[0]["allocation_delay_s"]["mean"]


@examples(100)
@given(experiments("pcssampler"))
def test_every_run_equals_plain_lists(experiment: Experiment) -> None:
    cluster = build_cluster(experiment)
    oracle = PcsSamplerOracle(experiment, cluster, build_workload(experiment, cluster))
    oracle.run()
    simulation = finished(experiment)
    assert simulation.result is not None
    tasks, rows = simulation.result.tasks, simulation.decisions()
    columns = ("first_start_ns", "end_ns", "machine")
    assert [tuple(int(row[c]) for c in columns) for row in tasks] == oracle.outcome
    placed = rows[rows["machine"] >= 0]
    fields = ("t_ns", "task", "machine", "reason", "to", "x", "y")
    assert [tuple(int(row[c]) for c in fields) for row in placed] == [row for row in oracle.rows if row[2] >= 0]
    assert len(rows) == len(oracle.rows)
    counters = simulation.result.summary["counters"]
    completed = simulation.result.summary["tasks"]["completed"]
    assert counters["known"] + counters["sampled"] - counters["refused"] == completed
