"""List small changes of an experiment that may start a task earlier: one change at a time, the smallest first."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic.fields import FieldInfo

from scheduler_core.experiment import effective_queues
from scheduler_core.experiment.options import option_label
from scheduler_core.experiment.sections import Target
from scheduler_core.experiment.workloads import InlineWorkload
from scheduler_core.run.names import cluster_name, queue_name
from scheduler_core.run.telling import amount_words, instant
from scheduler_core.workload.synthetic.held import held_arrivals

if TYPE_CHECKING:
    from scheduler_core.run.driver import Simulation

Kind = Literal["constraint", "machine", "event", "share", "parameter"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_MORE_MACHINES = (1, 2, 4, 8, 16, 32)
_MORE_SHARE = (0.01, 0.02, 0.05, 0.1, 0.2)
_FACTORS = (0.5, 2.0, 0.1, 10.0)
_MOST_EVENTS = 3


@dataclass(frozen=True)
class Candidate:
    """One change: its description, and the experiment with it.

    `spared` is (task, mask of constraints that it no longer asks for), which no experiment can say about one task;
    `data` is then the unchanged experiment.
    """

    kind: Kind
    text: str
    data: dict[str, Any]
    spared: tuple[int, int] | None = None


def candidates(simulation: Simulation, task: int, until_s: float, edits: list[str]) -> Iterator[Candidate]:
    """Yield changes, alternating between kinds, each kind's smallest first; `edits` are paths that decisions name."""
    ways = [
        _constraints(simulation, task), _machines(simulation, task), _events(simulation, until_s),
        _shares(simulation, task), _parameters(simulation, edits),
    ]  # fmt: skip
    while ways:
        for way in list(ways):
            if (found := next(way, None)) is None:
                ways.remove(way)
            else:
                yield found


def _constraints(simulation: Simulation, task: int) -> Iterator[Candidate]:
    asks = int(simulation.world.asks[simulation.world.task[task].demand])
    names = simulation.names.constraints
    experiment = simulation.experiment
    for number in range(asks.bit_length()):
        if not asks >> number & 1:
            continue
        data = experiment.to_dict()
        if isinstance(experiment.workload, InlineWorkload) and _spare_job(simulation, data, task, names[number]):
            yield Candidate("constraint", f"If its job did not need {names[number]}", data)
        else:
            yield Candidate("constraint", f"If the task did not need {names[number]}", data, (task, 1 << number))


def _spare_job(simulation: Simulation, data: dict[str, Any], task: int, name: str) -> bool:
    """Take a constraint from the inline job of the task; False where it is not plain which one that is."""
    jobs = data["workload"]["jobs"]
    arrivals = [job["arrival_s"] for job in jobs]
    number = int(simulation.world.task[task].job)
    if arrivals != sorted(arrivals) or len(jobs) != len(simulation.world.job) or "stages" in jobs[number]:
        return False
    asked = [one for one in jobs[number].get("constraints") or [] if one != name]
    if len(asked) == len(jobs[number].get("constraints") or []):
        return False
    jobs[number]["constraints"] = asked
    return True


def _machines(simulation: Simulation, task: int) -> Iterator[Candidate]:
    """Yield candidates with more machines of the smallest shape that holds the task, in the last such cluster."""
    shape = _shape_for(simulation, task)
    if shape is None or simulation.experiment.topology.pooled:
        return
    for count in _MORE_MACHINES:
        if count > 1 and count > simulation.cluster.machines // 2:
            return
        data = simulation.experiment.to_dict()
        cluster = _cluster_alone(data["topology"]["clusters"], shape[0])
        group = copy.deepcopy(cluster["machines"][shape[1]]) | {"count": count}
        if wanted := _drawn_names(simulation, task):
            group["constraint_shares"] = dict(group.get("constraint_shares") or {}) | dict.fromkeys(wanted, 1.0)
        cluster["machines"] = [*cluster["machines"], group]
        _keep_arrivals(simulation, data)
        parts = [amount_words(key, group[key]) for key in ("cpus", "gpus") if group.get(key)]
        parts += [f"{group['memory_gb']:g} GB"] if group.get("memory_gb") else []
        more = "one machine" if count == 1 else f"{count} machines"
        each = "" if count == 1 else " each"
        where = cluster_name(cluster["name"])
        yield Candidate("machine", f"With {more} more in {where} ({', '.join(parts)}{each})", data)


def _keep_arrivals(simulation: Simulation, data: dict[str, Any]) -> None:
    """Replace an offered load by jobs per second: on more machines the same load would mean more jobs."""
    held = held_arrivals(simulation.experiment, simulation.cluster)
    if held is not None:
        data["workload"]["arrivals"] |= held


def _cluster_alone(clusters: list[dict[str, Any]], at: int) -> dict[str, Any]:
    """Return the cluster at a place; of several alike ones the last, as an entry of its own of the same name."""
    cluster = clusters[at]
    repeat = cluster.get("repeat")
    if repeat is None:
        return cluster
    last = copy.deepcopy(cluster) | {"name": f"{cluster['name']}-{repeat - 1}"}
    last.pop("repeat")
    clusters[at : at + 1] = ([cluster | {"repeat": repeat - 1}] if repeat > 1 else []) + [last]
    return last


