"""The parameters of Megha."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.schedulers.federated.megha.shared.costs import COSTS, DEFAULT, OWN, named_costs
from scheduler_core.world.spec import Params

PROGRAM_HEARTBEATS_S = {"public-simulator": 30.0, "constraint-aware": 5.0}
"""The heartbeat interval under the profile of each public program."""
_CALIBRATED = "calibrated on figures of Megha's paper"


def _cost(name: str, unit: str, title: str, description: str) -> Any:
    """Return a cost's field, at its value in the default set."""
    extra = {**formerly("0.2.0", COSTS["writing"][name]), "unit": unit, "evidence": _CALIBRATED}
    return Field(COSTS[DEFAULT][name], ge=0, le=1e6, title=title, description=description, json_schema_extra=extra)


_SETS: dict[str, Any] = {**formerly("0.2.0", "writing"), "evidence": _CALIBRATED, "sets": COSTS, "otherwise": OWN}


class MeghaParams(Params):
    """Parameters of Megha."""

    fixed: ClassVar[frozenset[str]] = frozenset({"profile", "costs", "message_us"})
    first: ClassVar[tuple[str, ...]] = ("profile", "heartbeat_s", "fairness")

    profile: Literal["paper", "public-simulator", "constraint-aware"] = Field(
        "paper",
        title="Profile",
        description="Rules that the scheduler follows. The authors published two programs. In both, a machine holds "
        "one task, matches cost nothing, and durations are whole seconds.",
        json_schema_extra=options(
            {
                "paper": ("The paper", "The rules of the paper."),
                "public-simulator": (
                    "Authors' simulator",
                    "The public simulator of the paper's authors. Its heartbeat is 30 s unless you set it. It has no "
                    "constraints, so a run with constraints is an extrapolation.",
                ),
                "constraint-aware": (
                    "Constraint-aware program",
                    "The authors' later public program with constraints. Its heartbeat is 5 s unless you set it.",
                ),
            }
        ),
    )
    heartbeat_s: float = Field(
        10.0,
        gt=0,
        le=86_400,
        title="Heartbeat interval",
        description="Time between two reports of a Local Master to every Global Master. Longer intervals send fewer "
        "messages and make views staler; waits usually grow a little. With preemption for fairness, longer "
        "intervals preempt fewer tasks, and waits may even shrink.",
        json_schema_extra={"unit": "s"},
    )
    costs: Literal["writing", "messages", "vectors", "own"] = Field(
        DEFAULT,
        title="Costs of work and messages",
        description="A calibrated set of costs. Choosing a set fixes the cost parameters below. Only with “Slow "
        "writing” do messages take as long as under other schedulers.",
        json_schema_extra={
            **_SETS,
            **options(
                {
                    "writing": (
                        "Slow writing",
                        "A Local Master takes long to write its state. Reproduces the paper's Figures 3 and 6, and "
                        "Figure 9 for Local Masters, but not Figures 7 and 8.",
                    ),
                    "messages": (
                        "Slow messages",
                        "Each of Megha's messages takes 6 ms, and reading a state is expensive. Reproduces the "
                        "paper's Figures 6 and 7, and Figure 9 for Local Masters, but neither the tail of Figure 3 nor "
                        "Figure 8.",
                    ),
                    "vectors": (
                        "Constraint vectors",
                        "Messages take 6 ms, and a match combines the constraint vectors of a partition. Chosen for "
                        "the paper's Figures 3, 7, 8 and 9; reproduces them except for the slight rise above ten "
                        "Global Masters.",
                    ),
                    "own": ("Custom", "You choose each cost below."),
                }
            ),
        },
    )
    message_us: float = _cost(
        "message_us",
        "µs",
        "Cost of a message in transit",
        "Time that the sender's and receiver's software adds to the network delay of each message. Larger values "
        "make every task wait longer.",
    )
    match_us: float = _cost(
        "match_us",
        "µs",
        "Cost of a match",
        "Time that a Global Master spends on one match, not counting the scan of machines. Larger values make tasks "
        "queue at their Global Master.",
    )
    scan_ns: float = _cost(
        "scan_ns",
        "ns",
        "Cost of scanning a machine",
        "Time that a Global Master spends on each machine that a search passes. Larger values slow down searches "
        "when few machines are free.",
    )
    vector_ns: float = _cost(
        "vector_ns",
        "ns",
        "Cost of combining constraint vectors",
        "Time that a Global Master spends on each machine of a partition before it searches the partition, to "
        "combine all constraint vectors. Larger values make matches slower in large datacenters.",
    )
    fairness: bool = Field(
        True,
        title="Preempt for fairness",
        description="When no machine is free, let a queue below its fair share take machines from queues that use "
        "more than theirs. "
        "Preempted tasks lose their work and wait again.",
    )
    request_us: float = _cost(
        "request_us",
        "µs",
        "Cost of a request",
        "Time that a Local Master spends on a request or on the end of a task, not counting the time to send its "
        "state back. "
        "Larger values delay the answers of a busy Local Master.",
    )
    send_ns: float = _cost(
        "send_ns",
        "ns",
        "Cost of sending a machine's state",
        "Time that a Local Master spends on each machine of its cluster in every message that it sends. Larger "
        "values make large clusters slow to answer.",
    )
    update_us: float = _cost(
        "update_us",
        "µs",
        "Cost of an update",
        "Time that a Global Master spends on each message of a Local Master, not counting the state in the message. "
        "Larger values "
        "delay matches when clusters are many or heartbeats are frequent.",
    )
    apply_ns: float = _cost(
        "apply_ns",
        "ns",
        "Cost of reading a machine's state",
        "Time that a Global Master spends on each machine in every state that it receives. Larger values delay "
        "matches when machines are many or heartbeats are frequent.",
    )
    launch_first: bool = Field(
        True,
        title="Launch before the answer is written",
        description="Launch a task as soon as the Local Master has checked the request. If off, the launch waits until "
        "the Local Master has written its state into the answer; the time for this writing counts as processing.",
        json_schema_extra=formerly("0.2.0", False),
    )
    fit: Literal["first", "next"] = Field(
        "first",
        title="Search in a partition",
        description="Machine at which a Global Master starts to search a partition.",
        json_schema_extra={
            **formerly("0.2.0", "next"),
            **options(
                {
                    "first": ("First fit", "Start at the partition's first machine, as in the paper's Algorithm 1."),
                    "next": (
                        "Next fit",
                        "Continue after the machine that was found last. Somewhat fewer requests are refused; mean "
                        "waits hardly differ.",
                    ),
                }
            ),
        },
    )
    unplaceable: Literal["end", "head"] = Field(
        "end",
        title="Task without a machine",
        description="Place of a task in its queue after the Global Master found no machine for it. Mean waits hardly "
        "differ.",
        json_schema_extra={
            **formerly("0.2.0", "head"),
            **options(
                {
                    "end": ("End of the queue", "The task goes to the end of its queue, as in the paper."),
                    "head": ("Head of the queue", "The task keeps its place."),
                }
            ),
        },
    )
    further_victims: bool = Field(
        True,
        title="Try to preempt other tasks",
        description="Look at once for other tasks to preempt when a Local Master refuses a preemption. If "
        "off, the task goes to the end of its queue, and the Global Master tries again at a heartbeat.",
        json_schema_extra=formerly("0.2.0", False),
    )
    standby_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Standby delay",
        description="Time from the failure of a Local Master until its standby takes over. Until then, its cluster "
        "answers no requests.",
        json_schema_extra={"unit": "s", "evidence": "assumed; the paper gives no time"},
    )

    fewest_properties: bool | None = Field(
        None,
        title="Prefer machines with few properties",
        description="Choose the suitable machine with the fewest properties instead of a random one. If this is not "
        "set, the choice is random. Only the constraint-aware program has this parameter.",
    )

    @model_validator(mode="before")
    @classmethod
    def _heartbeat_of_the_profile(cls, data: Any) -> Any:
        heartbeat_s = PROGRAM_HEARTBEATS_S.get(data.get("profile", "")) if isinstance(data, dict) else None
        return data if heartbeat_s is None else {"heartbeat_s": heartbeat_s} | data

    @model_validator(mode="before")
    @classmethod
    def _named_costs(cls, data: Any) -> Any:
        return named_costs(data)
