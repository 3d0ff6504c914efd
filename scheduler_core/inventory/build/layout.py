"""Lay out the machines of an inventory: clusters, in each of them groups of alike machines, and places in a group."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler_core.inventory.found import Inventory, Machine

_MOST_CLUSTERS = 64
_MOST_GROUPS = 10_000
_MOST_RESOURCES = 12
_BASE = ("cpus", "memory_gb")


@dataclass
class Layout:
    """`clusters`: (name, [(capacity, count), ...]); `machines`: (machine, cluster, kind, place), in their order."""

    clusters: list[tuple[str, list[tuple[dict[str, int], int]]]]
    machines: list[tuple[Machine, int, int, int]]


def lay_out(found: Inventory) -> Layout:
    """Return the layout; alike machines are next to each other, and otherwise keep their order."""
    resources = _resources(found)
    names = list(dict.fromkeys(machine.cluster for machine in found.machines))
    if len(names) > _MOST_CLUSTERS:
        found.notes.append(f"{len(names):,} zones are more than {_MOST_CLUSTERS}; all machines are in one cluster.")
        names = ["cluster"]
    layout = Layout([], [])
    for number, name in enumerate(names):
        kinds: dict[tuple[tuple[str, int], ...], list[Machine]] = {}
        for machine in found.machines:
            if len(names) == 1 or machine.cluster == name:
                kept = {key: machine.capacity.get(key, 0) for key in resources if machine.capacity.get(key)}
                kinds.setdefault(tuple(sorted(kept.items())), []).append(machine)
        if len(kinds) > _MOST_GROUPS:
            kinds = _coarser(kinds)
        layout.clusters.append((name, [(dict(kind), len(alike)) for kind, alike in kinds.items()]))
        for kind, alike in enumerate(kinds.values()):
            layout.machines += [(machine, number, kind, place) for place, machine in enumerate(alike)]
    return layout


def _coarser(
    kinds: dict[tuple[tuple[str, int], ...], list[Machine]],
) -> dict[tuple[tuple[str, int], ...], list[Machine]]:
    """Put machines together whose memory is alike to a GB, rounded down."""
    found: dict[tuple[tuple[str, int], ...], list[Machine]] = {}
    for kind, alike in kinds.items():
        rounded = tuple((name, amount // 1000 * 1000 if name == "memory_gb" else amount) for name, amount in kind)
        found.setdefault(rounded, []).extend(alike)
    return found


def _resources(found: Inventory) -> set[str]:
    """Return the resources that every scheduler sees: CPUs, memory, GPUs, and the others that tasks ask for most."""
    counts: dict[str, int] = {}
    for spec in found.specs:
        for name, amount in spec.demand.items():
            if name not in _BASE and amount:
                counts[name] = counts.get(name, 0) + 1
    most = sorted(counts, key=lambda name: (-counts[name], name))
    for name in most[_MOST_RESOURCES:]:
        found.unknown.count(f"resource {name}: beyond the {_MOST_RESOURCES} that are kept")
    kept = {*_BASE, *most[:_MOST_RESOURCES]}
    offered = {name for machine in found.machines for name in machine.capacity}
    for name in sorted(kept - offered - set(_BASE)):
        found.unknown.count(f"resource {name}: no machine has it")
    for spec in found.specs:
        spec.demand = {
            name: amount for name, amount in spec.demand.items() if name in kept and (name in offered or name in _BASE)
        }
    return kept & (offered | set(_BASE))
