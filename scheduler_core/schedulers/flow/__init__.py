"""Schedulers that model placement as a network and solve a min-cost flow: Quincy, Sirius and others.

The graph is the policy: the schedulers of this family differ in its bounds and costs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.schedulers.flow import reasons
from scheduler_core.schedulers.flow.signatures import SIGNATURES
from scheduler_core.schedulers.shared.pacing import NEAR_COUNTERS, PACE_COUNTERS, PaceParams
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Params, Policy, SchedulerSpec, Series
from scheduler_core.world.work import Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


Solver = Annotated[Literal["ssp", "scaling", "cold"], BeforeValidator(lambda value: "ssp" if value == "ics" else value)]
"""The solvers. `ics` is what `ssp` was called before 0.2.0: a wrong name, as it does not scale costs."""


class FlowParams(PaceParams):
    """Parameters of every scheduler that solves a flow."""

    interval_s: float = Field(
        0.0,
        ge=0,
        le=3600,
        title="Round interval",
        description="Least time between the starts of two rounds. With 0, a new round starts whenever "
        "something changes, unless the solver is still busy. Longer intervals place more tasks together and make them "
        "wait.",
        json_schema_extra={"unit": "s"},
    )
    slots: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        title="Slots",
        description="Largest number of tasks that run on a machine at once. If not set, a machine has one slot for "
        "each of the smallest tasks that it can hold. Fewer slots separate tasks and make them wait.",
    )
    solver: Solver = Field(
        "ssp",
        title="Solver",
        description="Algorithm that finds the min-cost flow. All three find the same cost, but take different "
        "simulated times.",
        json_schema_extra=options(
            {
                "ssp": (
                    "Incremental shortest paths",
                    "Shortest augmenting paths from the previous round's flow. Usually takes the least simulated time.",
                ),
                "scaling": (
                    "Incremental cost scaling",
                    "Cost scaling from the previous round's flow, as in Sirius' paper.",
                ),
                "cold": (
                    "From scratch (Google OR-Tools)",
                    "Solves each round without the previous flow. Usually takes the most simulated time.",
                ),
            }
        ),
    )
    solver_time: Literal["modelled", "none"] = Field(
        "modelled",
        title="Solver time",
        description="Simulated time of a round. If rounds take time, tasks wait for them, most in large datacenters.",
        json_schema_extra=options(
            {
                "modelled": (
                    "Modeled",
                    "Incremental solvers take 10 ns for each end of an arc that they visit. From scratch, the time "
                    "grows with the number of arcs (50 ns × arcs × log₂ arcs). Modeled, not measured.",
                ),
                "none": ("None", "Rounds take no simulated time."),
            }
        ),
    )

    soft_utility: float = Field(
        1.0,
        ge=0,
        le=1_000_000,
        title="Value of a soft constraint",
        description="Amount by which each soft constraint that a machine offers lowers the cost of running the task "
        "there. Larger values meet more soft constraints.",
    )

    leave_cost: float | None = Field(
        None,
        ge=0,
        le=1_000_000,
        title="Cost of not placing a task",
        description="Initial cost of leaving a task waiting, above the cost of its cheapest machine. If not set, no "
        "task waits while a slot is free. At lower costs, more tasks wait for a suitable machine.",
    )

    fixed = PaceParams.fixed | {"slots", "preemption", "bandwidth", "strict", "utilities"}


_WORDS = {
    "preemption": (
        "Let a round preempt or move running tasks. With the default costs this never happens. If preemption "
        "costs less "
        "than the difference between places, tasks move closer to their data, lose work and end later."
    ),
    "rack_cost": (
        "Cost of a task in the rack of its data but on another machine; per GB if inputs have sizes. At higher "
        "costs, more tasks run beside their data or wait for that."
    ),
    "core_cost": (
        "Cost of a task outside the racks of its data; per GB if inputs have sizes. At higher costs, more tasks stay "
        "in the racks of their data or wait for that."
    ),
    "wait_cost": ("Cost per second since a job's arrival. Tasks that wait longer go first."),
    "stay_cost": (
        "Cost of preempting or moving a running task, where rounds may do so. At higher costs, fewer tasks are "
        "preempted."
    ),
    "run_cost": (
        "Extra cost of preempting or moving a task for each second that it has run, rounded to powers of two. At "
        "higher costs, tasks that have run for long stay where they are."
    ),
    "priority_cost": (
        "Extra cost of not running a task of the highest priority, compared with priority 0. Without priorities in "
        "the experiment, a queue's share is its priority. At higher costs, high priorities wait less and the others "
        "more. Has no effect if priority is strict."
    ),
    "resource_cost": (
        "Cost of using all of a machine's resources; using a part of them costs proportionally less, by the mean over "
        "the resources. It is weighed against the other costs."
    ),
    "cpu_cost": (
        "Cost of using all CPUs of a machine; using a part of them costs proportionally less. It adds to the cost of "
        "resources in use. At higher costs, tasks go to machines with more free CPUs."
    ),
    "memory_cost": (
        "Cost of using all memory of a machine; using a part of it costs proportionally less. It adds to the cost of "
        "resources in use. At higher costs, tasks go to machines with more free memory."
    ),
    "other_cost": (
        "Cost of using all of each other resource of a machine, such as GPUs or disks; using a part costs "
        "proportionally less. At higher costs, tasks go to machines where more of these resources is free."
    ),
    "strict": (
        "Let a task of higher priority precede any number of others, however small the difference. If off, the "
        "difference of priorities times the cost of priority is weighed against the other costs."
    ),
    "utilities": (
        "List of triples: tasks (a queue, or all), machines (a constraint that they offer, a cluster, a rack) and a "
        "utility, which is subtracted from the cost. At higher utilities, more of these tasks run on these machines."
    ),
    "load_cost": ("Cost of each task that already runs on the machine. It spreads tasks out."),
    "short_cost": (
        "Amount by which each second of a task's duration lowers the cost of not running it. Long "
        "tasks wait, so short tasks go first."
    ),
    "random_cost": ("Largest random cost, drawn for each slot and for not running each task. Placement is random."),
    "interference_cost": (
        "Cost of a task that takes twice as long because of its neighbors; 0 if interference is 0. At higher costs, "
        "tasks avoid machines where others slow them down."
    ),
    "bandwidth_cost": (
        "Cost of using all of a machine's bandwidth; using a part costs proportionally less. At higher costs, tasks "
        "go to machines with free bandwidth."
    ),
    "fair": (
        "Give each job exactly its max-min fair share of the slots. Which slots these are depends on the costs of "
        "places."
    ),
}


def _cost(default: float, title: str, name: str, former: dict[str, Any] | None = None) -> Any:
    least = 0.001 if name == "stay_cost" else 0.0  # if moving cost nothing, tasks could go to and fro for ever
    return Field(default, ge=least, le=1_000_000, title=title, description=_WORDS[name], json_schema_extra=former)


def _utilities() -> Any:
    return Field((), max_length=100, title="Utilities", description=_WORDS["utilities"])


def _flag(default: bool, title: str, name: str) -> Any:
    return Field(default, title=title, description=_WORDS[name])


class QuincyParams(FlowParams):
    """Parameters of Quincy."""

    preemption: bool = _flag(False, "Preemption", "preemption")
    rack_cost: float = _cost(1.0, "Cost within a rack", "rack_cost")
    core_cost: float = _cost(2.0, "Cost between racks", "core_cost")
    wait_cost: float = _cost(0.5, "Cost of waiting", "wait_cost")
    stay_cost: float = _cost(10.0, "Cost of moving", "stay_cost")
    run_cost: float = _cost(1.0, "Extra cost per second run", "run_cost")


class FirmamentParams(FlowParams):
    """Parameters of Firmament."""

    policy: Literal["quincy", "random", "sjf", "load", "coco", "net"] = Field(
        "quincy",
        title="Cost policy",
        description="Rule that sets the costs of the network's arcs.",
        json_schema_extra=options(
            {
                "quincy": ("Quincy", "Data locality and waiting, as in Quincy."),
                "random": ("Random", "Random costs."),
                "sjf": ("Shortest job first", "The task's duration; short tasks go first."),
                "load": ("Octopus (load)", "The number of tasks on the machine."),
                "coco": ("CoCo (interference)", "The slowdown by the machine's other tasks."),
                "net": ("Net-aware", "The share of the machine's bandwidth in use."),
            }
        ),
    )
    rack_cost: float = _cost(1.0, "Cost within a rack", "rack_cost")
    core_cost: float = _cost(2.0, "Cost between racks", "core_cost")
    wait_cost: float = _cost(0.5, "Cost of waiting", "wait_cost")
    random_cost: float = _cost(1.0, "Largest random cost", "random_cost")
    short_cost: float = _cost(1.0, "Cost of long tasks", "short_cost")
    load_cost: float = _cost(1.0, "Cost of each neighbor", "load_cost")
    interference_cost: float = _cost(10.0, "Cost of interference", "interference_cost")
    bandwidth_cost: float = _cost(10.0, "Cost of bandwidth", "bandwidth_cost")
    bandwidth: str = Field(
        "network_gbps",
        min_length=1,
        max_length=64,
        title="Bandwidth resource",
        description="Resource that counts as bandwidth, for the net-aware policy. Machines and tasks declare it among "
        "their resources.",
    )


class FairnessParams(FlowParams):
    """Parameters of Sirius with its policy of fairness."""

    rack_cost: float = _cost(1.0, "Cost within a rack", "rack_cost")
    core_cost: float = _cost(2.0, "Cost between racks", "core_cost")
    wait_cost: float = _cost(0.5, "Cost of waiting", "wait_cost")
    stay_cost: float = _cost(10.0, "Cost of moving", "stay_cost")
    run_cost: float = _cost(1.0, "Extra cost per second run", "run_cost")


class Utility(BaseModel):
    """A triple: what some machines are worth to some tasks."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    queue: str | None = Field(None, max_length=64, description="The tasks of this queue; absent: all tasks.")
    constraint: str | None = Field(
        None, max_length=64, description="Machines that offer this constraint; absent: all machines."
    )
    cluster: str | None = Field(None, max_length=64, description="Machines of this cluster; absent: of any cluster.")
    rack: int | None = Field(
        None,
        ge=0,
        le=10_000_000,
        description="Machines of this rack, counted through the datacenter; absent: of any rack.",
    )
    utility: float = Field(
        ge=0, le=1_000_000, description="Utility of these machines for these tasks. Utilities that apply add up."
    )


