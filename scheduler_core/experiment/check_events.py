"""Check events: the part that an event names exists, and the action makes sense for that part."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from scheduler_core.errors import Problem, did_you_mean, listed, shown
from scheduler_core.experiment import derived
from scheduler_core.experiment.problems import from_pydantic
from scheduler_core.experiment.sections import Event, Queue, SchedulerChoice, Topology
from scheduler_core.known import registries
from scheduler_core.limits import Limits

_PLACES = ("machine", "rack", "cluster")
_TARGETS: dict[str, tuple[str, ...]] = {
    "fail": (*_PLACES, "local_master", "global_master"),
    "recover": (*_PLACES, "local_master", "global_master"),
    "drain": _PLACES,
    "stop": ("task",),
    "burst": ("queue",),
    "set": ("queue", "scheduler"),
}
_VALUES: dict[tuple[str, str], dict[str, tuple[float, float]]] = {
    ("burst", "queue"): {"rate_factor": (0.0, 1000.0)},
    ("set", "queue"): {"share": (0.0, 1.0)},
    **{("fail", place): {"every_s": (0.0, 1e9), "repair_s": (0.0, 1e9), "rack_share": (0.0, 1.0)} for place in _PLACES},
}
_MOST_FAILURES = 10_000
"""One event may draw at most about this number of machine failures."""


def check_events(
    limits: Limits, topology: Topology, queues: tuple[Queue, ...], scheduler: SchedulerChoice, events: tuple[Event, ...]
) -> Iterator[Problem]:
    """Check each event's target and values."""
    if (problem := limits.exceeded("events", len(events), "events")) is not None:
        yield problem
        return
    if (
        not events
        or derived.cluster_count(topology) > limits.clusters
        or topology.global_masters > limits.global_masters
    ):
        return
    clusters = list(derived.cluster_names(topology))
    cluster_set = frozenset(clusters)
    names = [queue.name for queue in derived.queues_of(queues, topology)]
    for i, event in enumerate(events):
        path, kind = f"events[{i}]", event.target.kind
        if kind not in _TARGETS[event.kind]:
            yield Problem(f"{path}.target", f"a {kind} is nothing to {event.kind}", listed(_TARGETS[event.kind]))
            continue
        yield from _target(path, event, topology, (clusters, cluster_set, names))
        yield from _duration(path, event)
        yield from _value(path, event, scheduler)
        yield from _rate(path, event, topology)


def _target(
    path: str, event: Event, topology: Topology, known: tuple[list[str], frozenset[str], list[str]]
) -> Iterator[Problem]:
    clusters, cluster_set, queues = known
    target = event.target
    if topology.pooled and target.kind in _PLACES:
        yield Problem(
            f"{path}.target.{target.kind}",
            "a pool has no machines, racks or clusters to fail or drain",
            "a queue, or the scheduler",
            "leave out `topology.pooled`, or this event",
        )
        return
    for key, value, size in (
        ("machine", target.machine, derived.machine_count(topology)),
        ("rack", target.rack, derived.rack_count(topology)),
        ("global_master", target.global_master, topology.global_masters),
    ):
        if value is not None and value >= size:
            yield Problem(f"{path}.target.{key}", f"is {value:,}", f"0 to {size - 1:,}")
    for key, name in (("cluster", target.cluster), ("local_master", target.local_master)):
        if name is not None and name not in cluster_set:
            yield Problem(
                f"{path}.target.{key}",
                f"no cluster is called {shown(name)}{did_you_mean(name, clusters)}",
                listed(clusters, 10),
            )
    if target.queue is not None and target.queue not in queues:
        yield Problem(
            f"{path}.target.queue",
            f"no queue is called {shown(target.queue)}{did_you_mean(target.queue, queues)}",
            listed(queues, 10),
        )


