"""Small random experiments for property tests, with coarse times so that events coincide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, scheduler_by_name
from scheduler_core.schedulers import UNLISTED
from tests.tiers import all_but_wide

ALL = (*SCHEDULERS, *UNLISTED)
"""The schedulers, and those that are not listed for users."""
SCHEDULER_NAMES = [spec.name for spec in ALL]


def loops() -> dict[str, list[str]]:
    """Schedulers by the first that shares their event loop: what a loop alone decides need not be seen for each.

    Those that refuse workloads without a recording have tests of their own (test_replay).
    """
    by_module: dict[str, list[str]] = {}
    for spec in (each for each in ALL if not each.anywhere):
        by_module.setdefault(getattr(spec.load, "func", spec.load).__module__, []).append(spec.name)
    return {names[0]: names for names in by_module.values()}


LOOPS = loops()


def by_loop(names: Iterable[str], also: Iterable[str] = ()) -> list[Any]:
    """Return schedulers as parameters: the first of each event loop and `also`; `make test-all` takes the others."""
    wanted = [name for name in names if not scheduler_by_name(name).anywhere]
    firsts = {next((name for name in wanted if name in loop), "") for loop in LOOPS.values()}
    return all_but_wide(wanted, firsts | set(also))


PROFILES = ["paper", "public-simulator"]
DAG_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "interval_s": st.sampled_from([0, 0, 0.3, 1]),
    "weights": st.sampled_from(["equal", "queue_share"]),
    "work_conserving": st.booleans(),
    "resource": st.sampled_from(["cpus", "memory_gb"]),
    "wait_s": st.sampled_from([0, 0.3, 2]),
    "rack_wait_s": st.sampled_from([0, 0.5]),
    "rack_factor": st.sampled_from([1, 1.1]),
    "remote_factor": st.sampled_from([1, 1.5, 3]),
    "epsilon": st.sampled_from([0, 1, 10]),
    "fairness": st.sampled_from([0, 0.25, 0.6, 1]),
    "barrier": st.sampled_from([0, 0.5, 0.9, 1]),
    "packer": st.sampled_from(["tetris", "dagps"]),
    "altruism": st.sampled_from([0, 0.5, 1, 1]),
    "leftover": st.sampled_from(["srtf", "packing"]),
    "inter_job": st.sampled_from(["drf", "drf", "equal", "capacity"]),
    "drawn": st.sampled_from(["decision", "decision", "job"]),
    "selfish": st.sampled_from(["drf", "drf", "own_share"]),
    "planned_share": st.sampled_from(["drf_vector", "drf_vector", "every_resource"]),
    "placement": st.sampled_from(["packing", "packing", "first_fit"]),
    "unsized_data": st.booleans(),
}
"""Parameters of schedulers of graphs, for those that have them."""
SPACE_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "interval_s": st.sampled_from([0.25, 0.3, 1]),
    "tasks": st.sampled_from(["linear", "together"]),
    "largest_wave": st.sampled_from([0.4, 1]),
    "weights": st.sampled_from(["equal", "queue_share"]),
    "fallback_value": st.sampled_from([0.1, 0.5, 1]),
    "aging_s": st.sampled_from([0, 1, 60]),
    "groups_per_cycle": st.sampled_from([1, 3, 100]),
    "solver_limit": st.sampled_from([1e-6, 0.001, 0.1]),
    "plan_ahead_s": st.sampled_from([1, 3]),
    "quantum_s": st.sampled_from([0.5, 1]),
    "half_value_s": st.sampled_from([0.5, 5, 60]),
    "deadline_slack": st.sampled_from([0, 1, 3]),
    "deadline_value": st.sampled_from([1, 10]),
}
"""Parameters of those that plan in space and time."""

FLOW_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "interval_s": st.sampled_from([0, 0, 0.3, 1]),
    "slots": st.sampled_from([None, 1, 2]),
    "solver": st.sampled_from(["ssp", "scaling", "cold"]),
    "solver_time": st.sampled_from(["modelled", "none"]),
    "preemption": st.booleans(),
    "fair": st.booleans(),
    "rack_cost": st.sampled_from([0, 1]),
    "core_cost": st.sampled_from([0, 2]),
    "wait_cost": st.sampled_from([0, 0.5]),
    "stay_cost": st.sampled_from([0.001, 1, 10]),
    "priority_cost": st.sampled_from([0, 100]),
    "load_cost": st.sampled_from([0, 0.5]),
    "short_cost": st.sampled_from([0, 1]),
    "run_cost": st.sampled_from([0, 1]),
    "soft_utility": st.sampled_from([0, 1]),
    "input_gb": st.sampled_from([0, 0, 2]),
    "unsized_data": st.booleans(),
    "interference": st.sampled_from([0, 0, 1]),
    "policy": st.sampled_from(["quincy", "random", "sjf", "load", "coco", "net"]),
    "bandwidth": st.just("cpus"),
}
"""Parameters of those that solve a flow."""
PROBING_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "profile": st.sampled_from(PROFILES),
    "short_cutoff_s": st.sampled_from([0, 0.3, 0.9, 100]),
    "long_partition_share": st.sampled_from([1, 0.7, 0.4]),
    "probe_ratio": st.sampled_from([1, 1.5, 2, 7]),
    "min_probes": st.sampled_from([1, 2, 5]),
    "steal_contacts": st.sampled_from([0, 1, 10]),
    "group_size": st.sampled_from([1, 3, 100]),
    "reserved_per_group": st.sampled_from([0, 1, 5]),
    "weight": st.sampled_from([0, 2, 100_000]),
    "rounds": st.sampled_from([1, 2, 3]),
    "sticky": st.booleans(),
    "shortest_first": st.booleans(),
    "bypass_cap": st.sampled_from([0, 1.5, 5]),
    "estimate_error": st.sampled_from(["none", "uniform", "lognormal"]),
    "estimate_error_percent": st.sampled_from([10, 100]),
    "load_threshold_percent": st.sampled_from([0, 50, 80]),
    "wait_threshold_s": st.sampled_from([0, 0.5, 10]),
    "monitor_interval_s": st.sampled_from([0.25, 1, 5]),
    "wait_memory": st.sampled_from([1, 5, 100]),
    "negotiate": st.booleans(),
    "negotiate_ratio": st.sampled_from([0, 0.5, 1]),
}
"""Parameters of those that probe workers."""
OMEGA_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "schedulers": st.sampled_from([1, 2, 3, 8]),
    "split": st.sampled_from(["type", "key"]),
    "short_cutoff_s": st.sampled_from([0.3, 200]),
    "job_s": st.sampled_from([0, 0.1, 0.25]),
    "task_s": st.sampled_from([0, 0.005, 0.25]),
    "service_job_s": st.sampled_from([0, 0.1, 2]),
    "service_task_s": st.sampled_from([0, 0.25]),
    "conflicts": st.sampled_from(["fine", "coarse"]),
    "commit": st.sampled_from(["incremental", "all_or_nothing"]),
    "placement": st.sampled_from(["random", "first"]),
}
"""Parameters of those that share a state."""
MERCURY_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "guaranteed": st.sampled_from(["long", "drawn"]),
    "short_cutoff_s": st.sampled_from([0.3, 1, 100]),
    "guaranteed_percent": st.sampled_from([0, 50, 100]),
    "heartbeat_s": st.sampled_from([0.1, 0.3, 3]),
    "choices": st.sampled_from([1, 2, 10]),
    "shedding": st.booleans(),
    "shed_s": st.sampled_from([0, 0.5, 30]),
    "estimate_error": st.sampled_from(["none", "uniform", "lognormal"]),
}
"""Parameters of guaranteed and queueable tasks."""
APOLLO_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "publish_s": st.sampled_from([0.1, 0.3, 3]),
    "choices": st.sampled_from([1, 2, 20]),
    "tokens": st.sampled_from([1, 2, 20]),
    "correction": st.booleans(),
    "correct_s": st.sampled_from([0, 0.25, 10]),
    "suspected_percent": st.sampled_from([0, 50, 100]),
    "suspected_success": st.sampled_from([0, 0.7]),
    "penalty_s": st.sampled_from([0, 2]),
    "estimate_error": st.sampled_from(["none", "uniform", "lognormal"]),
}
"""Parameters of jobs that choose by published waits."""
PCS_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "schedulers": st.sampled_from([1, 2, 10]),
    "probes": st.sampled_from([1, 2, 7]),
    "remember_s": st.sampled_from([0, 0.5, 10]),
    "ends_told": st.booleans(),
}
"""Parameters of schedulers that remember."""
YACC_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "schedulers": st.sampled_from([1, 2, 4]),
    "queue_bound": st.sampled_from([1, 2, 10]),
    "heartbeat_s": st.sampled_from([0.1, 0.3, 3]),
    "choices": st.sampled_from([1, 2, 10]),
    "order": st.sampled_from(["least_work", "least_tasks", "eldest_job", "first_come"]),
    "starvation_cap": st.sampled_from([0, 1.5, 5]),
    "estimate_error": st.sampled_from(["none", "uniform", "lognormal"]),
}
"""Parameters of bounded queues at workers."""
HYDRA_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "routing": st.sampled_from(["policy", "even"]),
    "proxy": st.sampled_from(["spill", "policy", "home"]),
    "policy_s": st.sampled_from([0.1, 1, 5]),
    "resend_s": st.sampled_from([0, 0.5, 10]),
    "node_heartbeat_s": st.sampled_from([0.1, 0.3, 1]),
    "manager_heartbeat_s": st.sampled_from([0.1, 0.25, 1]),
    "manager_start_s": st.sampled_from([0, 0.5]),
}
"""Parameters of a federation of sub-clusters."""
MESOS_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "interval_s": st.sampled_from([0, 0.3, 1]),
    "refuse_s": st.sampled_from([0.25, 1, 5]),
    "decision_s": st.sampled_from([0, 0.25, 1]),
    "hierarchy": st.sampled_from(["hdrf", "naive", "flat"]),
}
"""Parameters of offers."""
PIPELINE_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "j2": st.sampled_from(["none", "all", "user_cap", "flow_control"]),
    "j2_jobs": st.sampled_from([1, 2]),
    "j2_tasks": st.sampled_from([1, 5]),
    "j3": st.sampled_from(["none", "none", "fifo", "priority", "shortest", "fair", "drf"]),
    "t2": st.sampled_from(["none", "fifo", "ready", "srtf", "random", "priority", "critical_path", "heft"]),
    "r5": st.sampled_from(
        ["first_fit", "best_fit", "worst_fit", "random", "round_robin", "e_pvm", "score_mix", "earliest_finish"]
    ),
    "j5": st.sampled_from(["none", "none", "transfer"]),
    "j5_job_s": st.sampled_from([0.25, 1]),
    "j5_task_s": st.sampled_from([0, 0.1]),
    "t5": st.sampled_from(["none", "none", "start_up"]),
    "j7": st.sampled_from(["none", "clean_up"]),
    "t6": st.sampled_from(["none", "period", "checkpoint"]),
    "t6_s": st.sampled_from([0.25, 2]),
    "t9": st.sampled_from(["none", "none", "copies", "stragglers"]),
    "t9_copies": st.sampled_from([2, 3]),
    "t9_factor": st.sampled_from([1, 2]),
    "t8": st.sampled_from(["none", "none", "clean_up"]),
    "t10": st.sampled_from(["none", "priority", "fairness", "oldest"]),
    "t10_wait_s": st.sampled_from([0, 0.5]),
    "t10_times": st.sampled_from([1, 2]),
    "t12": st.sampled_from(["none", "drain", "contention"]),
    "t12_s": st.sampled_from([0, 0.3]),
    "t12_live": st.booleans(),
    "r4": st.sampled_from(["free_now", "predicted"]),
    "r4_s": st.sampled_from([1, 100]),
    "r6": st.just("lease"),
    "r7": st.sampled_from(["reactive", "scheduled", "tokens"]),
    "r7_machines": st.sampled_from([1, 3, 100]),
    "r7_period_s": st.sampled_from([1, 4]),
    "r6_delay_s": st.sampled_from([0, 0.3]),
    "m2": st.just("hierarchy"),
    "m4": st.sampled_from(["none", "free_cores"]),
    "m5": st.sampled_from(["random", "round_robin", "least_loaded", "two_choices"]),
    "timer_s": st.sampled_from([0, 0, 0.3]),
    "charge": st.booleans(),
    "cost_scale": st.sampled_from([1, 1e6]),
}
"""Parameters of pipelines of stages."""
QUEUE_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "gang_wait_s": st.sampled_from([None, None, 0, 1]),
    "slots": st.sampled_from([None, 1, 2]),
    "decision_time": st.sampled_from(["modelled", "none"]),
    "decision_us": st.sampled_from([0, 100, 300_000]),
    "filter_ns": st.sampled_from([0, 1000, 1e8]),
    "score_ns": st.sampled_from([0, 2000]),
    "preemption": st.booleans(),
    "percentage": st.sampled_from([0, 30]),
    "least_allocated": st.sampled_from([0, 1]),
    "balanced": st.sampled_from([0, 1]),
    "locality": st.sampled_from([0, 1]),
    "spread": st.sampled_from([0, 1]),
    "affinity": st.sampled_from([0, 1]),
    "production": st.sampled_from([0, 0.3, 1]),
    "enough": st.sampled_from([1, 3, 100]),
    "overtake": st.booleans(),
}
"""Parameters of those of one queue."""
KUBE_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    name: QUEUE_KNOBS[name] for name in ("decision_time", "decision_us", "filter_ns", "score_ns", "preemption")
} | {
    "scoring_strategy": st.sampled_from(["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"]),
    "resource_weights": st.sampled_from([None, "cpu:1", "cpu:1, memory:5", "memory:2, nvidia.com/gpu:9"]),
    "shape": st.sampled_from(["0:0, 100:10", "0:10, 100:0", "20:1, 50:10, 90:3"]),
    "percentage": st.sampled_from([0, 30]),
    "pods_per_node": st.sampled_from([1, 2, 110]),
    "grace_s": st.sampled_from([0, 0, 0.3]),
    "backoff_s": st.sampled_from([0.001, 1]),
    "balanced_weight": st.sampled_from([0, 1]),
    "affinity_weight": st.sampled_from([0, 2]),
}
"""Parameters of kube-scheduler."""
SLURM_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "backfill": st.sampled_from(["none", "easy", "conservative"]),
    "bf_interval": st.sampled_from([0, 0, 0.3, 30]),
    "bf_window": st.sampled_from([0.02, 1440]),
    "bf_resolution": st.sampled_from([0, 0.4, 60]),
    "bf_max_job_test": st.sampled_from([1, 3, 500]),
    "default_queue_depth": st.sampled_from([1, 2, 100, None]),
    "sched_interval": st.sampled_from([0.3, 60]),
    "PriorityWeightAge": st.sampled_from([0, 1000]),
    "PriorityWeightFairshare": st.sampled_from([0, 1000]),
    "PriorityWeightJobSize": st.sampled_from([0, 1000]),
    "PriorityWeightQOS": st.sampled_from([0, 1000]),
    "PriorityMaxAge": st.sampled_from([0, 0.01, 10080]),
    "PriorityDecayHalfLife": st.sampled_from([0, 0.01, 10080]),
    "PriorityCalcPeriod": st.sampled_from([0.005, 5]),
    "PriorityFavorSmall": st.booleans(),
    "fair_tree": st.booleans(),
    "OverSubscribe": st.sampled_from(["NO", "NO", "EXCLUSIVE"]),
    "start_together": st.booleans(),
    "tasks_per_machine": st.sampled_from([None, None, 1, 2]),
    "time_limit_factor": st.sampled_from([0.5, 1, 1, 3]),
    "estimate_error": st.sampled_from(["none", "uniform", "lognormal"]),
}
"""Parameters of Slurm."""
STRATEGIES = {"swarm": ["spread", "binpack", "random"], "borg-like": ["hybrid", "best-fit", "e-pvm"]}
OWN_POLICY_KNOBS: dict[str, st.SearchStrategy[Any]] = {
    "policy": st.sampled_from(
        [
            "score: machine.free_cpus",
            "order: job.work_left\nscore: -machine.number",
            "order: job.dominant_share + task.priority\nfilter: machine.tasks < 2\nscore: 1 / (machine.free_cpus - 1)",
            "filter: machine.free_cpus > cluster.used_cpus or task.wait_s > 0.5\nscore: -machine.waiting",
            "order: -task.wait_s * queue.share\nscore: random() + count(m for m in rack if m.tasks > 0)",
            "score: -same_job_here\npreempt: task.duration_s < victim.left_s\nvictim: -victim.cpus",
            "order: task.duration_s\nfilter: sum(m.tasks for m in cluster) < 4\npreempt: task.wait_s > 0.25",
            "filter: now >= 1",
        ]
    ),
    "schedulers": st.sampled_from([1, 1, 3]),
    "news": st.sampled_from(["truth", "stale", "sample"]),
    "heartbeat_s": st.sampled_from([0.3, 1, 10]),
    "sample": st.sampled_from([1, 2, 5]),
    "wait_at": st.sampled_from(["scheduler", "machine"]),
    "overtake": st.booleans(),
    "decision_us": st.sampled_from([0, 100, 300_000]),
    "tick_s": st.sampled_from([0.25, 1]),
    "preemption_limit": st.sampled_from([0, 1, 3]),
    "step_limit": st.sampled_from([1, 200, 1e9]),
    "interference": st.sampled_from([0, 0, 1]),
    "input_gb": st.sampled_from([0, 0, 2]),
    "estimate_error": st.sampled_from(["none", "uniform", "lognormal"]),
}
"""Parameters of policies of one's own."""
OWN_KNOBS = {
    "own": OWN_POLICY_KNOBS,
    "mercury": MERCURY_KNOBS,
    "apollo": APOLLO_KNOBS,
    "pcssampler": PCS_KNOBS,
    "yacc-d": YACC_KNOBS,
    "template": {"choices": st.sampled_from([1, 2, 10])},
}
"""Of schedulers that do not take their family's."""
KNOBS = {
    "shared-state": OMEGA_KNOBS,
    "federated": HYDRA_KNOBS,
    "spacetime": SPACE_KNOBS,
    "dag": DAG_KNOBS,
    "flow": FLOW_KNOBS,
    "queue": QUEUE_KNOBS,
    "kubernetes": KUBE_KNOBS,
    "batch": SLURM_KNOBS,
    "replay": {"without_start": st.just("arrival")},
    "offers": MESOS_KNOBS,
    "pipeline": PIPELINE_KNOBS,
    "probing": PROBING_KNOBS,
}