class PlacementParams(FlowParams):
    """Parameters of Sirius with its policy of placement."""

    leave_cost: float | None = Field(
        0.5,
        ge=0,
        le=1_000_000,
        title=FlowParams.model_fields["leave_cost"].title,
        description=FlowParams.model_fields["leave_cost"].description,
        json_schema_extra=formerly("0.2.0", None),
    )
    wait_cost: float = _cost(0.02, "Cost of waiting", "wait_cost", formerly("0.2.0", 0.0))
    utilities: tuple[Utility, ...] = _utilities()
    rack_cost: float = _cost(1.0, "Cost within a rack", "rack_cost")
    core_cost: float = _cost(2.0, "Cost between racks", "core_cost")
    load_cost: float = _cost(0.5, "Cost of each neighbor", "load_cost")


class PriorityParams(FlowParams):
    """Parameters of Sirius with its policy of priority."""

    strict: bool = Field(
        True, title="Strict priority", description=_WORDS["strict"], json_schema_extra=formerly("0.2.0", False)
    )
    priority_cost: float = _cost(10_000.0, "Cost of priority", "priority_cost")
    resource_cost: float = _cost(1.0, "Cost of resources in use", "resource_cost", formerly("0.2.0", 0.0))
    cpu_cost: float = _cost(0.0, "Cost of CPUs in use", "cpu_cost")
    memory_cost: float = _cost(0.0, "Cost of memory in use", "memory_cost")
    other_cost: float = _cost(0.0, "Cost of other resources in use", "other_cost")
    load_cost: float = _cost(1.0, "Cost of each neighbor", "load_cost")
    wait_cost: float = _cost(0.001, "Cost of waiting", "wait_cost")
    stay_cost: float = _cost(100.0, "Cost of moving", "stay_cost")


