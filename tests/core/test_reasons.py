"""Every declared reason is reached by some run and told in a sentence; inspect and explain agree with the run."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import SCHEDULERS, Experiment, ExperimentError, Simulation, explain, inspect, simulate
from scheduler_core.run.telling import duration, sentence
from scheduler_core.schedulers.own.reasons import TOO_DEAR
from scheduler_core.schedulers.replay.reasons import AS_RECORDED, MOVED
from scheduler_core.schedulers.slurm.reasons import DEPENDENCY, DEPENDENCY_NEVER
from scheduler_core.world.reasons import LOST
from scheduler_core.world.spec import Reason, SchedulerSpec
from tests.core.experiments import ALL, SCHEDULER_NAMES, by_loop

each_spec = pytest.mark.parametrize("spec", ALL, ids=SCHEDULER_NAMES)
one_a_loop = pytest.mark.parametrize("name", by_loop(SCHEDULER_NAMES))


# Something that no machine offers, which tasks may do without.
RELAXED: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"count": 1}], "constraint_shares": {"a": 0}}]},
    "constraints": {
        "catalogue": "custom",
        "custom": [{"name": "a", "machine_share": 0}],
        "soft": [{"name": "a", "slowdown": 2}],
    },
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1], "constraints": ["a"]}]},
}
# Graphs, which leave too little room for one another.
GRAPHS: dict[str, Any] = {
    "workload": {
        "kind": "inline",
        "jobs": [
            {
                "arrival_s": 0,
                "stages": [
                    {"name": "a", "tasks": 3, "duration_s": 2},
                    {"name": "b", "duration_s": 1},
                    {"name": "c", "duration_s": 3, "after": ["a", "b"]},
                ],
            }
            for _ in range(3)
        ],
    }
}
# Changes of the experiment below under which, together, a scheduler gives all its reasons; none for one not listed.
WAYS: dict[str, list[dict[str, Any]]] = {
    "sparrow": [{}, {"params": {"late_binding": False}}],
    "megha": [
        {"queues": [{"name": "q0", "share": 0.9}, {"name": "q1", "share": 0.1}],
         "events": [{"at_s": 0.33, "kind": "drain", "target": {"machine": 2}, "duration_s": 9}]},
        {"events": [{"at_s": t, "kind": "fail", "target": {"machine": m}, "duration_s": 2}
                    for t, m in ((0.17, 0), (2, 5))]},
        RELAXED,
    ],
    "centralised": [
        {"queues": [{"name": "q0", "share": 0.9}, {"name": "q1", "share": 0.1}],
         "events": [{"at_s": 10.08, "kind": "drain", "target": {"machine": 1}, "duration_s": 9}]},
        {"events": [{"at_s": 0.17, "kind": "fail", "target": {"machine": 0}, "duration_s": 2},
                    {"at_s": 5, "kind": "fail", "target": {"cluster": "lm-0"}, "duration_s": 2}]},
        RELAXED,
    ],
} | {spec.name: [{}, GRAPHS] for spec in SCHEDULERS if spec.family == "dag"}  # fmt: skip
# Groups that compete, are put off, wait for a better machine, or for amounts that lie on too many machines.
LACKING: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"attributes": {"a": True}}, {}]}]},
    "constraints": {
        "catalogue": "custom",
        "soft": [{"name": "a", "slowdown": 9}],
        "custom": [{"name": "a", "attribute": "a", "comparison": "==", "value": True}],
    },
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1], "constraints": ["a"]}] * 2},
}
SCATTERED: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"count": 2, "cpus": 3, "memory_gb": 4}]}]},
    "workload": {
        "kind": "inline",
        "jobs": [
            {"arrival_s": 0, "durations_s": [5] * tasks, "demand": {"cpus": cpus, "memory_gb": memory_gb}}
            for tasks, cpus, memory_gb in ((3, 2.5, 0), (3, 1, 2), (4, 1.5, 1))
        ],
    },
}
# Machines that are all busy for longer than a short plan looks ahead.
FULL: dict[str, Any] = {
    "workload": {
        "kind": "inline",
        "jobs": [{"arrival_s": 0, "durations_s": [9] * 8}, {"arrival_s": 1, "durations_s": [1]}],
    }
}
QUICK = {"interval_s": 0.5}
WAYS["alsched"] = [
    {"params": QUICK},
    {"params": QUICK | {"groups_per_cycle": 1}},
    {"params": QUICK | {"solver_limit": 1e-9}},
    GRAPHS | {"params": QUICK},
    RELAXED | {"params": QUICK},
    SCATTERED | {"params": QUICK},
    FULL | {"params": QUICK},
]
WAYS["tetrisched"] = [
    way | {"params": way.get("params", QUICK) | {"quantum_s": 0.5, "plan_ahead_s": 3}}
    for way in (*WAYS["alsched"], LACKING | {"params": QUICK})
]
# Of those that tell long jobs from short ones: tasks that wait behind a long one.
MIXED: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"count": 3, "cpus": 1}]}]},
    "workload": {
        "kind": "inline",
        "jobs": [{"arrival_s": n / 4, "durations_s": [30 if n % 5 == 0 else 4 - n % 3] * 3} for n in range(20)],
    },
    "params": {"short_cutoff_s": 10, "long_partition_share": 0.6},
}
for hybrid in ("hawk", "hawk-c", "eagle", "eagle-c"):
    WAYS[hybrid] = [{}, MIXED]
WAYS["hawk-c"] = [{"params": {"min_probes": 2}}, MIXED | {"params": MIXED["params"] | {"min_probes": 2}}]
WAYS["own"] = [
    {"params": {"policy": "filter: machine.number > 0"}},
    {"params": {"policy": "score: machine.free_cpus", "step_limit": 300}},
    {"params": {"policy": "score: machine.number", "news": "stale", "heartbeat_s": 0.3, "schedulers": 2}},
    {
        "params": {"policy": "score: -machine.waiting", "wait_at": "machine"},
        "events": [{"at_s": 1, "kind": "drain", "target": {"machine": 2}, "duration_s": 2}],
    },
    {
        "params": {"policy": "preempt: task.duration_s < victim.left_s", "decision_us": 100_000},
        "events": [{"at_s": t / 8, "kind": "fail", "target": {"machine": t % 2}, "duration_s": 0.1} for t in range(12)],
    },
    RELAXED,
]
WAYS["sparrow-c"] = WAYS["sparrow"]
OFTEN = {"monitor_interval_s": 1}
PATIENT = {"load_threshold_percent": 100, "wait_threshold_s": 1e9}
WAYS["phoenix"] = [
    {"params": OFTEN},
    RELAXED,
    *(MIXED | {"params": MIXED["params"] | more} for more in ({}, OFTEN, PATIENT)),
]
WAYS["pigeon"] = [{}, MIXED | {"params": {"short_cutoff_s": 10, "reserved_per_group": 1}}]
for strict in ("drf", "wdrf"):
    WAYS[strict].append(GRAPHS | {"params": {"work_conserving": False}})
GROUPS: dict[str, Any] = {"queues": [{"name": name, "share": 0.5, "parent": "g"} for name in ("a", "b")]}
for grouped in ("drf", "wdrf", "capacity"):
    WAYS[grouped].append(GROUPS)
WAYS["omega"] = [
    {"params": {"placement": "first", "split": "key"}},
    {
        "params": {"conflicts": "coarse", "placement": "first", "split": "key"},
        "topology": {"clusters": [{"machines": [{"count": 2, "cpus": 8}]}]},
    },
    {
        "params": {"commit": "all_or_nothing", "placement": "first", "split": "key"},
        "topology": {"clusters": [{"machines": [{"count": 4, "cpus": 2}]}]},
    },
    {"events": [{"at_s": 2, "kind": "fail", "target": {"cluster": "lm-0"}, "duration_s": 2}]},
]
WAYS["mercury"] = [
    {"params": {"guaranteed": "drawn", "heartbeat_s": 0.5, "choices": 2, "shed_s": 0.1}},
]
WAYS["apollo"] = [{"params": {"tokens": 1, "publish_s": 0.3, "correct_s": 0.1}}]
WAYS["yacc-d"] = [{"params": {"schedulers": 16, "heartbeat_s": 2, "choices": 1, "starvation_cap": 1}}]
WAYS["mesos"] = [
    {"params": {"interval_s": 0}, "workload": {"kind": "inline", "jobs": [
        {"arrival_s": 0, "durations_s": [1] * 12},
        {"arrival_s": 0.1, "durations_s": [1], "demand": {"cpus": 64}},
    ]}},
    {"params": {"decision_s": 1}, "events": [{"at_s": 0.5, "kind": "fail", "target": {"cluster": "lm-0"}}]},
    {"topology": {"clusters": [{"machines": [{"cpus": 1}, {"cpus": 2}]}]}, "workload": {"kind": "inline", "jobs": [
        {"arrival_s": 0, "durations_s": [9], "demand": {"cpus": 2}},
        {"arrival_s": 1.5, "durations_s": [9], "demand": {"cpus": 2}},
        {"arrival_s": 5, "durations_s": [1]},
    ]}},
]  # fmt: skip
WAYS["hydra"] = [
    {"params": {"resend_s": 0}},
    {"events": [{"at_s": 9, "kind": "fail", "target": {"cluster": "lm-0"}, "duration_s": 2}]},
]
FAILING = GRAPHS | {"events": [{"at_s": 1, "kind": "fail", "target": {"machine": 0}, "duration_s": 1}]}
for spec in SCHEDULERS:
    if spec.family == "dag":
        WAYS[spec.name].append(FAILING)
DATA = {
    "params": {"wait_s": 0.25, "rack_wait_s": 0.2},
    "topology": {"clusters": [{"name": "lm", "racks": 3, "machines": [{"count": 9, "cpus": 1}]}]},
}
for local in ("fair", "delay-schedule"):
    WAYS[local] += [DATA, DATA | {"params": {"wait_s": 0, "rack_wait_s": 0}}]
WAYS["carbyne"].append(GRAPHS | {"params": {"altruism": 0}})
WAYS["carbyne"].append(DATA | {"params": {"altruism": 0, "unsized_data": True}})

# Of schedulers that solve a flow: data in racks, a machine that fails, what does not fit beside what runs, moving.
NARROW: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"count": 1, "cpus": 4}]}]},
    "workload": {
        "kind": "inline",
        "jobs": [
            {"arrival_s": 0, "durations_s": [1], "demand": {"cpus": 1}},
            {"arrival_s": 0.5, "durations_s": [1], "demand": {"cpus": 4}},
        ],
    },
}
RACKS: dict[str, Any] = {
    "topology": DATA["topology"],
    "events": [{"at_s": 2.1, "kind": "fail", "target": {"machine": 0}, "duration_s": 1}],
}
FAR = {"topology": {"clusters": [{"racks": 9, "machines": [{"count": 9, "cpus": 1}]}]}}
EMPTYING: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"count": 2, "cpus": 2}]}]},
    "queues": [{"name": "low", "share": 0.1}, {"name": "high", "share": 0.9}],
    "workload": {
        "kind": "inline",
        "jobs": [
            {"arrival_s": 0, "durations_s": [9, 1, 9, 1], "queue": "low"},
            {"arrival_s": 0.5, "durations_s": [9], "queue": "high"},
        ],
    },
}
CRAMPED: dict[str, Any] = {
    "topology": {"clusters": [{"machines": [{"count": 3, "cpus": 1}, {"count": 1, "cpus": 2}]}]},
    "workload": {
        "kind": "inline",
        "jobs": [
            {"arrival_s": 0, "durations_s": [3, 3]},
            {"arrival_s": 0, "durations_s": [3] * 4, "demand": {"cpus": 2}},
        ],
    },
}
for spec in SCHEDULERS:
    if spec.family == "flow":
        moving = {"stay_cost": 0.001} if "stay_cost" in spec.params.model_fields else {}
        moving |= {"preemption": True} if "preemption" in spec.params.model_fields else {}
        moving |= {"wait_cost": 5} if "wait_cost" in spec.params.model_fields else {}
        fair = {"fair": True, "preemption": True} if "fair" in spec.params.model_fields else {}
        balance = [
            {
                "topology": EMPTYING["topology"],
                "params": moving,
                "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": times}]},
            }
            for times in ([9, 1, 9, 1], [9, 9, 1, 1], [9, 1, 1, 9])
        ]
        soft = {
            "catalogue": "custom",
            "soft": [{"name": "a"}],
            "custom": [{"name": "a", "attribute": "a", "comparison": "==", "value": True}],
        }
        wanting = {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 1], "constraints": ["a"]}]}
        halves = {"clusters": [{"machines": [{"cpus": 1, "attributes": {"a": True}}, {"cpus": 1}]}]}
        balance += [{"topology": halves, "constraints": soft, "workload": wanting}, CRAMPED | {"params": fair}]
        # Every task has data: reasons of locality need some.
        data = {"unsized_data": True} if "unsized_data" in spec.params.model_fields else {}
        near = [way | {"params": params | data} for way, params in ((RACKS, {}), (FAR, {}), (RACKS, moving))]
        WAYS[spec.name] = [*near, NARROW, EMPTYING | {"params": moving}, *balance]
        if (
            spec.params.model_fields["leave_cost"].default is not None
        ):  # whoever would wait for a better machine does not
            leaving = {"leave_cost": None}
            WAYS[spec.name] += [way | {"params": way.get("params", {}) | leaving} for way in WAYS[spec.name]]
# Of those of one queue: a machine that fails while it is being chosen, what is lacking, each strategy, two shares.
SLOW: dict[str, Any] = {
    "params": {"decision_us": 1e5},
    "events": [
        {"at_s": 0.05, "kind": "fail", "target": {"machine": machine}, "duration_s": 0.2} for machine in range(8)
    ],
}
for spec in SCHEDULERS:
    if spec.family == "queue" and spec.name not in WAYS:
        strategies: list[dict[str, Any]] = [
            {"params": {"strategy": one}} for one in ("spread", "binpack", "random") if spec.name == "swarm"
        ]
        WAYS[spec.name] = [{}, RACKS, RELAXED, SLOW, EMPTYING, *strategies]
        if spec.name == "fifo":  # a head that fits nowhere keeps others from running into faults
            WAYS[spec.name] += [way | {"params": way.get("params", {}) | {"overtake": True}} for way in WAYS[spec.name]]
IMPORTANT = {"queues": [{"name": "low", "share": 0.1, "priority": 1}, {"name": "high", "share": 0.9, "priority": 2}]}
FAILS_FIRST = {"events": [{"at_s": 0.5, "kind": "fail", "target": {"cluster": "lm-0"}, "duration_s": 2}]}
WAYS["as-recorded"] = [
    {"params": {"without_start": "arrival"}},
    FAILS_FIRST | {"params": {"without_start": "arrival"}},
    {"params": {}, "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [5] * 9, "started_s": 1}]}},
]
WAYS["slurm"] = [
    {},
    FAILS_FIRST,
    {
        "params": {"bf_interval": 0, "bf_resolution": 0},
        "workload": {
            "kind": "inline",
            "jobs": [
                {"arrival_s": 0, "durations_s": [5] * 7},
                {"arrival_s": 1, "durations_s": [5] * 8},
                {"arrival_s": 2, "durations_s": [1]},
            ],
        },
    },
    {"params": {"backfill": "none", "default_queue_depth": 1, "sched_interval": 1}},
]
WAYS["kubernetes"] = [{}, FAILS_FIRST, RELAXED, EMPTYING | IMPORTANT]

# A gang that needs more room than there is, and a job that spreads over two racks of which one is full.
BANDS: dict[str, Any] = {
    "constraints": {
        "catalogue": "custom",
        "custom": [{"name": "a", "machine_share": 1}],
        "racks": [{"kind": "spread", "share": 1}],
    },
    "workload": {
        "kind": "inline",
        "jobs": [
            {"arrival_s": 0, "durations_s": [1] * 6, "gang": True},
            {"arrival_s": 0, "durations_s": [1] * 6, "gang": True},
            {"arrival_s": 0, "durations_s": [1] * 8},
        ],
    },
}
for spec in SCHEDULERS:
    if spec.family == "queue" and "gangs" in spec.supports:
        WAYS[spec.name] = [*WAYS[spec.name], BANDS]
OUTSIDE = {"params": {"m1": "overflow", "b": "provider", "provider": "lm-1"}}
DRAINING = {"events": [{"at_s": 0.3, "kind": "drain", "target": {"machine": 0}, "duration_s": 2}]}
WAYS["pipeline"] = [
    GRAPHS,
    FAILING,
    {"params": {"j2": "user_cap", "j2_jobs": 1}},
    {"params": {"t10": "oldest", "t10_wait_s": 0.2}},
    DRAINING | {"params": {"t12": "drain"}},
    FAILING | {"params": {"t11": "none"}},
    OUTSIDE,
    {
        "params": {"t9": "copies", "speed": "ghz"},
        "events": [
            {"at_s": 0.3, "kind": "fail", "target": {"machine": 0}},
            {"at_s": 0.3, "kind": "fail", "target": {"machine": 5}},
        ],
        "topology": {"clusters": [{"machines": [{"count": 4, "resources": {"ghz": speed}} for speed in (1, 2)]}]},
    },
    {
        "params": {"t9": "copies", "t12": "drain"},
        "topology": {"clusters": [{"machines": [{"count": 7}]}]},
        "events": [{"at_s": 0.3, "kind": "drain", "target": {"machine": 3}}],
    },
    NARROW | {"params": {"r4": "predicted"}},
    {"params": {"r6": "lease", "r7": "reactive", "r6_delay_s": 0.1}},
    {
        "params": {"r5": "worst_fit", "t12": "contention"},
        "topology": EMPTYING["topology"],
        "workload": {
            "kind": "inline",
            "jobs": [
                {"arrival_s": 0, "durations_s": [9, 9]},
                {"arrival_s": 0.5, "durations_s": [1], "demand": {"cpus": 2}},
            ],
        },
    },
]


ELSEWHERE = {"as-recorded": {AS_RECORDED, MOVED}, "slurm": {DEPENDENCY, DEPENDENCY_NEVER}, "own": {TOO_DEAR}}
"""Reasons about what only an import names, and one of policies on 20,000 machines.

