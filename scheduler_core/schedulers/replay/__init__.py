"""As recorded: each task starts when, and where known on the machine on which, the workload's source says it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.replay.params import ReplayParams
from scheduler_core.schedulers.replay.reasons import REASONS
from scheduler_core.schedulers.replay.signature import SIGNATURE
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, SchedulerSpec
from scheduler_core.world.work import Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.replay.protocol import ReplayProtocol

    return ReplayProtocol(SPEC)


SPEC = SchedulerSpec(
    name="as-recorded",
    signature=SIGNATURE,
    label="As recorded",
    family="replay",
    paper="",
    summary="Each task starts when its recording says it did, on the recorded machine where that is known. So what "
    "happened stands beside what another scheduler would have done.",
    params=ReplayParams,
    queue_note="Under {label}, queues have no effect.",
    supports=frozenset({"constraints", "interference", "machine_faults", "priorities", "share_changes", "standing"}),
    load=_load,
    anywhere={"without_start": "arrival"},
    counters=(
        Counter("on_time", "Started as recorded", "Tasks that started at the recorded time."),
        Counter("behind", "Started later", "Tasks that started later than recorded, because no machine had room."),
        Counter("elsewhere", "Other machine", "Tasks that started on another machine than the recorded one."),
        Counter("not_recorded", "No recorded start", "Tasks that arrived and have no recorded start."),
    ),
    layers=(LOAD_LAYER, OUTAGE_LAYER),
    work=Work(decision="choose"),
    by_resource=True,
    reasons=REASONS,
    marks=(FAULT,),
)
