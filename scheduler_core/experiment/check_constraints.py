"""Check constraints by name: shares, correlations, requested constraints, soft constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.errors import Problem, did_you_mean, listed, shown
from scheduler_core.experiment import catalogues
from scheduler_core.experiment.constraints import Constraints
from scheduler_core.experiment.sections import ClusterGroup, Topology

MOST_PROBLEMS = 50


def shares_path(i: int, group: ClusterGroup) -> str | None:
    """Return the path of the first `constraint_shares` of a group of clusters."""
    if group.constraint_shares is not None:
        return f"topology.clusters[{i}].constraint_shares"
    places = (j for j, kind in enumerate(group.machines) if kind.constraint_shares is not None)
    return next((f"topology.clusters[{i}].machines[{j}].constraint_shares" for j in places), None)


def check_constraint_names(topology: Topology, constraints: Constraints) -> Iterator[Problem]:
    """Let everything that names a constraint name one of the catalogue."""
    known = catalogues.constraint_names(constraints)
    names = frozenset(known)
    found = 0
    for path, name in (*_in_topology(topology), *_in_constraints(constraints)):
        if name not in names:
            found += 1
            if found > MOST_PROBLEMS:
                yield Problem("constraints", f"has more problems than the {MOST_PROBLEMS} above")
                return
            yield Problem(path, f"no constraint is called {shown(name)}{did_you_mean(name, known)}", listed(known))
    yield from _pairs(constraints)
    yield from _compared(topology, constraints)
    yield from _decided_by_attribute(topology, constraints)


def _decided_by_attribute(topology: Topology, constraints: Constraints) -> Iterator[Problem]:
    compared = {custom.name for custom in constraints.custom if custom.attribute is not None}
    for path, name in _in_topology(topology) if compared else ():
        if name in compared:
            yield Problem(
                path,
                f"gives a share to {name}, which an attribute of the machines decides",
                "shares of other constraints",
                "set the machines' `attributes` instead",
            )


def _in_topology(topology: Topology) -> Iterator[tuple[str, str]]:
    for i, group in enumerate(topology.clusters):
        for name in group.constraint_shares or ():
            yield f"topology.clusters[{i}].constraint_shares", name
        for j, kind in enumerate(group.machines):
            for name in kind.constraint_shares or ():
                yield f"topology.clusters[{i}].machines[{j}].constraint_shares", name


def _in_constraints(constraints: Constraints) -> Iterator[tuple[str, str]]:
    for i, pair in enumerate(constraints.correlated or ()):
        yield f"constraints.correlated[{i}].first", pair.first
        yield f"constraints.correlated[{i}].second", pair.second
    for i, soft in enumerate(constraints.soft or ()):
        yield f"constraints.soft[{i}].name", soft.name
    if (asks := constraints.asks) is not None:
        yield from _named("constraints.asks.probabilities", asks.probabilities)
        for i, one in enumerate(asks.classes):
            yield from _named(f"constraints.asks.classes[{i}].probabilities", one.probabilities or {})


def _named(path: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((path, name) for name in names)


def _pairs(constraints: Constraints) -> Iterator[Problem]:
    seen: set[frozenset[str]] = set()
    for i, pair in enumerate(constraints.correlated or ()):
        both = frozenset((pair.first, pair.second))
        if len(both) == 1 or both in seen:
            what = "names one constraint twice" if len(both) == 1 else "names a pair that was named before"
            yield Problem(f"constraints.correlated[{i}]", what, "each pair of two different constraints once")
        seen.add(both)
    if not (
        constraints.asks is None
        or constraints.asks.per_task
        or any(constraints.asks.probabilities.values())
        or any(one.probabilities for one in constraints.asks.classes)
    ):
        yield Problem(
            "constraints.asks",
            "gives no constraint a probability, so that no task asks for anything",
            "at least one probability above 0",
            "name constraints in `probabilities`, or leave `asks` out",
        )


def _compared(topology: Topology, constraints: Constraints) -> Iterator[Problem]:
    """Let comparisons be about an attribute that some machine has, of a kind that compares with the value."""
    values: dict[str, list[str | float | bool]] = {}
    for group in topology.clusters:
        for kind in group.machines:
            for attribute, value in kind.attributes.items():
                values.setdefault(attribute, []).append(value)
    for i, custom in enumerate(constraints.custom):
        if custom.attribute is None:
            continue
        path = f"constraints.custom[{i}]"
        if custom.attribute not in values:
            yield Problem(
                f"{path}.attribute",
                f"no machine has an attribute {shown(custom.attribute)}{did_you_mean(custom.attribute, list(values))}",
                listed(sorted(values)),
                "add it to the `attributes` of a machine group",
            )
        elif not any(_alike(one, custom.value) for one in values[custom.attribute]):
            example = values[custom.attribute][0]
            yield Problem(
                f"{path}.value",
                f"is {shown(custom.value)}, and the machines' {custom.attribute} is of "
                f"another kind, such as {shown(example)}",
                "a value of the same kind",
            )


def _alike(one: object, other: object) -> bool:
    numbers = [isinstance(value, int | float) and not isinstance(value, bool) for value in (one, other)]
    return all(numbers) or (not any(numbers) and type(one) is type(other))