@st.composite
def machine_groups(draw: st.DrawFn) -> dict[str, Any]:
    """A few machines that are alike."""
    return {
        "count": draw(st.integers(1, 4)),
        "cpus": draw(st.sampled_from([1, 2, 4])),
        "memory_gb": draw(st.sampled_from([2, 8])),
    }


@st.composite
def jobs(draw: st.DrawFn) -> dict[str, Any]:
    """A job of a few tasks; now and then one that no machine can hold."""
    return {
        "arrival_s": draw(st.integers(0, 12)) / 4,
        "durations_s": draw(st.lists(st.sampled_from([0.0, 0.001, 0.25, 0.5, 1.0, 2.5]), min_size=1, max_size=6)),
        "demand": {
            "cpus": draw(st.sampled_from([1, 1, 1, 0.5, 2, 4, 8])),
            "memory_gb": draw(st.sampled_from([0, 1, 2, 8])),
        },
    }


def params_for(scheduler: str) -> st.SearchStrategy[dict[str, Any]]:
    """Parameters of a scheduler that change its behavior on small runs; defaults for one not listed."""
    if scheduler in ("megha", "centralised"):
        profile = {"profile": st.sampled_from(PROFILES)} if scheduler == "megha" else {}
        return st.fixed_dictionaries(
            {
                **profile,
                "heartbeat_s": st.sampled_from([0.3, 1.0, 10.0]),
                "match_us": st.sampled_from([0, 10, 100_000]),
                "scan_ns": st.sampled_from([0, 5, 1e6]),
                "vector_ns": st.sampled_from([0, 7, 1e6]),
                "fairness": st.booleans(),
                "request_us": st.sampled_from([0, 20, 200_000]),
                "send_ns": st.sampled_from([0, 200]),
                "update_us": st.sampled_from([0, 2, 100_000]),
                "apply_ns": st.sampled_from([0, 1e6]),
                "standby_s": st.sampled_from([0, 0.75]),
                "launch_first": st.booleans(),
                "fit": st.sampled_from(["first", "next"]),
                "unplaceable": st.sampled_from(["end", "head"]),
                "further_victims": st.booleans(),
            }
        )
    if scheduler == "sparrow":
        return st.fixed_dictionaries(
            {
                "profile": st.sampled_from(PROFILES),
                "probe_ratio": st.sampled_from([1, 1.5, 2, 7]),
                "sampling": st.sampled_from(["batch", "per_task"]),
                "late_binding": st.booleans(),
                "cancellation": st.booleans(),
            }
        )
    spec = scheduler_by_name(scheduler)
    known, knobs = OWN_KNOBS.get(scheduler, KNOBS[spec.family]), spec.params.model_fields
    if spec.family == "pipeline":
        return st.tuples(st.fixed_dictionaries(known), st.booleans(), st.booleans()).map(
            lambda drawn: (
                drawn[0]
                | ({} if drawn[1] else {"r6": "none", "r7": "none"})
                | ({} if drawn[2] else {"m2": "none", "m4": "none", "m5": "none"})
            )
        )
    if scheduler in STRATEGIES:
        known = known | {"strategy": st.sampled_from(STRATEGIES[scheduler])}
    return st.fixed_dictionaries({name: each for name, each in known.items() if name in knobs})


