"""Schedulers for jobs that are DAGs of stages, over several resources.

Jobs arrive and tasks end. At most once every `interval_s`, the scheduler decides which tasks start, and on which
machines. The schedulers of this family differ in three choices: the next job, the next stage of this job, and the
machine. Each choice is a policy of one shared loop.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scheduler_core.schedulers.dag import reasons
from scheduler_core.schedulers.dag.params import (
    CarbyneParams,
    ChoosyParams,
    DagParams,
    DagpsParams,
    DelayParams,
    DrfParams,
    FairParams,
    MaxMinParams,
    TetrisFairParams,
    TetrisParams,
    WeightedDrfParams,
)
from scheduler_core.schedulers.dag.signatures import SIGNATURES
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Mark, Params, Reason, SchedulerSpec, Series
from scheduler_core.world.work import Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol

_DRF = "Dominant resource fairness: fair allocation of multiple resource types"


def _load(order: str, reason: int, by_path: bool, first: str, troublesome: bool) -> Protocol:
    from scheduler_core.schedulers.dag import state
    from scheduler_core.schedulers.dag.protocol import DagProtocol
    from scheduler_core.schedulers.dag.settings import Policy

    return DagProtocol(
        Policy(getattr(state, order), reason, getattr(state, first), by_path=by_path, troublesome=troublesome)
    )


_LAYERS = (LOAD_LAYER, OUTAGE_LAYER)
_COUNTERS = (
    Counter("decisions", "Decisions", "Times that the scheduler decided what starts."),
    Counter("lost", "Tasks lost", "Tasks whose machine failed under them; they started again later."),
)
_LOCAL_COUNTERS = (
    Counter("on_node", "Beside their data", "Tasks with data that started on a machine that has them."),
    Counter("in_rack", "In the rack of their data", "Tasks with data that started in a rack that has them."),
    Counter("remote", "Far from their data", "Tasks with data that started elsewhere."),
)
_MARKS = (Mark("fault", "Task lost its work", "Its machine failed, or an event stopped it.", role="fault"),)
_SUPPORTS = frozenset(
    {"dag", "interference", "pooled", "constraints", "machine_faults", "share_changes", "parameter_changes"}
)
_SERIES = (Series("unfinished_jobs", "Jobs not done", "jobs"), Series("open_jobs", "Jobs with tasks to start", "jobs"))
_NO_EFFECT = "Under {label}, queues have no effect."
_BY_WEIGHT = "Under {label}, shares count only if the parameter Weights is “Queue's share”."
_BY_WEIGHT_OR_GROUPS = (
    "Under {label}, shares count only if the parameter Weights is “Queue's share”, or if queues are in groups."
)


def _spec(
    name: str,
    label: str,
    paper: str,
    summary: str,
    params: type[Params],
    order: str,
    reason: int,
    *,
    by_path: bool = False,
    troublesome: bool = False,
    first: str = "SHARE",
    further: tuple[Reason, ...] = (),
    counters: tuple[Counter, ...] = (),
    queue_note: str = "",
) -> SchedulerSpec:
    return SchedulerSpec(
        name=name,
        signature=SIGNATURES[name],
        label=label,
        family="dag",
        queue_note=queue_note or (_BY_WEIGHT if "weights" in params.model_fields else _NO_EFFECT),
        paper=paper,
        summary=summary,
        params=params,
        supports=_SUPPORTS | ({"hierarchy"} if reasons.OF_GROUPS in further else set()),
        load=partial(_load, order, reason, by_path, first, troublesome),
        counters=_COUNTERS + counters,
        layers=_LAYERS,
        work=Work(moves={"left_over": Move("give")}, put_off="put_off", beside_data="on_node", among_jobs=True),
        by_resource=True,
        reasons=(*reasons.COMMON, reasons.STARTS[reason], *further),
        marks=_MARKS,
        series=_SERIES,
    )


DRF = _spec(
    "drf",
    "DRF",
    _DRF,
    "Dominant resource fairness: the next task comes from the job with the smallest dominant share, which is its "
    "largest share of any one resource.",
    DrfParams,
    "BY_DOMINANT",
    reasons.LEAST_SHARE,
    further=(reasons.OF_SHARE, reasons.OF_GROUPS),
    queue_note=_BY_WEIGHT_OR_GROUPS,
)
WDRF = _spec(
    "wdrf",
    "Weighted DRF",
    _DRF,
    "DRF that weights each job by its queue's share.",
    WeightedDrfParams,
    "BY_DOMINANT",
    reasons.LEAST_SHARE,
    further=(reasons.OF_SHARE, reasons.OF_GROUPS),
    queue_note=_BY_WEIGHT_OR_GROUPS,
)
MAX_MIN = _spec(
    "max-min",
    "Max-min",
    "Dominant resource fairness: fair allocation of multiple resource types (its baseline)",
    "The next task comes from the job that holds the least of one resource.",
    MaxMinParams,
    "BY_ONE",
    reasons.LEAST_OF_ONE,
)
CAPACITY = _spec(
    "capacity",
    "Capacity",
    "Apache Hadoop YARN: yet another resource negotiator",
    "The next task comes from the queue that uses the smallest part of its capacity, and there from the first job.",
    DagParams,
    "BY_QUEUE",
    reasons.LEAST_QUEUE,
    further=(reasons.OF_GROUPS,),
    queue_note="",
)
SJF = _spec(
    "sjf",
    "SJF",
    "Altruistic scheduling in multi-resource clusters (its baseline)",
    "Shortest job first: the job with the shortest critical path goes first.",
    DagParams,
    "BY_LENGTH",
    reasons.SHORTEST,
    by_path=True,
)
SRTF = _spec(
    "srtf",
    "SRTF",
    "Altruistic scheduling in multi-resource clusters (its baseline)",
    "Shortest remaining time first: the job with the least work left goes first.",
    DagParams,
    "BY_WORK",
    reasons.LEAST_WORK,
    by_path=True,
)
CPM = _spec(
    "cpm",
    "Critical path",
    "Altruistic scheduling in multi-resource clusters (its baseline)",
    "Jobs go in order of arrival. In each job, the stage with the longest path to the job's end goes first.",
    DagParams,
    "BY_ARRIVAL",
    reasons.LONGEST_PATH,
    by_path=True,
)
_TETRIS = "Multi-resource packing for cluster schedulers"
TETRIS = _spec(
    "tetris",
    "Tetris",
    _TETRIS,
    "A machine with room takes the task that best fits its free resources; tasks of short jobs get a bonus.",
    TetrisParams,
    "BY_DOMINANT",
    reasons.PACKED,
    first="PACK",
)
TETRIS_FAIR = _spec(
    "tetris-fair",
    "Tetris, strictly fair",
    _TETRIS,
    "Tetris that always serves the job with the smallest dominant share if one of its tasks fits.",
    TetrisFairParams,
    "BY_DOMINANT",
    reasons.PACKED,
    first="PACK",
)
DAGPS = _spec(
    "dagps",
    "DAGPS (Graphene)",
    "Graphene: packing and dependency-aware scheduling for data-parallel clusters",
    "Before a job runs, a plan places its long and awkward tasks first. Machines then take tasks that are early in "
    "the plan and fit well.",
    DagpsParams,
    "BY_DOMINANT",
    reasons.TROUBLESOME,
    troublesome=True,
    first="PACK",
)
CARBYNE = _spec(
    "carbyne",
    "Carbyne",
    "Altruistic scheduling in multi-resource clusters",
    "Jobs have equal shares. A job gives away the part that it can spare without ending later; other jobs use this "
    "leftover.",
    CarbyneParams,
    "BY_DOMINANT",
    reasons.LEAST_SHARE,
    first="PLAN",
    further=reasons.OF_ALTRUISM,
    counters=(
        Counter(
            "plans",
            "Plans",
            "Plans of jobs: when they end under their share, and how late each task may start. They take no simulated "
            "time; the paper measures at most 10 ms for a job's manager.",
        ),
        Counter("from_leftover", "Tasks from leftover", "Tasks that started on leftover capacity."),
        *_LOCAL_COUNTERS,
    ),
)
CHOOSY = _spec(
    "choosy",
    "Choosy",
    "Choosy: max-min fair sharing for datacenter jobs with constraints",
    "A machine with room goes to the job with the smallest share that may run there: "
    "max-min fairness under constraints.",
    ChoosyParams,
    "BY_DOMINANT",
    reasons.POOREST,
    first="OFFER",
)
_DELAY = "Delay scheduling: a simple technique for achieving locality and fairness in cluster scheduling"
FAIR = _spec(
    "fair",
    "Fair",
    f"{_DELAY} (its baseline)",
    "The next task comes from the job with the fewest running tasks, and runs beside its data if there is room.",
    FairParams,
    "BY_ONE",
    reasons.FEWEST,
    first="LOCAL",
    further=reasons.OF_LOCALITY,
    counters=_LOCAL_COUNTERS,
)
DELAY = _spec(
    "delay-schedule",
    "Delay scheduling",
    _DELAY,
    "Fair sharing in which a job whose data are on busy machines lets others go first for a while.",
    DelayParams,
    "BY_ONE",
    reasons.FEWEST,
    first="LOCAL",
    further=reasons.OF_LOCALITY,
    counters=_LOCAL_COUNTERS,
)
