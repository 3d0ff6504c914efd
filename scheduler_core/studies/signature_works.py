"""The small synthetic workloads of schedulers' signatures: machines and jobs, without a scheduler."""

from __future__ import annotations

from typing import Any

_SHORT = {
    "name": "short",
    "weight": 90,
    "tasks_per_job": {"kind": "lognormal", "median": 6, "sigma": 0.5, "max": 20},
    "duration_s": {"kind": "lognormal", "median": 1, "sigma": 0.4, "max": 3},
}
_LONG = {
    "name": "long",
    "weight": 10,
    "tasks_per_job": {"kind": "lognormal", "median": 12, "sigma": 0.5, "max": 40},
    "duration_s": {"kind": "lognormal", "median": 15, "sigma": 0.3, "max": 30},
}
_SHORT_AND_LONG: dict[str, Any] = {
    "topology": {"clusters": [{"name": "machines", "racks": 5, "machines": [{"count": 100}]}]},
    "workload": {
        "kind": "synthetic",
        "jobs": 150,
        "sampling": "even",
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "duration_varies": "job",
        "duration_s": {"kind": "constant", "value": 1},
        "classes": [_SHORT, _LONG],
    },
}
_PICKY: dict[str, Any] = {
    "topology": {
        "clusters": [{"name": "machines", "racks": 5, "machines": [{"count": 100}], "constraint_mix": "custom"}]
    },
    "constraints": {
        "catalogue": "custom",
        "custom": [
            {"name": "ssd", "machine_share": 0.5},
            {"name": "gpu", "machine_share": 0.3},
            {"name": "net", "machine_share": 0.4},
        ],
        "asks": {"probabilities": {"ssd": 0.25, "gpu": 0.1, "net": 0.15}, "unit": "job"},
    },
    "workload": _SHORT_AND_LONG["workload"] | {"arrivals": {"kind": "poisson", "offered_load": 0.8}},
}
_BATCH = {
    "kind": "synthetic",
    "tasks": 1500,
    "arrivals": {"kind": "poisson", "offered_load": 0.85},
    "tasks_per_job": {"kind": "lognormal", "median": 6, "sigma": 0.8, "max": 40},
    "duration_s": {"kind": "lognormal", "median": 2, "sigma": 0.5, "max": 8},
}
_FLEET: dict[str, Any] = {
    "topology": {
        "global_masters": 4,
        "clusters": [{"name": "cluster", "repeat": 4, "racks": 2, "machines": [{"count": 36}]}],
    },
    "workload": _BATCH,
    "network": {"message_delay_s": 0.005},
}
_EQUAL: dict[str, Any] = {
    "topology": {"clusters": [{"name": "machines", "racks": 8, "machines": [{"count": 120}]}]},
    "workload": _BATCH,
    "network": {"message_delay_s": 0.005},
}

_MACHINES = {"count": 40, "cpus": 4, "memory_gb": 16}
_ROOM: dict[str, Any] = {"clusters": [{"name": "machines", "racks": 4, "machines": [_MACHINES]}]}
_TASK = {"cpus": 1, "memory_gb": 2}
_READERS = {
    "kind": "synthetic",
    "jobs": 60,
    "sampling": "even",
    "arrivals": {"kind": "poisson", "offered_load": 0.6},
    "tasks_per_job": {"kind": "lognormal", "median": 12, "sigma": 0.6, "max": 40},
    "duration_s": {"kind": "lognormal", "median": 4, "sigma": 0.5, "max": 12},
    "demand": _TASK,
}
_PRIORITIES: dict[str, Any] = {
    "topology": _ROOM,
    "queues": [{"name": "service", "share": 0.3, "priority": 2}, {"name": "batch", "share": 0.7, "priority": 1}],
    "workload": {
        "kind": "synthetic",
        "jobs": 80,
        "sampling": "even",
        "arrivals": {"kind": "poisson", "offered_load": 1.5},
        "duration_s": {"kind": "constant", "value": 1},
        "demand": _TASK,
        "classes": [
            {
                "name": "service",
                "weight": 50,
                "queue": "service",
                "tasks_per_job": {"kind": "lognormal", "median": 8, "sigma": 0.4, "max": 20},
                "duration_s": {"kind": "lognormal", "median": 2, "sigma": 0.4, "max": 6},
            },
            {
                "name": "batch",
                "weight": 50,
                "queue": "batch",
                "tasks_per_job": {"kind": "lognormal", "median": 20, "sigma": 0.5, "max": 60},
                "duration_s": {"kind": "lognormal", "median": 10, "sigma": 0.4, "max": 25},
            },
        ],
    },
}