@st.composite
def experiments(
    draw: st.DrawFn,
    scheduler: str | None = None,
    profile: str | None = None,
    incidents: bool = False,
    bands: bool = False,
    racks: bool = False,
) -> Experiment:
    """A whole experiment of a few machines and jobs; with `incidents`, faults, drains, changes and bursts, too.

    With `bands` some jobs are gangs, and some have rules on racks; with `racks` only the latter, on more racks.
    """
    name = scheduler or draw(st.sampled_from(SCHEDULER_NAMES))
    constrained = "constraints" in scheduler_by_name(name).supports and draw(st.booleans())
    masters = draw(st.integers(1, 3))
    queues = draw(st.integers(0, 4))
    data: dict[str, Any] = {
        "schema_version": 1,
        "seed": draw(st.integers(0, 5)),
        "topology": {
            "global_masters": masters,
            "clusters": [
                {"name": f"c{i}", "machines": draw(st.lists(machine_groups(), min_size=1, max_size=2))}
                for i in range(draw(st.integers(1, 3)))
            ],
        },
        "queues": [
            {"name": f"q{i}", "share": 1 / (queues + 1), "global_master": draw(st.integers(0, masters - 1))}
            for i in range(queues)
        ],
        "network": {"message_delay_s": draw(st.sampled_from([0.0, 0.0005, 0.25]))},
        "workload": {"kind": "inline", "jobs": draw(st.lists(jobs(), min_size=1, max_size=10))},
        "scheduler": {"name": name, "params": draw(params_for(name))},
    }
    if incidents and profile is None and "profile" in data["scheduler"]["params"]:
        profile = "paper"  # public simulators know of no faults
    if profile is not None:
        data["scheduler"]["params"]["profile"] = profile
    if scheduler_by_name(name).anywhere:
        record(data, draw)
    if constrained:
        constrain(data, draw)
        if "soft_constraints" in scheduler_by_name(name).supports_under.get(
            data["scheduler"]["params"].get("profile", ""), scheduler_by_name(name).supports
        ):
            soften(data, draw)
    if (bands or racks) and "constraints" not in data:
        constrain(data, draw)
    if bands:
        band(data, draw)
    if racks:
        for cluster in data["topology"]["clusters"]:
            cluster["racks"] = draw(st.integers(1, sum(group["count"] for group in cluster["machines"])))
        bind(data, draw)
    if incidents:
        data["events"] = draw(st.lists(events(data), max_size=4))
    return Experiment.parse(data)


