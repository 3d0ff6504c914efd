"""Yacc-D: bounded queues at the workers, tasks sent where the wait is thought least, the least remaining work first.

Several schedulers share the jobs. They know the queues by what workers publish at heartbeats, keep back what finds no
place in them, and a worker serves its queue in the order of the jobs' remaining work, up to a bound on starvation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scheduler_core.schedulers.probing.yacc import reasons
from scheduler_core.schedulers.shared.probing import QUEUE_LAYER, EstimateParams
from scheduler_core.world.spec import LOAD_LAYER, Counter, Layer, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

ORDERS = ("least_work", "least_tasks", "eldest_job", "first_come")


class YaccParams(EstimateParams):
    """Parameters of Yacc-D."""

    first = ("schedulers", "queue_bound", "heartbeat_s", "choices", "order", "starvation_cap")
    fixed = EstimateParams.fixed | {"schedulers"}

    schedulers: int = Field(
        4,
        ge=1,
        le=64,
        title="Schedulers",
        description="Jobs go round so many schedulers. Each of them counts what it has sent since workers published, "
        "and knows nothing of what the others have sent. The more, the less each knows "
        "of the queues.",
        json_schema_extra={"unit": "schedulers"},
    )
    queue_bound: int = Field(
        4,
        ge=1,
        le=100_000,
        title="Bound of a queue",
        description="Most tasks that wait at a worker. It should last from one heartbeat to the next: with less "
        "workers idle and waits lengthen, with more hardly anything moves.",
        json_schema_extra={"unit": "tasks"},
    )
    heartbeat_s: float = Field(
        3.0,
        ge=0.01,
        le=3600,
        title="Heartbeat",
        description="How often workers publish what they are thought to have to do and how many tasks wait there, "
        "workers hear how much their jobs have left, and schedulers send what they have kept back. Longer heartbeats "
        "make all of it older.",
        json_schema_extra={"unit": "s"},
    )
    choices: int = Field(
        10,
        ge=1,
        le=1000,
        title="Workers compared",
        description="For each task so many workers are drawn, and it goes to the one with the least wait of those "
        "whose queues have room. 1 is random placement. More find shorter queues, and more tasks then want the same "
        "workers.",
        json_schema_extra={"unit": "workers"},
    )
    order: Literal["least_work", "least_tasks", "eldest_job", "first_come"] = Field(
        "least_work",
        title="Order of a queue",
        description="Whom a worker serves first: the task whose job has the least work left (its estimate times the "
        "tasks that have not ended), the fewest tasks left, the one whose job came first, or the one that came first "
        "to the queue. By work left most jobs usually end sooner.",
    )
    starvation_cap: float = Field(
        5.0,
        ge=0,
        le=1_000,
        title="Bound on starvation",
        description="How long others may keep a task waiting by going past it, in its own estimated run times. 0 lets "
        "only tasks past that are thought to take no time. A higher cap usually helps small jobs.",
        json_schema_extra={"unit": "x its estimate"},
    )


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.yacc.protocol import YaccProtocol

    return YaccProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.probing.yacc.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="yacc-d",
    label="Yacc-D",
    family="probing",
    paper="Efficient queue management for cluster scheduling",
    summary="Bounded queues at the workers, filled by the least estimated wait and served by the least work left.",
    params=YaccParams,
    supports=frozenset({"constraints"}),
    load=_load,
    board=_board,
    sends=True,
    counters=(
        Counter("sent", "Tasks sent", "Times that a task was sent to a worker."),
        Counter("bounced", "Tasks sent back", "Tasks that came to a queue that was full."),
        Counter(
            "held",
            "Tasks kept back",
            "Tasks that found no room when their job came, and waited at its scheduler for news.",
        ),
        Counter("overtaking", "Tasks that overtook", "Starts past others in front that still wait."),
        Counter(
            "protected",
            "Starts by the bound",
            "Starts of tasks that others would have gone past, had those not been kept waiting long enough.",
        ),
        Counter("publications", "Publications", "Times that all workers published their queues."),
    ),
    layers=(
        LOAD_LAYER,
        QUEUE_LAYER,
        Layer("bound", "Queue against its bound", "level", "How much of the bound of the worker's queue is taken."),
    ),
    reasons=reasons.ALL,
    marks=(reasons.BOUNCE_MARK, reasons.OVERTAKING_MARK),
    series=(
        Series("queued", "Waiting at workers", "tasks"),
        Series("kept_back", "Waiting at schedulers", "tasks"),
    ),
)
