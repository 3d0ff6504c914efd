"""The values that a policy's expressions compute, as a graph in which each value stands once.

What a value depends on is noted with it, so that the kernel computes what does not depend on the machine once a
decision, and keeps what depends only on the machine and the kind of task.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scheduler_core.policy.words import Word

# What a value depends on.
DEMAND, PRIORITY, JOB, QUEUE, TASK, MACHINE, OTHERS, STATE, NOW, VICTIM, FOLDED = (1 << bit for bit in range(11))
"""OTHERS: machines besides the one looked at. STATE: what jobs, queues or the cluster hold, which a start changes."""

# What the kernel does. The first argument of CONST, WORD, EACH and RANDOM is a number; all others are values.
(
    CONST, WORD, EACH, RANDOM, FOLD, ADD, SUB, MUL, DIV, FLOORDIV, MOD, POW, NEG, NOT, AND, OR, LT, LE, EQ, NE, SELECT,
    MIN, MAX, ABS, SQRT, LOG, EXP, FLOOR, CEIL,
) = range(29)  # fmt: skip
COUNT, SUM, MEAN, LEAST, MOST = range(5)
"""Kinds of folds."""
RACK, CLUSTER = range(2)
"""What a fold goes over."""

_BY_NAME = {
    "task": {
        "cpus": DEMAND, "memory_gb": DEMAND, "gpus": DEMAND, "dominant_share": DEMAND, "constraints": DEMAND,
        "priority": PRIORITY, "number": TASK, "arrival_s": JOB, "estimate_s": JOB, "duration_s": TASK,
        "wait_s": JOB | NOW, "over_share": QUEUE | STATE, "preemptions": TASK | STATE,
    },
    "machine": {
        "left_mean": DEMAND | MACHINE, "left_least": DEMAND | MACHINE, "left_spread": DEMAND | MACHINE,
        "alignment": DEMAND | MACHINE, "same_job": JOB | STATE | MACHINE, "has_data": TASK | MACHINE,
    },
    "rack": {"tasks": MACHINE | OTHERS, "has_data": TASK | MACHINE},
}  # fmt: skip
_BY_OBJECT = {
    "job": JOB, "queue": QUEUE, "machine": MACHINE, "rack": MACHINE, "cluster": 0, "victim": VICTIM | MACHINE,
    "now": NOW,
}  # fmt: skip


def needs_of(word: Word) -> int:
    """Return what a word depends on."""
    known = _BY_NAME.get(word.of, {}).get(word.name)
    if known is not None:
        return known
    state = STATE if not word.fixed and word.of in ("job", "queue", "cluster") else 0
    return _BY_OBJECT[word.of] | state


@dataclass(frozen=True)
class Node:
    """A value: its operation, its arguments as numbers, what it depends on, and its fold (-1 outside of folds)."""

    op: int
    arguments: tuple[int, ...]
    needs: int
    fold: int = -1


@dataclass
class Graph:
    """The values of one hook, each after those that it is computed from."""

    nodes: list[Node] = field(default_factory=list)
    _known: dict[tuple[int, tuple[int, ...], int], int] = field(default_factory=dict)

    def add(self, op: int, arguments: tuple[int, ...], needs: int = 0, fold: int = -1) -> int:
        """Return the number of a value, which is new only if no equal one is there."""
        key = (op, arguments, fold)
        if key not in self._known:
            self._known[key] = len(self.nodes)
            self.nodes.append(Node(op, arguments, needs, fold))
        return self._known[key]

    def of(self, op: int, *arguments: int) -> int:
        """Return an operation on values: it depends on what they do and stands in their fold."""
        needs, fold = 0, -1
        for number in arguments:
            needs |= self.nodes[number].needs
            if self.nodes[number].needs & FOLDED:
                fold = max(fold, self.nodes[number].fold)
        return self.add(op, arguments, needs, fold)
