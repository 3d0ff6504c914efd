"""Disruption budgets of an imported Kubernetes cluster: which machines may go off at the same time.

An eviction is refused if a budget that guards the pod has no disruption left, or if several budgets guard it. Pods that
terminate anyway need no budget, and pods of a DaemonSet and static pods are not evicted: they end with their machine.

Source: kubernetes/kubernetes, pkg/registry/core/pod/storage/eviction.go; `kubectl drain --ignore-daemonsets`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.ask.question import Ran
from scheduler_core.ask.reasons import SEVERAL_BUDGETS, budget_reason
from scheduler_core.kube.labels import requirements_of
from scheduler_core.kube.selectors import PodSelectors
from scheduler_core.workload.clusters.standing import Standing

Case = tuple[int, int]
"""A run at an instant, and a budget."""
_SEVERAL = -1


@dataclass(frozen=True)
class Guards:
    """Which budgets guard which tasks.

    `task` and `budget` are int64 (pairs,), ordered by task; a task that several budgets guard has the budget -1.
    """

    names: tuple[str, ...]
    allowed: tuple[int, ...]
    task: NDArray[np.int64]
    budget: NDArray[np.int64]

    def at(self, ran: Sequence[Ran], instants_ns: Iterable[float]) -> Budgets:
        """Return what the machines' tasks take from the budgets at each instant, in any of the runs.

        The runs need their placements. Of a task that moved, they know the last machine.
        """
        taken: dict[int, Counter[Case]] = {}
        several: dict[int, int] = {}
        instants = list(instants_ns)
        for number, one in enumerate(ran):
            machines, end = np.asarray(one.machines)[self.task], np.asarray(one.end_ns)[self.task]
            start, goes_on = end - np.asarray(one.ran_ns)[self.task], np.asarray(one.goes_on)[self.task]
            for at, instant in enumerate(instants):
                here = np.flatnonzero((machines >= 0) & (start <= instant) & ((end > instant) | goes_on))
                rows = zip(machines[here].tolist(), self.budget[here].tolist(), self.task[here].tolist(), strict=True)
                for machine, budget, task in rows:
                    if budget == _SEVERAL:
                        several.setdefault(machine, task)
                    else:
                        taken.setdefault(machine, Counter())[number * len(instants) + at, budget] += 1
        return Budgets(self.names, self.allowed, taken, several)


@dataclass(frozen=True)
class Budgets:
    """Evictions that each machine needs when it goes off, by case; without budgets, every machine may go."""

    names: tuple[str, ...] = ()
    allowed: tuple[int, ...] = ()
    taken: dict[int, Counter[Case]] = field(default_factory=dict)
    several: dict[int, int] = field(default_factory=dict)
    """Machines with a task that several budgets guard, and the first such task."""
    _sums: dict[frozenset[int], Counter[Case]] = field(default_factory=dict, repr=False)

    def together(self, machines: Iterable[int], off: frozenset[int] = frozenset()) -> list[int]:
        """Return those of the machines, in their order, that may go off together and beside `off`."""
        used = self._used(off).copy()
        found = []
        for machine in machines:
            if self._first_broken(machine, used) is None:
                used.update(self.taken.get(machine, {}))
                found.append(machine)
        return found

    def refuses(self, machine: int, off: frozenset[int]) -> str | None:
        """Return why budgets refuse that a machine goes off beside `off`; None if they allow it."""
        if not self.names:
            return None
        used = self._used(off)
        case = self._first_broken(machine, used)
        if case is None:
            return None
        if case[1] == _SEVERAL:
            return SEVERAL_BUDGETS.format(number=f"{self.several[machine]:,}")
        budget = case[1]
        return budget_reason(self.names[budget], self.allowed[budget], self.taken[machine][case], used[case])

    def _used(self, off: frozenset[int]) -> Counter[Case]:
        """Return what some machines take together; the last sum is kept."""
        if off not in self._sums:
            used: Counter[Case] = Counter()
            for machine in off:
                used.update(self.taken.get(machine, {}))
            self._sums.clear()
            self._sums[off] = used
        return self._sums[off]

    def _first_broken(self, machine: int, used: Counter[Case]) -> Case | None:
        if machine in self.several:
            return 0, _SEVERAL
        needed = self.taken.get(machine)
        if needed is None:
            return None
        return next((case for case, pods in needed.items() if used[case] + pods > self.allowed[case[1]]), None)


def guards_of(standing: Standing | None) -> Guards | None:
    """Return which budgets guard the tasks of an imported cluster; None without budgets."""
    content = None if standing is None else standing.content
    if standing is None or content is None:
        return None
    budgets = content.further("PodDisruptionBudget")
    if not budgets:
        return None
    table = content.tasks.take(standing.row)
    pods, look = _groups(table.column("queue").to_pylist(), table.column("labels").to_pylist())
    evicted = ~(table.column("terminating").to_numpy(zero_copy_only=False) | standing.bound())
    rows = [np.flatnonzero(_guarded(pods, each)[look] & evicted) for each in budgets]
    count = np.bincount(np.concatenate(rows), minlength=len(look))
    pairs = {(int(task), number if count[task] == 1 else _SEVERAL) for number, own in enumerate(rows) for task in own}
    task, budget = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    allowed = tuple(int((each.get("status") or {}).get("disruptionsAllowed", 0)) for each in budgets)
    return Guards(tuple(str(each["name"]) for each in budgets), allowed, task, budget)


def _groups(spaces: list[str], labels: list[Any]) -> tuple[PodSelectors, NDArray[np.int64]]:
    """Return the groups of pods with the same namespace and labels, and the group of each pod."""
    known: dict[tuple[Any, ...], int] = {}
    look = [known.setdefault((space, *own), len(known)) for space, own in zip(spaces, labels, strict=True)]
    pods = PodSelectors([{"namespace": space, "labels": dict(own)} for space, *own in known], {})
    return pods, np.array(pods.group_of, np.int64)[np.array(look, np.int64)]


def _guarded(pods: PodSelectors, budget: dict[str, Any]) -> NDArray[np.bool_]:
    """Return which groups a budget guards: for evictions, an empty selector guards all pods of its namespace."""
    needed = requirements_of((budget.get("spec") or {}).get("selector"))
    return pods.matches[pods.number(frozenset([budget["namespace"]]), needed)]