def _drawn_names(simulation: Simulation, task: int) -> list[str]:
    """Return the constraints that the task asks for, but for those that attributes decide: a like machine has these."""
    asks = int(simulation.world.asks[simulation.world.task[task].demand])
    constraints = simulation.experiment.constraints
    decided = {one.name for one in (constraints.custom if constraints else ()) if one.attribute is not None}
    asked = [name for number, name in enumerate(simulation.names.constraints) if asks >> number & 1]
    return [name for name in asked if name not in decided]


def _shape_for(simulation: Simulation, task: int) -> tuple[int, int] | None:
    """Return (cluster, group) of the smallest machines that hold the task, the last of equal ones."""
    world = simulation.world
    demand = dict(zip(simulation.cluster.names, world.demand[world.task[task].demand] / 1000, strict=True))
    best: tuple[float, int, int] | None = None
    for at, cluster in enumerate(simulation.experiment.topology.clusters):
        for number, group in enumerate(cluster.machines):
            has = {"cpus": group.cpus, "memory_gb": group.memory_gb, "gpus": group.gpus, **group.resources}
            if any(has.get(name, 0.0) < amount for name, amount in demand.items()):
                continue
            size = sum(amount for name, amount in has.items() if demand.get(name))
            if best is None or size <= best[0]:
                best = (size, at, number)
    return None if best is None else best[1:]


def _events(simulation: Simulation, until_s: float) -> Iterator[Candidate]:
    """Yield candidates without one of the last faults, drains, bursts or changes until then."""
    events = simulation.experiment.events
    past = [number for number, event in enumerate(events) if event.at_s <= until_s and event.kind != "recover"]
    for number in past[: -_MOST_EVENTS - 1 : -1]:
        event = events[number]
        data = simulation.experiment.to_dict()
        del data["events"][number]
        words = {
            "fail": "the failure",
            "drain": "the drain",
            "stop": "the stop",
            "burst": "the burst",
            "set": "the change",
        }
        text = f"Without {words[event.kind]} of {_target_name(event.target)} at {instant(event.at_s)}"
        yield Candidate("event", text, data)


def _target_name(target: Target) -> str:
    """Return the target of an event as pages write it."""
    match target.kind:
        case "cluster":
            name = cluster_name(str(target.cluster))
            return name if name != target.cluster else f"cluster {name}"
        case "local_master":
            return f"the Local Master of {cluster_name(str(target.local_master))}"
        case "queue":
            return queue_name(str(target.queue))
        case "global_master":
            return f"Master {target.global_master}"
        case "scheduler":
            return "the scheduler"
        case kind:
            return f"{kind} {getattr(target, kind):,}"


def _shares(simulation: Simulation, task: int) -> Iterator[Candidate]:
    """Yield candidates with a larger share for the task's queue, taken from all others in proportion."""
    queues = [queue.model_dump(mode="json") for queue in effective_queues(simulation.experiment)]
    own = int(simulation.world.job[simulation.world.task[task].job].queue)
    if len(queues) < 2:
        return
    share, total = queues[own]["share"], sum(queue["share"] for queue in queues)
    for more in _MORE_SHARE:
        if share + more >= total:
            return
        data = simulation.experiment.to_dict()
        factor = (total - share - more) / (total - share)
        data["queues"] = [
            queue | {"share": share + more if number == own else queue["share"] * factor}
            for number, queue in enumerate(queues)
        ]
        shares = f"{(share + more) * 100:.3g} % instead of {share * 100:.3g} %"
        text = f"With a share of {shares} for {queue_name(queues[own]['name'])}"
        yield Candidate("share", text, data)


def _parameters(simulation: Simulation, edits: list[str]) -> Iterator[Candidate]:
    """Yield the parameters that its decisions name: the other choice, half and double, a tenth and ten times."""
    params = simulation.experiment.scheduler.params
    names = [path.removeprefix("scheduler.params.") for path in edits if path.startswith("scheduler.params.")]
    fields = simulation.spec.params.model_fields
    for name in dict.fromkeys(names):
        field, value = fields.get(name), params.get(name)
        if field is None or value is None or name == "profile":
            continue
        title = f'"{field.title or name}"'
        for other in _others(field.annotation, value):
            data = simulation.experiment.to_dict()
            data["scheduler"]["params"] = {**data["scheduler"]["params"], name: other}
            yield Candidate("parameter", f"With {title} {_told(field, other)} instead of {_told(field, value)}", data)


def _told(field: FieldInfo, value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    extra = field.json_schema_extra
    unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
    return (
        f"{value:g} {unit}".strip()
        if isinstance(value, int | float)
        else option_label(extra if isinstance(extra, dict) else {}, value)
    )


def _others(annotation: Any, value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str):
        return [one for one in get_args(annotation) if one != value][:3]
    if isinstance(value, int):
        return [other for other in (value - 1, value + 1, value * 2) if other >= 0]
    return [value * factor for factor in _FACTORS] if value else []
