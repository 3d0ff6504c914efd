"""The experiments that are measured. They are made when a row runs, because reading a trace takes its time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.measured import Skipped
from scheduler_core import Experiment, workload_presets

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces"
GLOBAL_MASTERS, CLUSTERS = 4, 25

MakeExperiment = Callable[[], Experiment]


def _experiment(scheduler: str, machines: int, workload: dict[str, Any]) -> Experiment:
    """Lay out machines of one CPU as in the Megha paper: 4 Global Masters and 25 clusters."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "global_masters": GLOBAL_MASTERS,
                "clusters": [
                    {"name": "lm", "repeat": CLUSTERS, "machines": [{"count": machines // CLUSTERS, "cpus": 1}]}
                ],
            },
            "workload": workload,
            "scheduler": {"name": scheduler},
        }
    )


def trace_file(name: str) -> Path:
    """Find a trace beside the project; raises Skipped."""
    path = TRACES / name
    if not path.is_file():
        raise Skipped("no trace")
    return path


def on_trace(scheduler: str, name: str, machines: int) -> MakeExperiment:
    """Return a public trace, tasks of one CPU, every parameter at its default."""
    return lambda: _experiment(
        scheduler, machines, {"kind": "trace", "format": "sparrow", "path": str(trace_file(name))}
    )


def hybrid(scheduler: str, name: str, machines: int, profile: str = "paper") -> MakeExperiment:
    """Return a public trace with the cut-off and the partition that suit it."""
    cutoff, percent = {"GOOG_subtrace.tr": (1129.532, 17)}.get(name, (90.5811, 2))
    kept = {"reserved_per_group": percent} if scheduler == "pigeon" else {"long_partition_share": 1 - percent / 100}
    params = {"profile": profile, "short_cutoff_s": cutoff, **kept}
    return changed(on_trace(scheduler, name, machines), params=params)


def like_google(scheduler: str) -> MakeExperiment:
    """About the GOOG trace in tasks a job, durations and mean load, drawn; its bursts are left out."""
    workload = {
        "kind": "synthetic",
        "tasks": 312_558,
        "arrivals": {"kind": "poisson", "offered_load": 0.47},
        "tasks_per_job": {"kind": "lognormal", "mu": 0.9, "sigma": 2.2, "max": 5_000},
        "duration_s": {"kind": "lognormal", "mu": 5.7, "sigma": 1.55, "max": 100_000},
        "duration_varies": "job",
        "in_job_cv": 0.05,
    }
    return lambda: _experiment(scheduler, 10_000, workload)


def own(policy: str, **params: str) -> MakeExperiment:
    """Return the drawn work of `like_google` under a policy of one's own."""
    given = like_google("own")
    return lambda: given().with_({"scheduler.params": {"policy": policy, **params}})


def spreading() -> MakeExperiment:
    """Return that work under Swarm's strategy `spread`, which decides as the policy `100 * machine.left_mean`."""
    given = like_google("swarm")
    return lambda: given().with_({"scheduler.params": {"strategy": "spread", "decision_time": "none"}})


def million(scheduler: str, machines: int = 50_000, tasks: int = 1_000_000) -> MakeExperiment:
    """Return a million tasks, or as many as are asked for, at 80 % load."""
    workload = {
        "kind": "synthetic",
        "tasks": tasks,
        "arrivals": {"kind": "poisson", "offered_load": 0.8},
        "tasks_per_job": {"kind": "lognormal", "median": 10, "sigma": 1, "max": 1_000},
        "duration_s": {"kind": "lognormal", "median": 60, "sigma": 1, "max": 3_600},
    }
    return lambda: _experiment(scheduler, machines, workload)


def graphs(scheduler: str) -> MakeExperiment:
    """250 graphs at once on 100 machines of 20 CPUs and 128 GB; stages as in Carbyne's TPC-DS: p50 8, p95 23."""
    workload = {
        "kind": "dag",
        "jobs": 250,
        "arrivals": {"kind": "at_once"},
        "stages": {"kind": "lognormal", "median": 8, "sigma": 0.64, "max": 60},
        "tasks_per_stage": {"kind": "lognormal", "median": 12, "sigma": 1.2, "max": 2_000},
        "duration_s": {"kind": "lognormal", "median": 12, "sigma": 0.8, "max": 600},
        "demands": [
            {"demand": {"cpus": cpus, "memory_gb": memory_gb}, "weight": weight}
            for cpus, memory_gb, weight in ((1, 2, 3), (1, 12, 2), (3, 6, 2), (4, 16, 1))
        ],
    }
    return lambda: Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"machines": [{"count": 100, "cpus": 20, "memory_gb": 128}]}]},
            "workload": workload,
            "scheduler": {"name": scheduler},
        }
    )


def by_flow(scheduler: str, *, load: float = 0.8, tasks: int = 100_000, **params: Any) -> MakeExperiment:
    """1,000 machines of 4 CPUs in racks of 40; tasks of one CPU, a round whenever something has changed."""
    workload = {
        "kind": "synthetic",
        "tasks": tasks,
        "arrivals": {"kind": "poisson", "offered_load": load},
        "tasks_per_job": {"kind": "lognormal", "median": 10, "sigma": 1, "max": 1_000},
        "duration_s": {"kind": "lognormal", "median": 60, "sigma": 1, "max": 3_600},
        "demand": {"cpus": 1, "memory_gb": 0},
    }
    return lambda: Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"racks": 25, "machines": [{"count": 1_000, "cpus": 4, "memory_gb": 16}]}]},
            "workload": workload,
            "scheduler": {"name": scheduler, "params": params},
        }
    )


