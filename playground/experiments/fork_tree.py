"""The tree of forks around an experiment: its ancestors, its descendants, and what each step changed.

Every change of a control stores an experiment, so most are only steps to another one: the tree counts them.
Experiments of other people are included only if their links were shared: links are unguessable, and a tree must
not hand out new ones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef
from django.db.models.fields.json import KT

from playground.ground.simulator import stored_data
from playground.ground.viewers import Viewer
from playground.models import Experiment, Run, RunState
from scheduler_core.experiment.labels import label_of

_MOST_ANCESTORS = 500
_MOST_FOUND = 2000
MOST_SHOWN = 200
_MOST_CHANGES = 6
_SAME_EVERYWHERE = ("name", "question", "fork_of")
_LONGEST_VALUE = 40


@dataclass(eq=False)
class Node:
    """An experiment in the tree. `steps` counts those left out between it and its parent, `changes` what they did."""

    experiment: Experiment
    mine: bool
    here: bool
    parent: Node | None = None
    steps: int = 0
    changes: list[str] = field(default_factory=list)
    more_changes: int = 0
    children: list[Node] = field(default_factory=list)

    @property
    def at_s(self) -> float | None:
        """Simulated time at which it was forked, None for a fork from the start."""
        fork = self.experiment.data.get("fork_of") or {}
        return fork.get("at_s")


@dataclass(frozen=True)
class Tree:
    """Nodes, parents first; `hidden` counts what others did not share; `cut`: there are more than listed."""

    nodes: list[Node]
    hidden: int
    cut: bool


def tree_of(*, experiment: Experiment, viewer: Viewer) -> Tree:
    found, cut = _related(experiment)
    by_parent: dict[int | None, list[Experiment]] = defaultdict(list)
    ids = {one.pk for one in found}
    for one in found:
        by_parent[one.forked_from_id if one.forked_from_id in ids else None].append(one)
    nodes: list[Node] = []
    hidden = 0
    # (experiment, its nearest ancestor on the page, experiments left out since)
    waiting: list[tuple[Experiment, Node | None, int]] = [(one, None, 0) for one in reversed(by_parent[None])]
    while waiting:
        one, above, skipped = waiting.pop()
        mine, here = viewer.owns(one), one.pk == experiment.pk
        seen = here or ((mine or one.shared_at is not None) and one.deleted_at is None)
        hidden += not seen and one.deleted_at is None
        if seen and (here or _tells(one, by_parent[one.pk])):
            node = Node(one, mine, here, above, skipped)
            nodes.append(node)
            if above is not None:
                above.children.append(node)
            above, skipped = node, 0
        else:
            skipped += 1
        waiting += [(child, above, skipped) for child in reversed(by_parent[one.pk])]
    shown = nodes[:MOST_SHOWN]
    # Experiments may be large: read only those of the page whole.
    whole = Experiment.objects.in_bulk([node.experiment.pk for node in shown])
    for node in shown:
        node.experiment = whole[node.experiment.pk]
    for node in shown:
        node.children = [child for child in node.children if child in shown]
        if node.parent is not None:
            node.changes, node.more_changes = changes_between(
                stored_data(node.parent.experiment), stored_data(node.experiment)
            )
    return Tree(shown, hidden, cut or len(nodes) > len(shown))


def _related(experiment: Experiment) -> tuple[list[Experiment], bool]:
    """Return the experiment's oldest known ancestor with everything made of it, oldest first."""
    root, above, climbed = experiment.pk, experiment.forked_from_id, 0
    while above is not None and climbed < _MOST_ANCESTORS:
        root, climbed = above, climbed + 1
        above = Experiment.objects.values_list("forked_from_id", flat=True).get(pk=root)
    runs = Run.objects.filter(experiment=OuterRef("pk"))
    told = (
        Experiment.objects.defer("data")
        .annotate(
            was_run=Exists(runs),
            was_watched=Exists(runs.exclude(state=RunState.CANCELLED)),
            forked_at=KT("data__fork_of__at_s"),
        )
        .order_by("created_at", "pk")
    )
    found: list[Experiment] = [*told.filter(pk=root)]
    level = [root]
    while level and len(found) < _MOST_FOUND:
        children = list(told.filter(forked_from__in=level)[: _MOST_FOUND - len(found)])
        found += children
        level = [one.pk for one in children]
    if experiment.pk not in {one.pk for one in found}:
        found += list(told.filter(pk=experiment.pk))
    return found, bool(level) or climbed == _MOST_ANCESTORS