def _duration(path: str, event: Event) -> Iterator[Problem]:
    if event.kind == "recover" and event.duration_s is not None:
        yield Problem(f"{path}.duration_s", "a recovery does not end", "no duration_s with 'recover'", "remove it")
    if event.kind == "stop" and event.duration_s is not None:
        yield Problem(
            f"{path}.duration_s", "a stopped task waits again at once", "no duration_s with 'stop'", "remove it"
        )
    if event.kind == "burst" and event.duration_s is None:
        yield Problem(f"{path}.duration_s", "is missing", "a burst needs an end", "add it")


def _value(path: str, event: Event, scheduler: SchedulerChoice) -> Iterator[Problem]:
    if (event.kind, event.target.kind) == ("set", "scheduler"):
        yield from _params(path, event, scheduler)
        return
    fields = _VALUES.get((event.kind, event.target.kind), {})
    if not fields and event.value:
        yield Problem(f"{path}.value", f"'{event.kind}' takes no value", "none", "remove it")
    for key, value in event.value.items() if fields else ():
        where = f"{path}.value.{key}"
        if key not in fields:
            yield Problem(where, f"cannot be set here{did_you_mean(key, fields)}", listed(fields))
            continue
        low, high = fields[key]
        if isinstance(value, bool | str) or not low < value <= high:
            yield Problem(where, f"is {shown(value)}", f"a number above {low:g} and at most {high:g}")
    if event.kind == "fail":
        if event.value and "every_s" not in event.value:
            yield Problem(
                f"{path}.value.every_s",
                "is missing",
                "the mean time between two failures of one machine",
                "add it, or leave out `value` for one failure",
            )
    elif fields and not event.value:
        yield Problem(f"{path}.value", "is missing", f"an object with {listed(fields)}", "add it")


def _rate(path: str, event: Event, topology: Topology) -> Iterator[Problem]:
    """Let failures at random have an end, and not be more than a run can take."""
    every_s, share = event.value.get("every_s"), event.value.get("rack_share", 0.0)
    if event.kind != "fail" or isinstance(every_s, bool | str) or not every_s or every_s < 0:
        return
    if isinstance(share, bool | str):
        return
    if event.duration_s is None:
        yield Problem(f"{path}.duration_s", "is missing", "failures at random need an end", "add it")
        return
    machines = 1 if event.target.kind == "machine" else derived.machine_count(topology)
    racks = max(derived.rack_count(topology), 1)
    if event.target.kind == "rack":
        machines = -(-machines // racks)
    along = 1 + share * machines / racks
    failures = machines * event.duration_s / every_s * along
    if failures > _MOST_FAILURES:
        yield Problem(
            f"{path}.value.every_s",
            f"makes about {failures:,.0f} failures",
            f"at most {_MOST_FAILURES:,}",
            "let machines fail less often, or for a shorter time",
        )


def _params(path: str, event: Event, scheduler: SchedulerChoice) -> Iterator[Problem]:
    """Let an event set only what the scheduler has, to what it accepts."""
    model = registries().params_of(scheduler.name)
    if model is None:
        return
    if not event.value:
        yield Problem(
            f"{path}.value", "is missing", f"an object with {listed(model.names(scheduler.params))}", "add it"
        )
    valid = model.names(scheduler.params)
    unknown = [key for key in event.value if key not in valid]
    for key in sorted(model.fixed & set(model.model_fields) & set(event.value)):
        yield Problem(f"{path}.value.{key}", "cannot change during a run", f"parameters other than '{key}'")
    for key in unknown:
        yield Problem(
            f"{path}.value.{key}",
            f"is not a parameter of '{scheduler.name}'{did_you_mean(key, valid)}",
            listed(valid),
        )
    changed = {**scheduler.params, **{key: value for key, value in event.value.items() if key not in unknown}}
    _, found = model.completed(changed)
    for problem in found:
        name = problem.path.removeprefix("scheduler.params.")
        if name in event.value:
            yield Problem(f"{path}.value.{name}", problem.message, problem.allowed, problem.remedy)
    try:
        model.model_validate(changed)
    except ValidationError as error:
        touched = [
            problem
            for problem in from_pydantic(error, model, changed, f"{path}.value")
            if problem.path.startswith(tuple(f"{path}.value.{key}" for key in event.value))
        ]
        yield from touched