class MixedParams(QuincyParams):
    """Parameters of Sirius with several objectives at once."""

    fair: bool = _flag(False, "Fair shares", "fair")
    priority_cost: float = _cost(0.0, "Cost of priority", "priority_cost")
    resource_cost: float = _cost(0.0, "Cost of resources in use", "resource_cost")
    cpu_cost: float = _cost(0.0, "Cost of CPUs in use", "cpu_cost")
    memory_cost: float = _cost(0.0, "Cost of memory in use", "memory_cost")
    other_cost: float = _cost(0.0, "Cost of other resources in use", "other_cost")
    utilities: tuple[Utility, ...] = _utilities()
    load_cost: float = _cost(0.0, "Cost of each neighbor", "load_cost")
    short_cost: float = _cost(0.0, "Cost of long tasks", "short_cost")


def _load(always: dict[str, Any], counters: tuple[str, ...]) -> Protocol:
    from scheduler_core.schedulers.flow.protocol import FlowProtocol

    return FlowProtocol(always, counters)


_COUNTERS = (
    Counter("rounds", "Rounds", "Times that the solver found a flow."),
    Counter("cold_solves", "Full re-solves", "Rounds that OR-tools solved from scratch."),
    Counter("arcs_changed", "Arcs changed", "Arcs that were added, removed, or got new bounds or costs."),
    Counter("arcs_visited", "Arcs visited", "Arc ends that the solver visited."),
    Counter(
        "misfits", "Failed placements", "Tasks with a slot in the flow on a machine where their demand did not fit."
    ),
    *PACE_COUNTERS,
)
_STOPS = (
    Counter("preemptions", "Preemptions", "Running tasks that were preempted."),
    Counter("migrations", "Migrations", "Preempted tasks with a slot elsewhere in the flow."),
)
_FAIR = (
    Counter(
        "unfair", "Rounds without shares", "Rounds in which no flow met all shares, so that fewer tasks could run."
    ),
)
_SERIES = (
    Series("solver_ms", "Solver time per round", "ms"),
    Series("flow_cost", "Cost of the flow", "1"),
    Series("network_arcs", "Arcs of the network", "arcs"),
    Series("left_waiting", "Tasks left waiting", "tasks"),
)
_QUEUE_NOTE = (
    "Under {label}, a queue's share counts as its priority if priority has a cost and the experiment sets no "
    "priorities."
)
_SHORT = (Series("short_jobs", "Jobs without their share", "jobs"),)
_SUPPORTS = frozenset(
    {"constraints", "interference", "soft_constraints", "machine_faults", "share_changes", "parameter_changes"}
)


