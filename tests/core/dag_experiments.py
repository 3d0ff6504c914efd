"""Small experiments of jobs that are graphs: written by hand, and random ones for property tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, Simulation, build_cluster, build_workload
from tests.core.experiments import params_for

DAG_SCHEDULERS = [spec.name for spec in SCHEDULERS if spec.family == "dag"]


def experiment(
    scheduler: str,
    jobs: list[dict[str, Any]],
    machines: list[dict[str, Any]],
    *,
    pooled: bool = False,
    params: dict[str, Any] | None = None,
    delay_s: float = 0.0,
    **parts: Any,
) -> Experiment:
    """Jobs on machines; messages take no time unless asked."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"pooled": pooled, "clusters": [{"name": "c", "machines": machines}]},
            "network": {"message_delay_s": delay_s},
            "workload": {"kind": "inline", "jobs": jobs},
            "scheduler": {"name": scheduler, "params": params or {}},
            **parts,
        }
    )


def stage(name: str, tasks: int, duration_s: float, after: str = "", **demand: float) -> dict[str, Any]:
    """A stage; `after` names its parents, one letter or word each."""
    return {
        "name": name,
        "tasks": tasks,
        "duration_s": duration_s,
        "demand": {"cpus": 0} | demand,
        "after": after.split(),
    }


def figure_2(scheduler: str, **params: Any) -> Experiment:
    """Two jobs on a pool of 1, as in Carbyne's Figure 2: the first one's last stage waits for both of its others."""
    first = [stage("s0", 2, 1, cpus=0.04), stage("s1", 3, 1, cpus=0.21), stage("s2", 1, 0.1, "s0 s1", cpus=0.1)]
    jobs = [{"arrival_s": 0, "stages": first}, {"arrival_s": 0, "stages": [stage("only", 2, 1, cpus=0.29)]}]
    return experiment(scheduler, jobs, [{"count": 1, "cpus": 1}], pooled=True, params=params)


@st.composite
def graphs(draw: st.DrawFn, durations: tuple[float, ...] = (0.0, 0.25, 0.5, 1.0, 2.5)) -> list[dict[str, Any]]:
    """The stages of a job; now and then one that no machine holds, in an order that is not topological."""
    stages: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 5))):
        parents = [f"s{i}" for i in range(number) if draw(st.integers(0, 2)) == 0]
        stages.append(
            {
                "name": f"s{number}",
                "tasks": draw(st.integers(1, 4)),
                "duration_s": draw(st.sampled_from(durations)),
                "demand": {
                    "cpus": draw(st.sampled_from([0.5, 1, 1, 2, 4])),
                    "memory_gb": draw(st.sampled_from([0, 1, 2])),
                },
                "after": parents,
            }
        )
    return draw(st.permutations(stages))


@st.composite
def dag_experiments(
    draw: st.DrawFn, scheduler: str, *, pooled: bool = True, waits: bool = True, **params: Any
) -> Experiment:
    """A few graphs, and flat jobs among them, on a few machines or, with `pooled`, now and then one pool."""
    jobs: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(1, 6))):
        work = {"stages": draw(graphs())} if draw(st.integers(0, 3)) else {"durations_s": [0.5, 1.0]}
        jobs.append({"arrival_s": draw(st.integers(0, 8)) / 4, **work})
    machines = [
        {"count": draw(st.integers(1, 3)), "cpus": draw(st.sampled_from([2, 4])), "memory_gb": 4},
        {"count": 1, "cpus": 1, "memory_gb": 1},
    ]
    knobs = draw(params_for(scheduler))
    if "work_conserving" in knobs:
        knobs["work_conserving"] = True
    if "wait_s" in knobs and not waits:
        knobs |= {"wait_s": 0, "rack_wait_s": 0}
    return experiment(
        scheduler,
        jobs,
        machines,
        pooled=pooled and draw(st.booleans()),
        delay_s=draw(st.sampled_from([0.0, 0.05])),
        params=knobs | params,
        seed=draw(st.integers(0, 3)),
        queues=[{"name": "a", "share": 0.6}, {"name": "b", "share": 0.3}],
    )


def has_graphs(experiment: Experiment) -> bool:
    return any(job["stages"] for job in experiment.to_dict()["workload"]["jobs"])


def stage_spans(simulation: Simulation) -> tuple[Any, Any, Any]:
    """The stages, and of each the first start and the last end of its tasks; -1 where none has started."""
    assert simulation.result is not None
    experiment, tasks = simulation.experiment, simulation.result.tasks
    stages = build_workload(experiment, build_cluster(experiment)).stages
    assert stages is not None
    first = stages.table.first_task
    starts, ends = tasks["first_start_ns"][stages.order], tasks["end_ns"][stages.order]
    return stages, np.minimum.reduceat(starts, first), np.maximum.reduceat(ends, first)
