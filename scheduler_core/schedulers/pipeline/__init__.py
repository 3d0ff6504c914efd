"""The reference architecture: a scheduler as a pipeline of stages, each with a policy or left unspecified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.refarch.stages import STAGES
from scheduler_core.schedulers.pipeline.params import PipelineParams
from scheduler_core.schedulers.pipeline.reasons import PREEMPTION, REASONS
from scheduler_core.schedulers.pipeline.signature import SIGNATURE
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Layer, SchedulerSpec, Series
from scheduler_core.world.work import Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.pipeline.protocol import PipelineProtocol

    return PipelineProtocol()


def _time(stage: str, what: str) -> Counter:
    return Counter(f"{stage.lower()}_us", f"{stage} time, µs", f"Modeled time of {what}, in microseconds.")


_COUNTERS = (
    Counter("iterations", "Iterations", "Runs of the whole pipeline."),
    Counter("submitted", "Tasks submitted", "Tasks that T4 handed to a machine."),
    Counter("lost", "Tasks lost", "Tasks whose machine failed under them."),
    Counter("preemptions", "Tasks preempted", "Tasks that stage T10 (Task preemption) preempted for others."),
    Counter("migrations", "Tasks moved", "Tasks that T12 moved to another machine or away from a draining one."),
    Counter("copies", "Copies", "Copies of tasks that T9 sent to machines."),
    Counter("copies_won", "Copies first", "Copies that ended before the original."),
    Counter("given_up", "Tasks given up", "Tasks that T11 gave up, and those that waited for them."),
    Counter("brokered", "Tasks brokered", "Tasks that ran on the provider's machines."),
    Counter("leases", "Leases", "Machines that R6 asked for."),
    Counter("releases", "Machines returned", "Machines that R6 returned because they were idle."),
    Counter("passed_on", "Tasks passed on", "Messages by which M6 handed tasks to scheduler nodes."),
    _time("J2", "finding eligible jobs"),
    _time("J3", "sorting jobs"),
    _time("T1", "finding eligible tasks"),
    _time("T2", "sorting tasks"),
    _time("R3", "filtering machines by what never changes"),
    _time("R4", "filtering machines by what is free"),
    _time("R5", "choosing among machines"),
    _time("T4", "submitting tasks"),
)
POOL_LAYER = Layer("pool", "Pool", "level", "Full: in the pool; half: leased and on its way; empty: not leased.")
SPEC = SchedulerSpec(
    name="pipeline", signature=SIGNATURE, label="Pipeline of stages", family="pipeline", composes=True,
    queue_note="Queues are users here. Only stages that sort by priority or share, or that limit each user, use them.",
    paper="A reference architecture for datacenter scheduling: design, validation, and experiments",
    summary="A scheduler put together from steps (stages). Each has a policy or is not specified, and the cost of each "
        "is counted.",
    params=PipelineParams, load=_load, counters=_COUNTERS,
    work=Work(moves={"moved_aside": Move("throw", "machine_frm", "machine")}, decision="choose"),
    layers=(LOAD_LAYER, OUTAGE_LAYER, POOL_LAYER), by_resource=True, reasons=REASONS, marks=(FAULT, PREEMPTION),
    series=(Series("eligible", "Eligible tasks", "tasks"), Series("not_let_in", "Jobs not admitted", "jobs"),
            Series("pool", "Machines of the pool", "machines"), Series("iteration_ms", "Time per iteration", "ms"),
            *(Series(f"{stage.id.lower()}_us", f"{stage.id}: modeled time so far", "µs") for stage in STAGES)),
    supports=frozenset({"dag", "pooled", "constraints", "machine_faults", "share_changes", "parameter_changes",
                        "priorities"}),
)  # fmt: skip

__all__ = ["SPEC"]
