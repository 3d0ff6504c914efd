"""The parameters of Megha."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.formerly import formerly
from scheduler_core.schedulers.federated.megha.costs import COSTS, DEFAULT, OWN, named_costs
from scheduler_core.world.spec import Params

PROGRAM_HEARTBEATS_S = {"public-simulator": 30.0, "constraint-aware": 5.0}
"""The heartbeat interval under the profile of each public program."""
_CALIBRATED = "calibrated, see docs/development/agreement.md"


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
        description="Whose rules are followed: the paper's, or those of one of its authors' public programs. In both "
        "programs a machine holds one task, matches cost nothing, and durations are whole seconds. The first has a "
        "heartbeat of 30 s unless given and knows no constraints: with constraints it is an extrapolation. The second, "
        "constraint-aware, has a heartbeat of 5 s unless given.",
    )
    heartbeat_s: float = Field(
        10.0,
        gt=0,
        le=86_400,
        title="Heartbeat",
        description="How often each Local Master sends its state to every Global Master. "
        "Longer heartbeats save messages and make views staler: waits usually lengthen a little; with `fairness` fewer "
        "tasks are stopped, and waits may even shrink.",
        json_schema_extra={"unit": "s"},
    )
    costs: Literal["writing", "messages", "vectors", "own"] = Field(
        DEFAULT,
        title="Costs of work and messages",
        description="A set of calibrated costs; the parameters after it then are that set's. "
        "writing: a Local Master takes long to write its state. It gives the paper's Figures 3 and 6, and Figure 9 for "
        "Local Masters, but not Figures 7 and 8. "
        "messages: each of Megha's messages takes 6 ms, and reading a state is dear. It gives Figures 6, 7 and 9, but "
        "not the tail of Figure 3 and not Figure 8. "
        "vectors: messages of 6 ms, and a match combines the constraint vectors of a partition. It was chosen for "
        "Figures 3, 7, 8 and 9 and gives them, but for the slight rise above ten Global Masters. "
        "own: none of these sets. Only with writing do messages take as long as other schedulers' messages.",
        json_schema_extra=_SETS,
    )
    message_us: float = _cost(
        "message_us",
        "µs",
        "Cost of a message on its way",
        "Time that the software of sender and receiver adds to the network's delay of each message. "
        "Dearer messages make every task wait longer.",
    )
    match_us: float = _cost(
        "match_us",
        "µs",
        "Cost of a match",
        "Time a Global Master spends on one match, before the machines it scans. "
        "Dearer matches make tasks queue at their Global Master.",
    )
    scan_ns: float = _cost(
        "scan_ns",
        "ns",
        "Cost of scanning a machine",
        "Time a Global Master spends on each machine that a search passes over. Dearer scans slow down "
        "searches when few machines are free.",
    )
    vector_ns: float = _cost(
        "vector_ns",
        "ns",
        "Cost of a machine in the constraint vectors",
        "Time a Global Master spends on each machine of a partition that it searches, because it combines the "
        "constraint vectors of the whole partition first. Dearer vectors make matches slower in large datacenters.",
    )
    fairness: bool = Field(
        True,
        title="Preempt for fairness",
        description="Whether a queue below its share may take machines from queues above theirs when none is free. "
        "Tasks that are stopped lose their work and wait again.",
    )
    request_us: float = _cost(
        "request_us",
        "µs",
        "Cost of a message to a Local Master",
        "Time a Local Master spends on a request or on the end of a task, before the state it sends back. "
        "Dearer requests make a Local Master with many of them answer late.",
    )
    send_ns: float = _cost(
        "send_ns",
        "ns",
        "Cost of sending a machine's state",
        "Time a Local Master spends on each machine of its cluster in every message that it sends. "
        "It makes large clusters slow to answer.",
    )
    update_us: float = _cost(
        "update_us",
        "µs",
        "Cost of a message to a Global Master",
        "Time a Global Master spends on each message of a Local Master, before the state in it. With many "
        "clusters or short heartbeats it holds up matches.",
    )
    apply_ns: float = _cost(
        "apply_ns",
        "ns",
        "Cost of reading a machine's state",
        "Time a Global Master spends on each machine in every state that it receives. With many machines "
        "or short heartbeats it holds up matches.",
    )
    launch_first: bool = Field(
        True,
        title="Launch before the answer is written",
        description="Whether a Local Master launches a task as soon as it has checked the request. "
        "Off: the launch waits until the Local Master has written the state for its answer, which is processing.",
        json_schema_extra=formerly("0.2.0", False),
    )
    fit: Literal["first", "next"] = Field(
        "first",
        title="Search in a partition",
        description="Where a search of a partition begins. First fit begins with the partition's first machine, as the "
        "paper's Algorithm 1. Next fit goes on behind the machine that was found last: somewhat fewer requests are "
        "refused, and mean waits hardly differ.",
        json_schema_extra=formerly("0.2.0", "next"),
    )
    unplaceable: Literal["end", "head"] = Field(
        "end",
        title="Task that finds no machine",
        description="Where a task goes for which no machine was found. End: to the end of its queue, as in the paper. "
        "Head: it keeps its place. Mean waits hardly differ.",
        json_schema_extra=formerly("0.2.0", "head"),
    )
    further_victims: bool = Field(
        True,
        title="Look for further victims",
        description="Whether a Global Master whose preemption was refused looks for other victims at once. "
        "Off: the task joins the end of its queue, and the Global Master tries again with a heartbeat.",
        json_schema_extra=formerly("0.2.0", False),
    )
    standby_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Standby takes over after",
        description="How long after the failure of a Local Master its standby takes over; until then its cluster "
        "answers nobody.",
        json_schema_extra={"unit": "s", "evidence": "assumed; the paper gives no time"},
    )

    fewest_properties: bool | None = Field(
        None,
        title="Take the machine with the fewest properties",
        description="Take the suitable machine with the fewest properties instead of a random one. "
        "Only the profile constraint-aware has this choice.",
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
