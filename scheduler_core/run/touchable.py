"""What a page needs to add failures to a run that it simulates: the start's table of incidents, and how to draw it.

A scheduler packs other arrays for an experiment with failures than for one without, such as lists of the tasks on each
machine. So a touchable start is that of the experiment with one failure more, the placeholder. Its row is then left
out of the table, and a page writes the rows of its own failures (static/js/engine/touch.js) as world.planned does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import HEAP_FULL, LANE_FULL, STATE_FULL
from scheduler_core.engine.incidents import FAIL_MACHINES
from scheduler_core.engine.records import FAILED, Records
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.sections import Event, Target
from scheduler_core.run.buffers import lengthened, lengths
from scheduler_core.run.driver import Simulation
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.world.planned import changed_params
from scheduler_core.world.turning import Turn

PLACEHOLDER = Event(at_s=0, kind="fail", target=Target(machine=0))
_MACHINE = 0


def with_placeholder(experiment: Experiment) -> Experiment:
    """Return the experiment with the placeholder as its last event."""
    return experiment.model_copy(update={"events": (*experiment.events, PLACEHOLDER)})


def turns_of(experiment: Experiment) -> Mapping[str, Turn]:
    """Return the parameters that a page may change by itself, by name.

    There is none if an event changes parameters: its rows hold all of them.
    """
    spec = scheduler_by_name(experiment.scheduler.name)
    turns = getattr(spec.load(), "turns", None)
    if turns is None or changed_params(experiment):
        return {}
    found: Mapping[str, Turn] = turns(spec.params(**experiment.scheduler.params))
    return found


def with_room(experiment: Experiment, turns: Mapping[str, Turn]) -> Experiment:
    """Return the experiment whose arrays have room for all values of these parameters."""
    packed = {_path(name): turn.packed for name, turn in turns.items() if turn.packed is not None}
    return experiment.with_(packed) if packed else experiment


def write_turns(simulation: Simulation, experiment: Experiment, turns: Mapping[str, Turn]) -> None:
    """Write the experiment's own values of these parameters into a prepared run of `with_room`."""
    for name, turn in turns.items():
        turn.write(simulation.world, simulation.state, experiment.scheduler.params[name])


def turn_table(arguments: list[dict[str, Any]], turns: Mapping[str, Turn]) -> list[dict[str, Any]]:
    """Return the header's member `turns`: what a page writes for a value of each parameter."""
    rules = next((each["name"] for each in arguments for array in each["arrays"] if array["name"] == "rules"), "")
    return [turn.told(_path(name), f"{rules}.rules") for name, turn in turns.items()]


def _path(name: str) -> str:
    return f"scheduler.params.{name}"


def make_headroom(simulation: Simulation) -> None:
    """Double the buffers that may become full: a failure makes a run need more room than it needed without."""
    for reason in (HEAP_FULL, LANE_FULL):
        simulation.make_room(reason)
    if several := lengths(simulation):
        simulation.state = lengthened(simulation.state, {name: 2 * length for name, length in several.items()})
    else:
        simulation.make_room(STATE_FULL)


def touch_table(simulation: Simulation, arguments: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the header's member `touch` of a prepared run of an experiment with the placeholder.

    `incidents` has the other rows in order of time as [time in ns, what, first, end, x]; times are texts, because they
    may exceed what a number of JSON holds exactly. Raises ExperimentError where a page cannot count waiting tasks.
    """
    layers = drawn_layers(simulation, arguments)
    cluster = simulation.cluster
    return {
        "incidents": [
            [str(row.time_ns), *(int(row[each]) for each in ("what", "first", "end", "x"))]
            for row in _without_placeholder(simulation.world.incident)
        ],
        "racks": _rack_starts(cluster),
        "clusters": {
            name: [int(cluster.cluster_first[number]), int(cluster.cluster_first[number + 1])]
            for number, name in enumerate(cluster.cluster_names)
        },
        "tasks": len(simulation.world.task),
        "layers": layers,
    }


def drawn_layers(simulation: Simulation, arguments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the layers that a page paints by itself from the arrays of a prepared run, each with how it does so.

    Raises ExperimentError where a page cannot count waiting tasks.
    """
    if simulation.dropped is not None and simulation.dropped.any():
        why = "the scheduler drops tasks that no machine can hold, and only the server tells them from waiting tasks"
        raise ExperimentError([Problem("scheduler", why, remedy="use the menu of a machine: the server simulates")])
    return list(_layers(simulation, arguments))


def _without_placeholder(incidents: Records) -> Records:
    """Return the incidents without the last one that equals the placeholder's; equal ones cannot be told apart."""
    alike = (
        (incidents["time_ns"] == 0)
        & (incidents["what"] == FAIL_MACHINES)
        & (incidents["first"] == _MACHINE)
        & (incidents["end"] == _MACHINE + 1)
        & (incidents["x"] == FAILED)
    )
    found: Records = np.delete(incidents, np.flatnonzero(alike)[-1])
    return found.view(np.recarray)


def _rack_starts(cluster: Cluster) -> list[int]:
    """Return the first machine of each rack, and after the last rack the number of machines."""
    racks = int(cluster.rack_of[-1]) + 1
    return [int(first) for first in np.searchsorted(cluster.rack_of, np.arange(racks + 1))]


def _layers(simulation: Simulation, arguments: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    told = getattr(simulation.protocol, "columns", {})
    given = np.flatnonzero(simulation.world.capacity.sum(axis=0))
    own = len(simulation.spec.layers)
    holder = {array["name"]: each["name"] for each in reversed(arguments) for array in each["arrays"]}
    for number, layer in enumerate(simulation.layers):
        if number >= own:
            yield {"name": layer.name, "by": "resource", "resource": int(given[number - own])}
        elif layer.role in ("load", "service"):
            yield {"name": layer.name, "by": layer.role}
        elif layer.name in told:
            array, _, column = told[layer.name].partition(".")
            by = "category" if layer.kind == "category" else "amount" if layer.unit else "share"
            level = 256 // layer.full if layer.full else 255
            yield {"name": layer.name, "by": by, "array": f"{holder[array]}.{array}", "column": column, "level": level}
