"""Parameters, layers and counters that schedulers with probes share; the other modules hold the mechanics.

Importing this module compiles nothing. A scheduler's declaration takes its parameters from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from scheduler_core.experiment.classes import YAHOO_S
from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.world.reasons import OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Layer, Mark, Params, Reason, Series

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload

FIRST_NOTE = 1000
"""Codes from here on are no reasons but notes on a watched task's probes; the driver keeps them apart."""

QUEUE_SHOWN = 32
"""The longest queue that the map tells apart from longer ones."""


EstimateError = Literal["none", "uniform", "lognormal"]


def estimate_error(suffer: str) -> Any:
    """Return the field of the error of estimates; `suffer` names the jobs that then usually wait longer."""
    return Field(
        "none",
        title="Estimation error",
        description="Error of a job's estimated task duration. The scheduler decides by the estimate, so errors "
        f"mislead some decisions. {suffer} then usually wait longer.",
        json_schema_extra=options(
            {
                "none": ("None", "The estimate is the mean of the job's tasks."),
                "uniform": ("Uniform", "The mean, multiplied by a random factor for each job (uniform around 1)."),
                "lognormal": (
                    "Log-normal",
                    "The mean, multiplied by a random factor for each job (log-normal with median 1).",
                ),
            }
        ),
    )


class EstimateParams(Params):
    """The error of estimated run times, for every scheduler that uses estimates."""

    estimate_error: EstimateError = estimate_error("Short jobs")
    estimate_error_percent: float = Field(
        50.0,
        ge=0,
        le=100,
        title="Largest uniform error",
        description="Largest relative error of an estimate under a uniform error, in either direction. Larger errors "
        "mislead more decisions.",
        json_schema_extra={"unit": "%"},
    )
    estimate_error_sigma: float = Field(
        0.5,
        ge=0,
        le=3,
        title="Spread of log-normal errors",
        description="Standard deviation of the logarithm of a log-normal error. At 0.5, a third of the jobs are wrong "
        "by a factor of 1.6 or more. Larger errors mislead more decisions.",
    )


class HybridParams(Params):
    """Where long jobs are placed centrally and short ones by probes."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Rules that the scheduler follows.",
        json_schema_extra=options(
            {
                "paper": ("The paper", "The rules of the paper."),
                "public-simulator": (
                    "Eagle's simulator",
                    "The public simulator of Eagle's authors. A worker runs one task, may get several probes of one "
                    "job, learns at once if a task is left for it, and knows the state of other workers at once. "
                    "Durations are whole seconds.",
                ),
            }
        ),
    )
    short_cutoff_s: float = Field(
        YAHOO_S,
        ge=0,
        le=1e9,
        title="Cutoff for short jobs",
        description="A job is short if its estimated mean task duration is at most this. Longer jobs are placed "
        "centrally. If not set, it follows from the workload: the boundary of two classes, or the gap "
        "between two modes of job durations. Otherwise it is 90.5811 s, which suits the Yahoo trace. "
        "A higher cutoff leaves fewer jobs to the central scheduler and lets more compete by probes.",
        json_schema_extra={**formerly("0.2.0", YAHOO_S), "unit": "s"},
    )
    long_partition_share: float = Field(
        0.98,
        ge=0.1,
        le=1,
        title="Workers that may run long jobs",
        description="Share of the workers that may run tasks of long jobs. The others, those with the lowest numbers, "
        "run short jobs only. 0.98 (98 %) suits the Yahoo trace, 0.83 (83 %) the Google trace. A smaller share "
        "protects short jobs; "
        "long jobs wait much longer once their workers can barely keep up.",
        json_schema_extra={"suits": "Yahoo trace"},
    )
    probe_ratio: float = Field(
        2.0,
        ge=1,
        le=100,
        title="Probe ratio",
        description="Number of probes for each task of a short job. More probes find shorter queues and cost more "
        "messages.",
        json_schema_extra={"unit": "probes per task"},
    )


class Forgetting(HybridParams):
    """Under the public simulator's profile, the program of Phoenix's authors."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Rules that the scheduler follows.",
        json_schema_extra=options(
            {
                "paper": ("The paper", "The rules of the paper, with constraints that always hold."),
                "public-simulator": (
                    "Phoenix's simulator",
                    "The public simulator of Phoenix's authors. Only the first probes of short jobs respect "
                    "constraints; later probes, stealing and long jobs ignore them. A worker runs one task, learns at "
                    "once if a task is left for it, and knows the state of other workers at once. Durations are whole "
                    "seconds.",
                ),
            }
        ),
    )


def reads_as_public(experiment: Experiment, workload: Workload) -> Workload:
    """Read the work as the public simulators do, under their profile."""
    from scheduler_core.workload.public_reading import as_public_simulators_read

    public = experiment.scheduler.params.get("profile") == "public-simulator"
    return as_public_simulators_read(workload) if public else workload


PROBES = Counter("probes", "Probes", "Probes sent to workers.")
NOOPS = Counter("noops", "Wasted probes", "Probes answered with nothing, because the job had no task left.")
PLACED_TASKS = Counter(
    "placed", "Tasks placed centrally", "Tasks of long jobs sent to the worker with the shortest wait."
)
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
        "Tasks of long jobs that run or wait at the worker.",
        unit="long tasks",
        full=8,
        role="pattern",
        plain="Short tasks only",
    ),
    Layer(
        "short_only",
        "Short jobs only",
        "level",
        "Full: the worker never runs tasks of long jobs.",
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
        "Machine {machine} was the first free one to ask for a task. The probe had waited there for {x_s}, behind {y} "
        "others.",
        ("machine", "x_s", "y"),
        mark="probe",
        edits=("scheduler.params.probe_ratio",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        PLACED,
        "placed",
        "The task's job is long. The central scheduler expected a wait of {x_s} at machine {machine}, the shortest of "
        "all.",
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
        "Machine {machine} had room for the task, which had waited there for {x_s}, behind {y} others at first.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.short_cutoff_s",),
    ),
    *OUTAGE_REASONS,
)
"""Those that every hybrid scheduler has; its own codes follow STARTED."""
UNDER_FAULTS = frozenset({"constraints", "interference", "machine_faults", "share_changes"})
"""What the schedulers of this family support under the paper's profile; shares of queues mean nothing to them."""
WITH_RACKS = UNDER_FAULTS | {"rack_rules"}
"""The same of those that bind the tasks of a job with a rule about racks to racks when the job arrives."""
