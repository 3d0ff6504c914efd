"""Schedulers of jobs that are graphs of stages, over several resources.

Jobs arrive and tasks end; at most once every `interval_s` the scheduler decides what starts where. What differs between
the members is which job comes next, which of its stages, and on which machine: policies of one loop.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scheduler_core.schedulers.dag import reasons
from scheduler_core.schedulers.spec import LOAD_LAYER, Counter, Layer, Mark, Params, Reason, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.engine.protocol import Protocol

_DRF = "Dominant resource fairness: fair allocation of multiple resource types"


class DagParams(Params):
    """Parameters of every scheduler of jobs that are graphs."""

    interval_s: float = Field(
        0.0, ge=0, le=3600, title="Interval",
        description="Least time between two decisions, as with a manager that decides at heartbeats. With 0 it decides "
        "at the end of every instant in which a job arrives or a task ends.",
        json_schema_extra={"unit": "s"},
    )


class WeightedParams(DagParams):
    """Parameters of schedulers that share by weight."""

    weights: Literal["equal", "queue_share"] = Field(
        "equal", title="Weights",
        description="Whether all jobs weigh the same, or each as much as the share of its queue.",
    )


class DrfParams(WeightedParams):
    """Parameters of dominant resource fairness."""

    work_conserving: bool = Field(
        True, title="Give what others leave",
        description="Whether a job may get more than its share while others leave room. Without it shares are strict: "
        "each job's weight, divided by those of all jobs that are not done, of every resource.",
    )


class MaxMinParams(WeightedParams):
    """Parameters of max-min fairness over one resource."""

    resource: str = Field(
        "cpus", min_length=1, max_length=100, title="Resource",
        description="The resource that is shared fairly; the others only have to fit.",
    )


class WeightedDrfParams(DrfParams):
    """Parameters of weighted dominant resource fairness."""

    weights: Literal["equal", "queue_share"] = Field(
        "queue_share", title="Weights",
        description="Whether all jobs weigh the same, or each as much as the share of its queue.",
    )


class TetrisParams(DagParams):
    """Parameters of Tetris."""

    epsilon: float = Field(
        1.0, ge=0, le=100, title="Epsilon",
        description="How much the work left of the job counts beside its alignment, both over their means. 0 packs "
        "tightly, much makes short jobs go first.",
    )
    fairness: float = Field(
        0.25, ge=0, le=1, title="Fairness",
        description="Part of the jobs, those with the largest dominant shares, that stand back while a task of the "
        "others fits. 0 does not look at shares, 1 takes from the job with the least.",
    )
    barrier: float = Field(
        0.9, ge=0, le=1, title="Barrier",
        description="From which part of its tasks ended a stage that others wait for goes before all else. 1 is never.",
    )


class TetrisFairParams(TetrisParams):
    """Parameters of Tetris with strict fairness."""

    fairness: float = Field(
        1.0, ge=0, le=1, title="Fairness",
        description="Part of the jobs, those with the largest dominant shares, that stand back while a task of the "
        "others fits. 0 does not look at shares, 1 takes from the job with the least.",
    )


class CarbyneParams(WeightedParams):
    """Parameters of Carbyne."""

    altruism: float = Field(
        1.0, ge=0, le=1, title="Altruism",
        description="Part of the jobs that give up what their plan does not need yet. With 0 it is DRF; a job that is "
        "altruistic stays so when there are more.",
    )
    leftover: Literal["srtf", "packing"] = Field(
        "srtf", title="Leftover",
        description="Whom what is left over goes to: the job with the least work left, or the task that packs best.",
    )


def _load(order: str, reason: int, by_path: bool = False, first: str = "SHARE", then: str = "IDLE") -> Protocol:
    from scheduler_core.schedulers.dag import state
    from scheduler_core.schedulers.dag.protocol import DagProtocol
    from scheduler_core.schedulers.dag.settings import Policy

    return DagProtocol(Policy(getattr(state, order), reason, getattr(state, first), getattr(state, then), by_path))


_LAYERS = (LOAD_LAYER, Layer("outage", "Out of service", "level", "Empty: in service; half: draining; full: failed."))
_COUNTERS = (
    Counter("decisions", "Decisions", "Times that the scheduler decided what starts."),
    Counter("lost", "Tasks lost", "Tasks whose machine failed under them; they started again later."),
)
_MARKS = (Mark("fault", "Task lost its machine", "A machine failed under a task."),)
_SUPPORTS = frozenset({"dag", "pooled", "constraints", "machine_faults", "share_changes", "parameter_changes"})
_SERIES = (Series("unfinished_jobs", "Jobs not done", "jobs"), Series("open_jobs", "Jobs with tasks to start", "jobs"))


def _spec(
    name: str, label: str, paper: str, summary: str, params: type[Params], order: str, reason: int,
    *, by_path: bool = False, first: str = "SHARE", further: tuple[Reason, ...] = (),
    counters: tuple[Counter, ...] = (),
) -> SchedulerSpec:
    common = tuple(one for one in reasons.COMMON if first != "PACK" or one.code != reasons.NO_ROOM)
    return SchedulerSpec(
        name=name, label=label, family="dag", paper=paper, summary=summary, params=params,
        supports=_SUPPORTS, load=partial(_load, order, reason, by_path, first),
        counters=_COUNTERS + counters, layers=_LAYERS, by_resource=True,
        reasons=(*common, reasons.STARTS[reason], *further), marks=_MARKS, series=_SERIES,
    )


DRF = _spec(
    "drf", "DRF", _DRF,
    "One task after the other to the job with the least dominant share: the largest part that it has of any resource.",
    DrfParams, "BY_DOMINANT", reasons.LEAST_SHARE, further=(reasons.OF_SHARE,),
)
WDRF = _spec(
    "wdrf", "Weighted DRF", _DRF,
    "DRF in which a job counts as much as the share of its queue.",
    WeightedDrfParams, "BY_DOMINANT", reasons.LEAST_SHARE, further=(reasons.OF_SHARE,),
)
MAX_MIN = _spec(
    "max-min", "Max-min", "Dominant resource fairness: fair allocation of multiple resource types (its baseline)",
    "One task after the other to the job that has the least of one resource.",
    MaxMinParams, "BY_ONE", reasons.LEAST_OF_ONE,
)
CAPACITY = _spec(
    "capacity", "Capacity", "Apache Hadoop YARN: yet another resource negotiator",
    "One task after the other to the queue that uses the smallest part of its capacity; in it, to the first job.",
    DagParams, "BY_QUEUE", reasons.LEAST_QUEUE,
)
SJF = _spec(
    "sjf", "SJF", "Altruistic scheduling in multi-resource clusters (its baseline)",
    "The job with the shortest critical path first.", DagParams, "BY_LENGTH", reasons.SHORTEST, by_path=True,
)
SRTF = _spec(
    "srtf", "SRTF", "Altruistic scheduling in multi-resource clusters (its baseline)",
    "The job with the least work left first.", DagParams, "BY_WORK", reasons.LEAST_WORK, by_path=True,
)
CPM = _spec(
    "cpm", "Critical path", "Altruistic scheduling in multi-resource clusters (its baseline)",
    "Jobs as they come; in each, the stage with the longest way to the job's end first.",
    DagParams, "BY_ARRIVAL", reasons.LONGEST_PATH, by_path=True,
)
_TETRIS = "Multi-resource packing for cluster schedulers"
TETRIS = _spec(
    "tetris", "Tetris", _TETRIS,
    "A machine with room takes the task that fits best into what it has free, with a bonus for short jobs.",
    TetrisParams, "BY_DOMINANT", reasons.PACKED, first="PACK",
)
TETRIS_FAIR = _spec(
    "tetris-fair", "Tetris, strictly fair", _TETRIS,
    "Tetris that takes from the job with the least dominant share wherever a task of it fits.",
    TetrisFairParams, "BY_DOMINANT", reasons.PACKED, first="PACK",
)
CARBYNE = _spec(
    "carbyne", "Carbyne", "Altruistic scheduling in multi-resource clusters",
    "DRF in which jobs give up what they do not need yet to end in time; what is left over goes to short jobs.",
    CarbyneParams, "BY_DOMINANT", reasons.LEAST_SHARE, first="PLAN", further=reasons.OF_ALTRUISM,
    counters=(
        Counter("plans", "Plans", "Plans of jobs: when they end under their share, and how late each task may start."),
        Counter("from_leftover", "Tasks from leftover", "Tasks that started on what others had left over."),
    ),
)