def _spec(
    name: str,
    label: str,
    paper: str,
    summary: str,
    params: type[Params],
    *,
    data: bool = True,
    stops: bool = True,
    always: dict[str, Any] | None = None,
    policies: tuple[Policy, ...] = (),
) -> SchedulerSpec:
    fair = "fair" in (always or params.model_fields)
    counters = _COUNTERS + (NEAR_COUNTERS if data else ()) + (_STOPS if stops else ()) + (_FAIR if fair else ())
    return SchedulerSpec(
        name=name,
        signature=SIGNATURES[name],
        label=label,
        family="flow",
        paced=True,
        queue_note=_QUEUE_NOTE if "priority_cost" in params.model_fields else SchedulerSpec.queue_note,
        paper=paper,
        summary=summary,
        params=params,
        supports=_SUPPORTS | ({"priorities"} if "priority_cost" in params.model_fields else set()),
        load=partial(_load, always or {}, tuple(one.name for one in counters)),
        counters=counters,
        layers=(LOAD_LAYER, OUTAGE_LAYER),
        work=Work(
            moves={"misfit": Move("bounce", wrong=True)}, decision="round", at_data="on_data", near_data="in_rack"
        ),
        by_resource=True,
        reasons=(
            *reasons.COMMON,
            *(reasons.OF_SHARES if fair else ()),
            *(reasons.OF_DATA if data else ()),
            *(reasons.OF_PREEMPTION if stops else ()),
        ),
        marks=(*((reasons.PREEMPTION,) if stops else ()), FAULT),
        series=_SERIES + (_SHORT if fair else ()),
        network=True,
        policies=policies,
    )


