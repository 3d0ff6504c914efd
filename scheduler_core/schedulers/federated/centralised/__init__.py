"""Centralized scheduling: Megha's rules with one Global Master and one Local Master for the datacenter.

Figure 6 of Megha's paper compares Megha with this scheduler. The topology's Global Masters and clusters only say where
the machines are. One scheduler sees all queues and all machines, and one cluster manager answers for all machines. A
fault of any Global Master is a fault of this scheduler: it decides nothing until the master recovers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import create_model, model_validator

from scheduler_core.schedulers.federated import megha
from scheduler_core.schedulers.federated.centralised import reasons
from scheduler_core.schedulers.federated.centralised.signature import SIGNATURE
from scheduler_core.schedulers.federated.megha.shared.costs import named_costs
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Params, SchedulerSpec
from scheduler_core.world.work import Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


class _Fixed(Params):
    fixed = MeghaParams.fixed - {"profile"}


_fields: dict[str, Any] = {
    name: (field.annotation, field)
    for name, field in MeghaParams.model_fields.items()
    if name not in ("profile", "fewest_properties")
}
_validators: dict[str, Any] = {"named_costs": model_validator(mode="before")(named_costs)}
CentralizedParams = create_model(
    "CentralizedParams",
    __base__=_Fixed,
    __doc__="Parameters of the centralised scheduler.",
    __validators__=_validators,
    **_fields,
)


def _load() -> Protocol:
    from scheduler_core.schedulers.federated.centralised.protocol import CentralizedProtocol

    return CentralizedProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.federated.centralised.board import CENTRALISED

    return CENTRALISED


_SPARED = {"repartitions", "inconsistencies_external"}

SPEC = SchedulerSpec(
    name="centralised",
    signature=SIGNATURE,
    label="Centralized",
    family="federated",
    queue_note="",
    paper=megha.SPEC.paper,
    summary="One scheduler for the whole datacenter, and one cluster manager that checks and answers every request.",
    params=CentralizedParams,
    one_master=True,
    supports=megha.SPEC.supports,
    load=_load,
    board=_board,
    work=Work(moves={"relaunched": Move("throw", "machine_frm", "machine", wrong=True, worked="x")}),
    counters=tuple(counter for counter in megha.SPEC.counters if counter.name not in _SPARED),
    layers=(LOAD_LAYER, OUTAGE_LAYER),
    marks=tuple(mark for mark in megha.SPEC.marks if mark.kind != "repartition"),
    reasons=reasons.ALL,
    series=tuple(series for series in megha.SPEC.series if series.name != "repartitions"),
)
