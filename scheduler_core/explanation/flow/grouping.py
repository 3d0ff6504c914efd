"""Group nodes until a picture is readable: tasks by job, machines by rack, then small jobs and distant racks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scheduler_core.explanation.flow.solved import (
    KINDS,
    LAYER_OF,
    MACHINE,
    OTHER,
    RACK,
    SET,
    TASK,
    UNSCHEDULED,
    Ints,
    label,
)

MOST_NODES = 300
_MOST_JOBS, _MOST_RACKS, _MOST_SETS = 100, 38, 10
TASKS, MACHINES = 100 + TASK, 100 + MACHINE
"""Kinds of nodes that stand for several."""

REST = -1
"""Number of what is put together from the small ones."""


@dataclass(frozen=True)
class Groups:
    """Of each row its group, -1 for hidden rows; and of each group its kind, number and how many it holds.

    `told` says in sentences what each group combines.
    """

    of_row: Ints
    kind: Ints
    number: Ints
    members: Ints
    told: tuple[str, ...]

    def layer(self, group: int) -> int:
        """Return a group's layer in the picture."""
        return LAYER_OF[int(self.kind[group]) % 100]

    def id(self, group: int) -> str:
        """Return a name of a group that is the same in every round."""
        kind, number = int(self.kind[group]), int(self.number[group])
        return f"{KINDS[kind % 100]}{'s' if kind >= 100 else ''}:{'rest' if number == REST else number}"

    def label(self, group: int) -> str:
        """Return the name of a group."""
        kind, number, count = int(self.kind[group]), int(self.number[group]), int(self.members[group])
        few = kind % 100
        if number == REST:
            words = {
                TASK: "tasks of other jobs",
                UNSCHEDULED: f"{count:,} other jobs wait",
                SET: f"{count:,} other sets",
                RACK: f"{count:,} other racks",
                MACHINE: "machines of other racks",
            }
            return words.get(few, f"{count:,} other nodes")
        if kind == TASKS:
            return f"job {number:,}: {count:,} task{'s' * (count != 1)}"
        if kind == MACHINES:
            return f"rack {number:,}: {count:,} machine{'s' * (count != 1)}"
        return label(kind, number)


def group(live: Ints, kind: Ints, number: Ints, job_of: Ints, rack_of: Ints, most: int = MOST_NODES) -> Groups:
    """Put nodes together until there are at most `most`; `live` are those that the picture needs, the rest may follow.

    `job_of` is the job of each task, `rack_of` the rack of each machine.
    """
    kind, number, told = kind.copy(), number.copy(), []
    steps = sorted(
        ((TASK, TASKS, job_of, "tasks by their job"), (MACHINE, MACHINES, rack_of, "machines by their rack")),
        key=lambda step: -int((kind[live] == step[0]).sum()),
    )
    for what, made, of, words in steps:
        if _count(kind[live], number[live]) > most and (kind[live] == what).any():
            these = kind == what
            told.append(f"{int((kind[live] == what).sum()):,} {words}")
            kind[these], number[these] = made, of[number[these]]
    if _count(kind[live], number[live]) > most:
        told += _cut(live, kind, number)
    pairs = np.column_stack((kind, number))
    shown, first = np.unique(pairs[live], axis=0, return_inverse=True)
    of_row = np.full(len(kind), -1, np.int64)
    of_row[live] = first.reshape(-1)
    found = {(int(a), int(b)): place for place, (a, b) in enumerate(shown)}
    for row in np.setdiff1d(np.arange(len(kind)), live):
        of_row[row] = found.get((int(kind[row]), int(number[row])), -1)
    return Groups(of_row, shown[:, 0], shown[:, 1], np.bincount(of_row[live], minlength=len(shown)), tuple(told))


def _count(kind: Ints, number: Ints) -> int:
    return len(np.unique(kind * (1 << 40) + number))


def _cut(live: Ints, kind: Ints, number: Ints) -> list[str]:
    """Put all but the largest jobs, racks and sets together, each as one."""
    told = []
    for kinds, by, most, words in (
        ((TASK, TASKS, UNSCHEDULED), TASKS, _MOST_JOBS, "jobs"),
        ((RACK, MACHINES), MACHINES, _MOST_RACKS, "racks"),
        ((SET,), SET, _MOST_SETS, "sets of machines"),
        ((OTHER,), OTHER, _MOST_SETS, "further nodes"),
    ):
        these = live[np.isin(kind[live], kinds)]
        names = np.unique(number[these])
        if len(names) <= most:
            continue
        sizes = [int(((kind[live] == by) & (number[live] == name)).sum()) for name in names]
        kept = names[np.lexsort((names, -np.asarray(sizes)))[:most]]
        small = np.isin(kind, kinds) & ~np.isin(number, kept)
        number[small] = REST
        told.append(f"{len(names) - most:,} of {len(names):,} {words}, those with least, as one")
    return told