def record(data: dict[str, Any], draw: st.DrawFn) -> None:
    """Say when some jobs started where they were recorded."""
    for job in data["workload"]["jobs"]:
        if draw(st.booleans()):
            job["started_s"] = job["arrival_s"] + draw(st.integers(0, 12)) / 4


@st.composite
def events(draw: st.DrawFn, data: dict[str, Any]) -> dict[str, Any]:
    """Something that happens to the datacenter, to the work or to the scheduler."""
    clusters = data["topology"]["clusters"]
    machines = sum(group["count"] for cluster in clusters for group in cluster["machines"])
    names = st.sampled_from([cluster["name"] for cluster in clusters])
    places = [
        st.fixed_dictionaries({"machine": st.integers(0, machines - 1)}),
        st.fixed_dictionaries({"rack": st.integers(0, len(clusters) - 1)}),
        st.fixed_dictionaries({"cluster": names}),
    ]
    masters = [
        st.fixed_dictionaries({"local_master": names}),
        st.fixed_dictionaries({"global_master": st.integers(0, data["topology"]["global_masters"] - 1)}),
    ]
    queue = st.sampled_from([queue["name"] for queue in data["queues"]] or ["q0"])
    supports = scheduler_by_name(data["scheduler"]["name"]).supports
    masterless = "master_faults" not in supports
    kind = draw(st.sampled_from(["fail", "fail", "recover", "drain", "stop", "stop", "burst", "set", "set"]))
    event: dict[str, Any] = {"at_s": draw(st.integers(0, 16)) / 4, "kind": kind}
    if kind in ("fail", "recover", "drain"):
        event["target"] = draw(st.one_of(*places, *([] if kind == "drain" or masterless else masters)))
    elif kind == "stop":
        event["target"] = {"task": draw(st.integers(0, _tasks(data) - 1))}
    elif kind == "burst":
        event |= {"target": {"queue": draw(queue)}, "value": {"rate_factor": draw(st.sampled_from([0.5, 2, 3]))}}
    elif "share_changes" in supports and draw(st.booleans()):
        event |= {"target": {"queue": draw(queue)}, "value": {"share": draw(st.sampled_from([0.1, 0.9]))}}
    elif "parameter_changes" in supports:
        event |= {"target": {"scheduler": True}, "value": draw(changes(data["scheduler"]["name"]))}
    else:
        event |= {"kind": "fail", "target": draw(st.one_of(*places))}
    if event["kind"] == "burst" or (kind not in ("recover", "stop") and draw(st.booleans())):
        event["duration_s"] = draw(st.sampled_from([0.25, 1.0, 3.0]))
    return event