def waiting_jobs(scheduler: str, **params: Any) -> MakeExperiment:
    """Return 100 jobs that wait for the cycle at 4 s on 1,000 machines of 2 CPUs, most of them busy.

    A third would like one of the 200 machines with a GPU.
    """
    jobs: list[dict[str, Any]] = [{"arrival_s": 0, "durations_s": [5 + 60 * i / 1900 for i in range(1900)]}]
    jobs += [
        {
            "arrival_s": 1,
            "durations_s": [10 + (7 * i + 13 * j) % 50 for j in range(5 + (11 * i) % 30)],
            "constraints": ["gpu"] if i % 3 == 0 else [],
        }
        for i in range(100)
    ]
    return lambda: Experiment.parse({
        "schema_version": 1,
        "topology": {"clusters": [{"machines": [
            {"count": 200, "cpus": 2, "attributes": {"gpu": True}}, {"count": 800, "cpus": 2}]}]},
        "constraints": {
            "catalogue": "custom", "soft": [{"name": "gpu", "slowdown": 2}],
            "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
        },
        "workload": {"kind": "inline", "jobs": jobs},
        "scheduler": {"name": scheduler, "params": params},
    })  # fmt: skip


def _preset_graphs(name: str, scheduler: str, machines: int, interval_s: float, **work: Any) -> Experiment:
    """Return the jobs of a preset of graphs on machines of 20 CPUs and 128 GB."""
    preset = next(one for one in workload_presets() if one.name == name)
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"machines": [{"count": machines, "cpus": 20, "memory_gb": 128}]}]},
            "workload": preset.workload.model_dump(mode="json", exclude_unset=True) | work,
            "scheduler": {"name": scheduler, "params": {"interval_s": interval_s}},
        }
    )


def like_facebook(scheduler: str, interval_s: float) -> MakeExperiment:
    """7,000 jobs of two stages, some 650,000 tasks, all at once on 3,000 machines."""
    return lambda: _preset_graphs("map-reduce", scheduler, 3_000, interval_s, arrivals={"kind": "at_once"})


def tpcds_at_once(scheduler: str = "carbyne") -> MakeExperiment:
    """250 graphs like TPC-DS at once on 100 machines: more than 10,000 tasks may start and wait."""
    return lambda: _preset_graphs("tpc-ds", scheduler, 100, 0.0, arrivals={"kind": "at_once"})


def like_microsoft(scheduler: str, interval_s: float) -> MakeExperiment:
    """30,000 graphs like Microsoft's in Carbyne's Table 1, some 2,000,000 tasks, all at once on 10,000 machines."""
    return lambda: _preset_graphs("microsoft", scheduler, 10_000, interval_s, jobs=30_000, arrivals={"kind": "at_once"})


def changed(make: MakeExperiment, *, params: dict[str, Any] | None = None, **parts: Any) -> MakeExperiment:
    """Return the same experiment with other parameters or parts."""

    def changing() -> Experiment:
        data = make().to_dict()
        data["scheduler"]["params"] |= params or {}
        for name, part in parts.items():
            data[name] = data[name] | part if isinstance(data[name], dict) else part
        return Experiment.parse(data)

    return changing


def public(name: str, machines: int) -> MakeExperiment:
    """Megha by the rules of its authors' public simulator; the heartbeat is then that program's."""
    return changed(on_trace("megha", name, machines), params={"profile": "public-simulator", "heartbeat_s": 30})


def constrained(make: MakeExperiment, catalogue: str = "megha-21", mix: str = "google-a") -> MakeExperiment:
    """Return the 21 constraints of Megha's authors, or another catalogue's, for half of the tasks."""

    def constraining() -> Experiment:
        data = make().to_dict()
        for cluster in data["topology"]["clusters"]:
            cluster["constraint_mix"] = mix
        return Experiment.parse(data | {"constraints": {"catalogue": catalogue, "task_share": 0.5}})

    return constraining


def nodes(machines: int, tasks: int = 1_000_000) -> MakeExperiment:
    """Machines of 64 CPU and 16 GB, tasks of a quarter of one, at 80 % load."""
    workload = {
        "kind": "synthetic",
        "tasks": tasks,
        "arrivals": {"kind": "poisson", "offered_load": 0.8},
        "tasks_per_job": {"kind": "lognormal", "median": 10, "sigma": 1, "max": 1_000},
        "duration_s": {"kind": "lognormal", "median": 60, "sigma": 1, "max": 3_600},
        "demand": {"cpus": 16, "memory_gb": 4},
    }

    def making() -> Experiment:
        data = _experiment("megha", machines, workload | {"demand": {"cpus": 1}}).to_dict()
        data["topology"]["clusters"][0]["machines"][0] |= {"cpus": 64, "memory_gb": 16}
        return Experiment.parse(data | {"workload": workload})

    return making