_SIRIUS = "Sirius"
QUINCY = _spec(
    "quincy",
    "Quincy",
    "Quincy: fair scheduling for distributed computing clusters",
    "Reading data and waiting have costs in one network, and machines have limits. The min-cost flow through it is "
    "the schedule.",
    QuincyParams,
)
FIRMAMENT = _spec(
    "firmament",
    "Firmament",
    "Firmament: fast, centralized cluster scheduling at scale",
    "A min-cost-flow scheduler like Quincy, with a choice of cost policies. Events can change the policy during the "
    "run.",
    FirmamentParams,
    stops=False,
    policies=tuple(
        Policy(name, label, help, {"policy": name})
        for name, label, help in (
            ("quincy", "Data and waiting", "Near the data, and tasks that wait longer go first: Quincy's costs."),
            ("random", "Chance", "The machine of a task, and if it runs at all, is drawn at random."),
            ("sjf", "Short tasks first", "Waiting costs less for tasks that take longer."),
            ("load", "Octopus", "Each further task on a machine costs more."),
            ("coco", "CoCo", "Slowdown of a task by the tasks that run on the machine, if `interference` is above 0."),
            ("net", "Network-aware", "Share of a machine's bandwidth in use."),
        )
    ),
)
FAIRNESS = _spec(
    "sirius-fairness",
    "Sirius, fairness",
    _SIRIUS,
    "A min-cost-flow scheduler like Quincy, in which each job runs exactly its max-min fair share of the slots.",
    FairnessParams,
    always={"fair": True, "preemption": True},
)
PLACEMENT = _spec(
    "sirius-placement",
    "Sirius, placement",
    _SIRIUS,
    "A min-cost-flow scheduler in which each machine has a value for each task. The solver finds the placement with "
    "the greatest total value.",
    PlacementParams,
    stops=False,
)
PRIORITY = _spec(
    "sirius-priority",
    "Sirius, priority",
    _SIRIUS,
    "A min-cost-flow scheduler in which priority outweighs all other costs. Tasks of lower priority are preempted.",
    PriorityParams,
    data=False,
    always={"preemption": True},
)
_NEUTRAL: dict[str, Any] = {
    "fair": False,
    "core_cost": 2.0,
    "rack_cost": 1.0,
    "wait_cost": 0.5,
    "load_cost": 0.0,
    "short_cost": 0.0,
    "priority_cost": 0.0,
    "resource_cost": 0.0,
    "cpu_cost": 0.0,
    "memory_cost": 0.0,
    "other_cost": 0.0,
}
_NO_DATA = {"core_cost": 0.0, "rack_cost": 0.0}
POLICIES = (
    Policy(
        "locality", "Data and waiting", "Near the data, and tasks that wait longer go first: Quincy's costs.", _NEUTRAL
    ),
    Policy("fairness", "Fair shares", "Each job runs exactly its max-min fair share.", _NEUTRAL | {"fair": True}),
    Policy(
        "placement",
        "Spread out",
        "Each further task on a machine costs more.",
        _NEUTRAL | _NO_DATA | {"load_cost": 1.0},
    ),
    Policy(
        "priority",
        "Priority",
        "Queues with larger shares always go first.",
        _NEUTRAL | _NO_DATA | {"priority_cost": 10_000.0, "wait_cost": 0.001},
    ),
    Policy(
        "short",
        "Short tasks first",
        "Waiting costs less for tasks that take longer.",
        _NEUTRAL | _NO_DATA | {"short_cost": 10.0, "wait_cost": 0.0},
    ),
)
MIXED = _spec(
    "sirius-mixed",
    "Sirius, mixed",
    _SIRIUS,
    "All objectives at once. Each has a weight, which events can change during the run.",
    MixedParams,
    policies=POLICIES,
)

__all__ = ["FAIRNESS", "FIRMAMENT", "MIXED", "PLACEMENT", "PRIORITY", "QUINCY"]
