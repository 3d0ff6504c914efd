"""Mesos: a master offers free machines to frameworks, which accept or decline them.

Each queue is a framework. These rules are from the paper (Hindman et al., NSDI 2011): two levels, offers of several
machines, filters, resources that no other framework is offered until the first one has answered, rescinded offers, and
allocation by dominant resource fairness (DRF). These are from the product's manual: rounds of allocation, whole
machines, and the time for which a declined machine is not offered again. docs/explanation/schedulers/mesos.md lists
what is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.offers.mesos import reasons
from scheduler_core.schedulers.offers.mesos.counters import COUNTERS
from scheduler_core.schedulers.offers.mesos.params import MesosParams
from scheduler_core.schedulers.offers.mesos.signature import SIGNATURE
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, SchedulerSpec, Series
from scheduler_core.world.work import Keeper, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.offers.mesos.protocol import MesosProtocol

    return MesosProtocol(SPEC)


SPEC = SchedulerSpec(
    name="mesos",
    label="Mesos",
    family="offers",
    paper="Mesos: a platform for fine-grained resource sharing in the data center",
    summary=(
        "A master offers free machines to frameworks in fair order. Each accepts what it wants and declines the rest."
    ),
    params=MesosParams,
    signature=SIGNATURE,
    supports=frozenset(
        {
            "constraints",
            "hierarchy",
            "interference",
            "machine_faults",
            "parameter_changes",
            "share_changes",
        }
    ),
    load=_load,
    queue_note="",
    counters=COUNTERS,
    layers=(LOAD_LAYER, OUTAGE_LAYER),
    work=Work(Keeper("queue", "Framework", "Tasks wait here until their framework is offered a machine for them.")),
    by_resource=True,
    reasons=reasons.ALL,
    marks=(FAULT,),
    series=(Series("offered", "Machines under offer", "machines"),),
)