def _large_and_small(queues: bool, memory_gb: tuple[float, float], load: float) -> dict[str, Any]:
    """Return a few jobs of hundreds of tasks among many of eight, each with a queue of its own or without queues."""
    sizes = (("large", 10, 200, 0.3, 400, 5, 0.3, 10), ("small", 90, 8, 0.5, 20, 2, 0.4, 5))
    classes = [
        {
            "name": name,
            "weight": weight,
            "demand": {"cpus": 1, "memory_gb": memory},
            "tasks_per_job": {"kind": "lognormal", "median": tasks, "sigma": spread, "max": most},
            "duration_s": {"kind": "lognormal", "median": seconds, "sigma": varies, "max": longest},
        }
        | ({"queue": name} if queues else {})
        for (name, weight, tasks, spread, most, seconds, varies, longest), memory in zip(sizes, memory_gb, strict=True)
    ]
    return {
        "kind": "synthetic",
        "jobs": 60,
        "sampling": "even",
        "arrivals": {"kind": "poisson", "offered_load": load},
        "duration_varies": "job",
        "duration_s": {"kind": "constant", "value": 1},
        "classes": classes,
    }


def _few_jobs(queues: bool = False, large_cpus: int = 1) -> dict[str, Any]:
    """Return a dozen small jobs beside a few large ones: few enough for a bar of each, and small jobs need memory."""
    work = _large_and_small(queues, (1, 6), 1.3)
    large, small = work["classes"]
    large |= {"weight": 22, "tasks_per_job": _around(80, 0.2, 120), "duration_s": _around(3, 0.2, 5)}
    small |= {"weight": 78, "tasks_per_job": _around(10, 0.3, 16), "duration_s": _around(1.5, 0.3, 3)}
    large["demand"] |= {"cpus": large_cpus}
    # Jobs come one by one, so that some are there at any time.
    return work | {"jobs": 24, "arrivals": {"kind": "regular", "offered_load": 1.3}}


def _around(median: float, sigma: float, most: float) -> dict[str, Any]:
    return {"kind": "lognormal", "median": median, "sigma": sigma, "max": most}


def _machines(count: int, racks: int, cpus: int = 4) -> dict[str, Any]:
    return {
        "clusters": [{"name": "machines", "racks": racks, "machines": [{**_MACHINES, "count": count, "cpus": cpus}]}]
    }


_GRAPHS: dict[str, Any] = {
    "topology": {
        "clusters": [{"name": "machines", "racks": 4, "machines": [{"count": 40, "cpus": 8, "memory_gb": 32}]}]
    },
    "workload": {
        "kind": "dag",
        "shape": "layered",
        "jobs": 30,
        "arrivals": {"kind": "at_once"},
        "stages": {"kind": "lognormal", "median": 4, "sigma": 0.4, "max": 8},
        "tasks_per_stage": {"kind": "lognormal", "median": 8, "sigma": 0.7, "max": 40},
        "duration_s": {"kind": "lognormal", "median": 3, "sigma": 0.6, "max": 12},
        "demands": [
            {"weight": 1, "demand": {"cpus": 2, "memory_gb": 2}},
            {"weight": 1, "demand": {"cpus": 1, "memory_gb": 8}},
            {"weight": 1, "demand": {"cpus": 1, "memory_gb": 2}},
        ],
    },
}


def _wide_and_narrow(number: int) -> dict[str, Any]:
    """Return a job with one wide stage and, beside it, a chain of six stages of one task each."""
    steps = [
        {"name": f"step{step}", "duration_s": 2 + 0.5 * ((step + number) % 3), "after": [f"step{step - 1}"][: step - 1]}
        for step in range(1, 7)
    ]
    wide = {"name": "wide", "tasks": 240, "duration_s": 2 + 0.5 * number}
    return {"arrival_s": 18 * number, "stages": [wide, *steps]}


