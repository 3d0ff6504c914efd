"""Schedulers of jobs that are graphs of stages, over several resources.

Jobs arrive and tasks end; at most once every `interval_s` the scheduler decides what starts where. What differs between
the members is which job comes next, which of its stages, and on which machine: policies of one loop.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scheduler_core.schedulers.dag import reasons
from scheduler_core.schedulers.spec import LOAD_LAYER, Counter, Layer, Params, Reason, SchedulerSpec, Series

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


def _load(order: str, reason: int, by_path: bool = False, first: str = "SHARE", then: str = "IDLE") -> Protocol:
    from scheduler_core.schedulers.dag import state
    from scheduler_core.schedulers.dag.protocol import DagProtocol, Policy

    return DagProtocol(Policy(getattr(state, order), reason, getattr(state, first), getattr(state, then), by_path))


_LAYERS = (
    LOAD_LAYER,
    Layer("cpus", "CPUs in use", "level", "How much of the machine's CPUs its tasks hold."),
    Layer("memory", "Memory in use", "level", "How much of the machine's memory its tasks hold."),
)
_COUNTERS = (Counter("decisions", "Decisions", "Times that the scheduler decided what starts."),)
_SERIES = (Series("unfinished_jobs", "Jobs not done", "jobs"), Series("open_jobs", "Jobs with tasks to start", "jobs"))


def _spec(
    name: str, label: str, paper: str, summary: str, params: type[Params], order: str, reason: int,
    *, by_path: bool = False, further: tuple[Reason, ...] = (),
) -> SchedulerSpec:
    return SchedulerSpec(
        name=name, label=label, family="dag", paper=paper, summary=summary, params=params,
        supports=frozenset({"dag", "pooled"}), load=partial(_load, order, reason, by_path), counters=_COUNTERS,
        layers=_LAYERS, reasons=(*reasons.COMMON, reasons.STARTS[reason], *further), series=_SERIES,
    )


DRF = _spec(
    "drf", "DRF", _DRF,
    "One task after the other to the job with the least dominant share: the largest part that it has of any resource.",
    DrfParams, "BY_DOMINANT", reasons.LEAST_SHARE, further=(reasons.OF_SHARE,),
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