test_replay, test_slurm and test_own reach them.
"""

# Of those with queues at machines, or at masters of groups of them: a cluster that fails, and then comes back.
FAILS: dict[str, Any] = {"events": [{"at_s": 2, "kind": "fail", "target": {"cluster": "lm-0"}, "duration_s": 2}]}
for spec in ALL:
    if LOST in {reason.code for reason in spec.reasons}:
        needed: dict[str, Any] = {"short_cutoff_s": 0.1} if "long_partition_share" in spec.params.model_fields else {}
        needed = {"pigeon": {"group_size": 4}, "mercury": {"guaranteed": "drawn", "guaranteed_percent": 50}}.get(
            spec.name, QUICK if spec.family == "spacetime" else needed
        )
        WAYS.setdefault(spec.name, [{}]).append(FAILS | {"params": needed})


def crowded(scheduler: str, params: dict[str, Any] | None = None, **parts: Any) -> Experiment:
    """Few machines, two masters that each want more than they own, and a task too large for any machine."""
    jobs = [{"arrival_s": 0.1 * i, "durations_s": [0.5, 1.0, 0.7], "demand": {"cpus": 1}} for i in range(40)]
    jobs.append({"arrival_s": 1, "durations_s": [1], "demand": {"cpus": 64}})
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "global_masters": 2,
                "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 4, "cpus": 1}]}],
            },
            "workload": {"kind": "inline", "jobs": jobs},
            "network": {"message_delay_s": 0.05},
            "scheduler": {"name": scheduler, "params": params or {}},
            **parts,
        }
    )


def decisions(experiment: Experiment, **options: Any) -> Any:
    simulation = Simulation(experiment, frames=0, **options)
    for _ in simulation.run():
        pass
    return simulation.decisions()


@each_spec
def test_every_reason_code_is_reached(spec: SchedulerSpec) -> None:
    ways = WAYS.get(spec.name, [{}])
    reached = {code for way in ways for code in decisions(crowded(spec.name, **way))["reason"].tolist()}
    assert reached | ELSEWHERE.get(spec.name, set()) == {reason.code for reason in spec.reasons if not reason.now}


@each_spec
def test_every_reason_is_told_with_the_fields_it_declares(spec: SchedulerSpec) -> None:
    codes = [reason.code for reason in spec.reasons]
    assert len(set(codes)) == len(codes)
    row = {"machine": 7, "frm": 1, "to": 2, "x": 1500, "y": 3, "count": 4}
    for reason in spec.reasons:
        named = {name for _, name, _, _ in string.Formatter().parse(reason.template) if name}
        assert named == set(reason.fields)
        told = sentence(reason, row, "lm-0")
        assert told.endswith(".")
        assert "{" not in told
        assert reason.mark is None or reason.mark in {mark.kind for mark in spec.marks}


@pytest.mark.slow
@one_a_loop
def test_every_task_has_an_explanation_when_the_run_is_over(name: str) -> None:
    experiment = crowded(name)
    tasks = simulate(experiment).tasks
    for task in range(0, len(tasks), 7):
        told = explain(experiment, task)
        assert told["decisions"]
        assert told["first_start_s"] == (None if tasks[task]["attempts"] == 0 else tasks[task]["first_start_ns"] / 1e9)
    hopeless = explain(experiment, len(tasks) - 1 if name == "none" else int(np.flatnonzero(tasks["attempts"] == 0)[0]))
    assert hopeless["state"] == "unschedulable"
    assert "large enough" in hopeless["decisions"][-1]["sentence"]


def test_watching_a_task_changes_nothing_else() -> None:
    experiment = crowded("megha")
    everything = decisions(experiment)
    watched = decisions(experiment, watch_task=60)
    started = everything[(everything["task"] == 60) & (everything["machine"] >= 0)]
    assert (watched["task"] == 60).all()
    assert [tuple(r) for r in watched[watched["machine"] >= 0]] == [tuple(r) for r in started]


def test_a_waiting_task_is_explained_at_the_moment_it_waits() -> None:
    experiment = crowded("megha")
    tasks = simulate(experiment).tasks
    longest = int(np.argmax(np.where(tasks["attempts"] > 0, tasks["first_start_ns"] - tasks["arrival_ns"], 0)))
    middle_s = (int(tasks[longest]["arrival_ns"]) + int(tasks[longest]["first_start_ns"])) / 2e9
    told = explain(experiment, longest, middle_s)
    assert told["state"] == "waiting"
    assert told["decisions"][-1]["reason"] == "waiting"
    assert "wait in its queues" in told["decisions"][-1]["sentence"]


@one_a_loop
def test_inspect_counts_what_the_run_counts(name: str) -> None:
    experiment = crowded(name)
    tasks = simulate(experiment).tasks
    seen = inspect(experiment, 2.0)
    # A Local Master hears of an end one message later, and starts are booked when they are launched.
    assert seen["counters"]["tasks_arrived"] == int((tasks["arrival_ns"] <= 2e9).sum())
    assert seen["tasks"].get("done", 0) <= int((tasks["end_ns"] <= 2e9).sum())
    assert seen["machines"]["total"] == 8
    assert seen["machines"]["used"]["cpus"] <= seen["machines"]["capacity"]["cpus"] == 8


def test_a_task_that_is_not_there_is_a_problem() -> None:
    with pytest.raises(ExperimentError, match="there is no task 9999"):
        explain(crowded("megha"), 9999)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (1.2345e-6, "1.23 µs"), (0.0456, "45.6 ms"), (1, "1 s"), (1234.5, "1,230 s")]
)
def test_durations_have_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@one_a_loop
def test_tasks_of_one_job_may_differ_in_what_they_demand(name: str, tmp_path: Path) -> None:
    """Also where a probe keeps room before it is known which task it will get."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "job": [0, 0, 1],
        "arrival_ns": [0, 0, 0],
        "mean_ns": [10**9] * 3,
        "duration_ns": [10**9] * 3,
        "demand.cpus": [1000, 2000, 1000],
    }
    table = pa.table(columns).replace_schema_metadata({b"scheduler_core.trace": b"1"})
    pq.write_table(table, tmp_path / "mixed.parquet")
    data = {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 3, "cpus": 4}]}]},
        "workload": {"kind": "trace", "path": "mixed.parquet"},
    }
    result = simulate(Experiment.parse(data | {"scheduler": {"name": name}}, base_dir=tmp_path))
    assert result.summary["tasks"]["completed"] == 3


@pytest.mark.parametrize(("template", "told"), [
    ("{x} tasks of its stage wait.", "1 task of its stage waits."),
    ("It waits until {x} other stages of its job have ended.", "It waits until 1 other stage of its job has ended."),
    ("The last of the {x} stages that it waits for has ended.", "The stage that it waits for has ended."),
    ("By its plan the first of the {x} tasks of this stage that wait may start.",
     "By its plan the task of this stage that waits may start."),
    ("It was of 2{x} tasks, 0.{x} tasks.", "It was of 21 tasks, 0.1 tasks."),
])  # fmt: skip
def test_one_is_told_as_one(template: str, told: str) -> None:
    assert sentence(Reason(1, "one", template, ("x",)), {"x": 1}, "") == told