def _tasks(data: dict[str, Any]) -> int:
    """Count the tasks of jobs that are lists or graphs."""
    return sum(
        sum(stage["tasks"] for stage in job["stages"]) if job.get("stages") else len(job["durations_s"])
        for job in data["workload"]["jobs"]
    )


def changes(scheduler: str) -> st.SearchStrategy[dict[str, Any]]:
    """Parameters that an event sets."""
    if scheduler in ("megha", "centralised"):
        megha = [{"fairness": True}, {"fairness": False}, {"match_us": 50_000}, {"heartbeat_s": 0.5}]
        megha += [{"launch_first": False}, {"fit": "next"}, {"unplaceable": "head"}, {"further_victims": False}]
        return st.sampled_from(megha)
    # Stages of a pipeline that need one another cannot be set one at a time.
    fixed = scheduler_by_name(scheduler).params.fixed | {"m2", "m4", "m5"}
    able = params_for(scheduler).map(
        lambda all: {name: value for name, value in all.items() if name not in fixed and value is not None}
    )
    return able.flatmap(lambda all: st.sampled_from([{name: value} for name, value in all.items()]))


def constrain(data: dict[str, Any], draw: st.DrawFn) -> None:
    """Give some clusters properties and some jobs constraints, a few of them impossible."""
    data["constraints"] = {
        "catalogue": "custom",
        "custom": [{"name": name, "machine_share": draw(st.sampled_from([0.0, 0.3, 0.7, 1.0]))} for name in "abc"],
    }
    for cluster in data["topology"]["clusters"]:
        if draw(st.booleans()):
            cluster["constraint_mix"] = "custom"
    for job in data["workload"]["jobs"]:
        job["constraints"] = draw(st.lists(st.sampled_from("abc"), max_size=2, unique=True))


def band(data: dict[str, Any], draw: st.DrawFn) -> None:
    """Make some jobs gangs, and give some rules on racks."""
    for job in data["workload"]["jobs"]:
        if draw(st.booleans()):
            job["gang"] = True
    bind(data, draw)


def bind(data: dict[str, Any], draw: st.DrawFn) -> None:
    """Give some jobs rules on racks."""
    shares = draw(st.sampled_from([(0, 0), (1, 0), (0, 1), (0.5, 0.5)]))
    rules = [{"kind": kind, "share": share} for kind, share in zip(("affinity", "spread"), shares, strict=True)]
    data["constraints"]["racks"] = rules


def soften(data: dict[str, Any], draw: st.DrawFn) -> None:
    """Let tasks do without some of the constraints, now and then even faster."""
    names = draw(st.lists(st.sampled_from("abc"), max_size=2, unique=True))
    factors = st.sampled_from([0.5, 1.0, 1.5, 3.0])
    data["constraints"]["soft"] = [{"name": name, "slowdown": draw(factors)} for name in names]