def _tells(one: Experiment, children: list[Experiment]) -> bool:
    """Return True if a fork is more than a step: the root, shared, forked at an instant, a branch, or a run end."""
    if one.forked_from_id is None or one.shared_at is not None or getattr(one, "forked_at", None) is not None:
        return True
    dropped = getattr(one, "was_run", False) and not getattr(one, "was_watched", False)
    return len(children) != 1 and not (dropped and not children)


def changes_between(before: dict[str, Any], after: dict[str, Any]) -> tuple[list[str], int]:
    """Name what differs, path by path, some of it; and how many more there are."""
    old, new = dict(_flat(before)), dict(_flat(after))
    paths = [path for path in {**old, **new} if old.get(path) != new.get(path)]
    paths = [path for path in paths if re.split(r"[.[]", path)[0] not in (*_SAME_EVERYWHERE, "events")]
    told = _events_between(before.get("events") or [], after.get("events") or [])
    name = str((after.get("scheduler") or {}).get("name", ""))
    told += [f"{label_of(path, [name]) or path}: {_short(old.get(path))} → {_short(new.get(path))}" for path in paths]
    return told[:_MOST_CHANGES], max(0, len(told) - _MOST_CHANGES)


def _events_between(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[str]:
    """Name each event that came or went by itself: by paths, one that is put first would change them all."""
    came = [_event(event) for event in after if event not in before]
    return came + [f"no longer {_event(event)}" for event in before if event not in after]


def _event(event: dict[str, Any]) -> str:
    """Return time and change in words: "at 5 s set scheduler heartbeat interval 0.5", "at 5 s fail rack 3 for 10 s"."""
    target = {name: which for name, which in event["target"].items() if which is not None and which is not False}
    whom = [name if which is True else f"{name} {which}" for name, which in target.items()]
    values = [f"{_named(name)} {_short(value)}" for name, value in (event.get("value") or {}).items()]
    lasts = [f"for {event['duration_s']:g} s"] if event.get("duration_s") else []
    return " ".join([f"at {event['at_s']:.9g} s", event["kind"], *whom, *values, *lasts])


def _named(parameter: str) -> str:
    label = label_of(f"scheduler.params.{parameter}")
    return label[0].lower() + label[1:] if label else parameter.replace("_", " ")


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        for number, inner in enumerate(value):
            yield from _flat(inner, f"{path}[{number}]")
    else:
        yield path, value


def _short(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


@dataclass(frozen=True)
class Row:
    """A line of the drawing: the node's lane, lanes whose lines pass by, and how its own line comes and goes on."""

    node: Node
    lane: int
    through: tuple[int, ...]
    bends: bool
    above: bool
    below: bool


def rows_of(tree: Tree) -> list[Row]:
    """Draw the tree downwards: a node's last child goes on in its lane, the others bend into the next lane."""
    rows: list[Row] = []

    def place(node: Node, lane: int, passing: frozenset[int], *, bends: bool) -> None:
        above = node.parent is not None and not bends
        rows.append(Row(node, lane, tuple(sorted(passing - {lane})), bends, above, bool(node.children)))
        for child in node.children[:-1]:
            place(child, lane + 1, passing | {lane}, bends=True)
        for child in node.children[-1:]:
            place(child, lane, passing, bends=False)

    for root in _roots(tree.nodes):
        place(root, 0, frozenset(), bends=False)
    return rows


def _roots(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.parent is None]
