"""What schedulers share that send probes to workers: parameters, layers and counters; the mechanics are beside it.

Importing this compiles nothing: a scheduler's declaration takes its parameters from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scheduler_core.world.reasons import OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Layer, Mark, Params, Reason, Series

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload

FIRST_NOTE = 1000
"""Codes from here on are no reasons but notes on a watched task's probes; the driver keeps them apart."""

QUEUE_SHOWN = 32
"""The longest queue that the map tells apart from longer ones."""


class EstimateParams(Params):
    """How wrong estimates of run times are; every scheduler that uses estimates obeys it."""

    estimate_error: Literal["none", "uniform", "lognormal"] = Field(
        "none",
        title="Error of estimates",
        description="What a job's tasks are thought to take: their mean as it is, or that mean times a factor drawn "
        "once for each job, uniform around 1 or log-normal with median 1. Whether a job is taken for long or short "
        "goes by the estimate. Errors put some jobs on the wrong side: with Hawk, Eagle and Phoenix long jobs usually "
        "wait longer, with the others short ones, with Mercury and Yacc-D both.",
    )
    estimate_error_percent: float = Field(
        50.0,
        ge=0,
        le=100,
        title="Largest error",
        description="By how much a uniform error makes an estimate too low or too high at most. Larger errors mislead "
        "more decisions.",
        json_schema_extra={"unit": "%"},
    )
    estimate_error_sigma: float = Field(
        0.5,
        ge=0,
        le=3,
        title="Spread of errors",
        description="Standard deviation of the logarithm of a log-normal error: 0.5 is wrong by a factor of 1.6 or "
        "more in a third of the jobs. Larger errors mislead more decisions.",
    )


class HybridParams(Params):
    """Where long jobs are placed centrally and short ones by probes."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of the public simulator of Eagle's authors. There "
        "a worker runs one task, may get several probes of one job, hears at once whether a task is left for it, and "
        "knows at once of other workers; durations are whole seconds.",
    )
    short_cutoff_s: float = Field(
        90.5811,
        ge=0,
        le=1e9,
        title="Longest short job",
        description="Jobs whose tasks are thought to take longer than this on average are long: they are placed "
        "centrally. The default suits the Yahoo trace. A higher cutoff leaves fewer jobs to the centre and lets more "
        "compete by probes.",
        json_schema_extra={"unit": "s"},
    )
    long_partition_share: float = Field(
        0.98,
        ge=0.1,
        le=1,
        title="Workers for long jobs, too",
        description="Share of the workers that may get tasks of long jobs; the others, those with the lowest numbers, "
        "are for short jobs only. 0.98 suits the Yahoo trace, 0.83 the Google trace. A smaller share shields short "
        "jobs; long ones wait much longer once their work hardly fits.",
    )
    probe_ratio: float = Field(
        2.0,
        ge=1,
        le=100,
        title="Probe ratio",
        description="Probes sent for each task of a short job. More probes find shorter queues and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )


class Forgetting(HybridParams):
    """Under the public simulator's profile, the program of Phoenix's authors."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, with constraints that hold throughout, or those of the "
        "public simulator of Phoenix's authors. There only the first probes of short jobs heed constraints: later "
        "ones, stealing and long jobs forget them. A worker runs one task, hears at once whether a task is left for "
        "it, and knows at once of other workers; durations are whole seconds.",
    )


def reads_as_public(experiment: Experiment, workload: Workload) -> Workload:
    """Read the work as the public simulators do, under their profile."""
    from scheduler_core.workload.public_reading import as_public_simulators_read

    public = experiment.scheduler.params.get("profile") == "public-simulator"
    return as_public_simulators_read(workload) if public else workload


PROBES = Counter("probes", "Probes", "Probes sent to workers.")
NOOPS = Counter("noops", "Probes in vain", "Probes answered with nothing, because the job had no task left.")
PLACED_TASKS = Counter("placed", "Tasks placed centrally", "Tasks of long jobs sent to the worker with the least wait.")
QUEUE_LAYER = Layer(
    "queue",
    "Queue length",
    "level",
    "Probes and tasks that wait at the worker.",
    unit="waiting",
    full=QUEUE_SHOWN,
    role="backlog",
)
HYBRID_LAYERS = (
    LOAD_LAYER,
    QUEUE_LAYER,
    Layer(
        "long",
        "Long tasks",
        "level",
        "Tasks of long jobs that the worker runs or that wait there.",
        unit="long tasks",
        full=8,
        role="pattern",
        plain="Short tasks only",
    ),
    Layer(
        "short_only",
        "Short jobs only",
        "level",
        "Full for workers that never get a task of a long job.",
        fixed=True,
        role="reserved",
    ),
    OUTAGE_LAYER,
)
HYBRID_SERIES = (
    Series("probes_waiting", "Waiting at workers", "probes or tasks"),
    Series("long_busy", "Workers with long tasks", "workers"),
)
PROBE_MARK = Mark("probe", "Task fetched", "A probe was served, and its job had a task left for it.", quiet=True)
LAUNCHED, UNSCHEDULABLE, PLACED, STARTED = range(1, 5)
HYBRID_REASONS = (
    Reason(
        LAUNCHED,
        "launched",
        "Worker {machine} was the first free one to ask; the probe had waited {x_s} behind {y} others.",
        ("machine", "x_s", "y"),
        mark="probe",
        edits=("scheduler.params.probe_ratio",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        PLACED,
        "placed",
        "Its job is long: the central scheduler expected a wait of {x_s} at worker {machine}, and nowhere less.",
        ("machine", "x_s"),
        edits=(
            "scheduler.params.short_cutoff_s",
            "scheduler.params.long_partition_share",
            "scheduler.params.estimate_error",
        ),
    ),
    Reason(
        STARTED,
        "started",
        "Worker {machine} had room for it; it had waited there {x_s}, behind {y} others when it came.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.short_cutoff_s",),
    ),
    *OUTAGE_REASONS,
)
"""Those that every hybrid scheduler has; its own codes follow STARTED."""
UNDER_FAULTS = frozenset({"constraints", "interference", "machine_faults", "share_changes"})
"""What the schedulers of this family honour under the paper's profile; shares of queues mean nothing to them."""