def _recorded() -> list[dict[str, Any]]:
    """Return jobs with recorded starts: a scheduler looked every ten seconds and started all jobs with room."""
    jobs: list[dict[str, Any]] = []
    for number in range(90):
        tasks, seconds = 8 + 17 * number % 23, 6 + 11 * number % 19
        jobs.append({"arrival_s": 2 * number, "durations_s": [seconds] * tasks, "demand": _TASK})
    waiting, running, now, free = list(jobs), list[tuple[int, int]](), 0, 160
    while waiting:
        now += 10
        free += sum(tasks for end, tasks in running if end <= now)
        running = [each for each in running if each[0] > now]
        for job in [each for each in waiting if each["arrival_s"] <= now]:
            tasks = len(job["durations_s"])
            if tasks > free:
                break
            job["started_s"] = now
            free -= tasks
            running.append((now + job["durations_s"][0], tasks))
            waiting.remove(job)
    return jobs


_GPUS: dict[str, Any] = {
    "topology": {
        "clusters": [
            {
                "name": "machines",
                "racks": 4,
                "machines": [{**_MACHINES, "count": 10, "attributes": {"gpu": True}}, {**_MACHINES, "count": 30}],
                "constraint_mix": "custom",
            }
        ]
    },
    "constraints": {
        "catalogue": "custom",
        "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
        "soft": [{"name": "gpu", "slowdown": 3.0}],
        "asks": {"probabilities": {"gpu": 0.5}, "unit": "job"},
    },
    "workload": {
        "kind": "synthetic",
        "jobs": 40,
        "sampling": "even",
        "arrivals": {"kind": "poisson", "offered_load": 0.8},
        "tasks_per_job": {"kind": "lognormal", "median": 16, "sigma": 0.5, "max": 40},
        "duration_s": {"kind": "lognormal", "median": 6, "sigma": 0.4, "max": 15},
        "duration_varies": "job",
        "demand": _TASK,
    },
}

WORKS: dict[str, dict[str, Any]] = {
    "short-and-long": _SHORT_AND_LONG,
    "picky": _PICKY,
    "fleet": _FLEET,
    "equal-jobs": _EQUAL,
    "data": {"topology": _ROOM, "workload": _READERS},
    "beside": {
        "topology": _ROOM,
        "interference": {"strength": 1.5, "kinds": "alike"},
        "workload": _READERS | {"arrivals": {"kind": "poisson", "offered_load": 0.35}},
    },
    "priorities": _PRIORITIES,
    "large-and-small": {
        "topology": _ROOM,
        "queues": [{"name": "large", "share": 0.8}, {"name": "small", "share": 0.2}],
        "workload": _large_and_small(True, (1, 6), 1.2),
    },
    "recorded": {"topology": _ROOM, "workload": {"kind": "inline", "jobs": _recorded()}},
    "few-jobs": {"topology": _machines(10, 2), "workload": _few_jobs()},
    "few-cpus": {"topology": _machines(10, 2), "workload": _few_jobs(large_cpus=2)},
    "few-queues": {
        "topology": _machines(10, 2),
        "queues": [{"name": "large", "share": 0.8}, {"name": "small", "share": 0.2}],
        "workload": _few_jobs(queues=True),
    },
    "few-readers": {"topology": _machines(40, 5, cpus=1), "workload": _few_jobs()},
    "picky-jobs": {
        "topology": {
            "clusters": [
                {
                    "name": "machines",
                    "racks": 2,
                    "machines": [{**_MACHINES, "count": 5, "attributes": {"gpu": True}}, {**_MACHINES, "count": 7}],
                    "constraint_mix": "custom",
                }
            ]
        },
        "constraints": {
            "catalogue": "custom",
            "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
            "asks": {"probabilities": {"gpu": 0.4}, "unit": "job"},
        },
        "workload": _few_jobs(),
    },
    "graphs": _GRAPHS,
    "wide-and-narrow": {
        "topology": {"clusters": [{"name": "machines", "racks": 2, "machines": [{"count": 40, "memory_gb": 4}]}]},
        "workload": {"kind": "inline", "jobs": [_wide_and_narrow(number) for number in range(4)]},
    },
    "gpus": _GPUS,
}
"""Works by name.

Short jobs beside long ones, with constraints or without; four clusters; one cluster and equal jobs; tasks that read
data, or that slow each other down; a queue that goes first; a few large jobs among small ones, and the same
with few jobs on few machines; graphs; soft constraints.
"""
