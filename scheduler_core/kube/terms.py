"""The counters of a model, and what pods add to them and read from them: affinity between pods, and spreading."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from scheduler_core.engine.records import NOBODY, Records, records
from scheduler_core.kube.labels import Flags, LabelTable
from scheduler_core.kube.model import CONSTRAINT, COUNTER, READING, UPDATE
from scheduler_core.kube.placement import Shapes
from scheduler_core.kube.ports import Ports
from scheduler_core.kube.selectors import PodSelectors
from scheduler_core.kube.spec import HOST_KEY, Cluster, Fields, Profile

_ITSELF = "\0node"
"""A topology key of which every node is a domain of its own."""
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_NEEDS, _AVOIDS, _LIKES, _DISLIKES = range(4)
"""Kinds of terms whose owners are counted."""

CounterKey = tuple[int, int, int, int]
"""Kind of owned term, or NOBODY for pods that match; selector, topology key, eligible nodes."""


class Terms:
    """Counters, readings, spread constraints, ports and budgets. Reading the pods fills their columns of CLASS."""

    def __init__(self, cluster: Cluster, profile: Profile, table: LabelTable, rows: Records, shapes: Shapes) -> None:
        self._pods, self._profile, self._table, self._shapes = cluster.pods, profile, table, shapes
        self._selectors = PodSelectors(cluster.pods, cluster.namespaces)
        self._keys: dict[str, int] = {}
        self._eligible: dict[str, int] = {}
        self._eligible_rows: list[Flags] = []
        self._counters: dict[CounterKey, int] = {}
        self._live: set[int] = set()
        self._readings: list[tuple[int, int]] = []
        self._constraints: list[tuple[int, ...]] = []
        self._guarded: list[int] = []
        self._owned: list[list[tuple[int, int]]] = []
        self._ports = Ports(cluster, rows)
        for number, (row, pod) in enumerate(zip(rows, cluster.pods, strict=False)):
            row.group = self._selectors.group_of[number]
            self._read_affinity(row, pod)
            self._read_spread(row, pod)
        budgets = [(each, self._selectors.of_budget(each)) for each in cluster.budgets]
        self._theirs(rows)
        for row, pod in zip(rows, cluster.pods, strict=False):
            self._read_budgets(row, pod, budgets)
        self._updates = self._all_updates(rows)

    def arrays(self) -> dict[str, Any]:
        """Return the model's arrays by their names."""
        nodes = self._table.size
        domain = np.full((max(len(self._keys), 1), nodes), NOBODY, np.int32)
        for key, number in self._keys.items():
            domain[number] = np.arange(nodes) if key == _ITSELF else self._table.column(key)[0]
        eligible = np.array(self._eligible_rows or np.zeros((1, nodes)), np.uint8)
        counter, counted = self._counter_rows(domain, eligible)
        most = len(self._constraints)
        return {
            "domain": domain, "eligible": eligible, "counter": counter, "counted": counted,
            "tally": np.zeros(len(counted), np.int32), "update": _rows(self._updates, UPDATE),
            "reading": _rows(self._readings, READING), "spread": _rows(self._constraints, CONSTRAINT),
            **self._ports.arrays(nodes), "guarded": np.array(self._guarded or [0], np.int32),
            "low": np.zeros(max(most, 1), np.int64), "log_weight": np.zeros(max(most, 1)),
            "seen": np.zeros(max(int(domain.max(initial=0)) + 1, 1), np.int32),
        }  # fmt: skip

    # -- counters ------------------------------------------------------------------------------------------------------

    def _key(self, name: str) -> int:
        return self._keys.setdefault(name, len(self._keys))

    def _counter(self, kind: int, selector: int, key: str, eligible: int = NOBODY) -> int:
        return self._counters.setdefault((kind, selector, self._key(key), eligible), len(self._counters))

    def _counter_rows(self, domain: Any, eligible: Any) -> tuple[Records, Any]:
        rows, first, counted = records(max(len(self._counters), 1), COUNTER), 0, []
        rows["eligible"] = NOBODY
        for (_, _, key, which), number in self._counters.items():
            domains = int(domain[key].max(initial=NOBODY)) + 1
            row = rows[number]
            row.first, row.key, row.domains, row.eligible = first, key, domains, which
            flags = np.zeros(max(domains, 1), np.uint8)
            there = domain[key] >= 0 if which == NOBODY else (domain[key] >= 0) & (eligible[which] == 1)
            flags[domain[key][there]] = 1
            row.present = int(flags.sum())
            counted.append(flags)
            first += len(flags)
        return rows, np.concatenate(counted) if counted else np.zeros(1, np.uint8)

    # -- affinity between pods -----------------------------------------------------------------------------------------

    def _read_affinity(self, row: Any, pod: Fields) -> None:
        affinity = pod.get("affinity") or {}
        near, apart = affinity.get("podAffinity") or {}, affinity.get("podAntiAffinity") or {}
        owned: list[tuple[int, int]] = []
        needs = [(self._selectors.of_term(term, pod), term["topologyKey"]) for term in near.get(_REQUIRED) or ()]
        avoids = [(self._selectors.of_term(term, pod), term["topologyKey"]) for term in apart.get(_REQUIRED) or ()]
        if needs:
            both = self._selectors.all_of([selector for selector, _ in needs])
            row.matches_itself = self._selectors.matches[both][row.group]
            row.first_need, row.end_need = self._reads((self._counter(NOBODY, both, key), 1) for _, key in needs)
        row.first_avoid, row.end_avoid = self._reads((self._counter(NOBODY, *each), 1) for each in avoids)
        owned += [(self._counter(_NEEDS, *each), 1) for each in needs]
        owned += [(self._counter(_AVOIDS, *each), 1) for each in avoids]
        own = []
        for terms, kind, sign in ((near, _LIKES, 1), (apart, _DISLIKES, -1)):
            for each in terms.get(_PREFERRED) or ():
                term, weight = each["podAffinityTerm"], int(each["weight"])
                selector, key = self._selectors.of_term(term, pod), term["topologyKey"]
                own.append((self._counter(NOBODY, selector, key), sign * weight))
                owned.append((self._counter(kind, selector, key), weight))
        row.prefers_pods = bool(own)
        row.first_own, row.end_own = self._reads(own)
        self._owned.append(owned)

    def _theirs(self, rows: Records) -> None:
        """Let each class read the counters of owned terms whose selector matches it."""
        lists: dict[int, list[list[tuple[int, int]]]] = {
            kind: [[] for _ in range(self._selectors.size)] for kind in range(4)
        }
        for (kind, selector, _, _), number in self._counters.items():
            if kind != NOBODY:
                sign = -1 if kind == _DISLIKES else 1
                for group in np.flatnonzero(self._selectors.matches[selector]).tolist():
                    lists[_LIKES if kind == _DISLIKES else kind][group].append((number, sign))
        ranges = {kind: [self._reads(each) for each in of_group] for kind, of_group in lists.items()}
        for row, _ in zip(rows, self._pods, strict=False):
            row.first_theirs, row.end_theirs = ranges[_AVOIDS][row.group]
            row.first_liked, row.end_liked = ranges[_LIKES][row.group]
            row.first_hard, row.end_hard = ranges[_NEEDS][row.group]

    def _reads(self, pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
        first = len(self._readings)
        self._readings += pairs
        return first, len(self._readings)

    def _all_updates(self, rows: Records) -> list[tuple[int, int, int, int]]:
        """Return what the pods of each class add to counters, and write the classes' ranges."""
        by_group: list[list[int]] = [[] for _ in range(self._selectors.size)]
        for (kind, selector, _, _), number in self._counters.items():
            if kind == NOBODY:
                for group in np.flatnonzero(self._selectors.matches[selector]).tolist():
                    by_group[group].append(number)
        found: list[tuple[int, int, int, int]] = []
        for row, owned in zip(rows, self._owned, strict=False):
            row.first_update = len(found)
            found += [(number, 1, number in self._live, 0) for number in by_group[row.group]]
            found += [(number, amount, 0, 0) for number, amount in owned]
            row.end_update = len(found)
        return found

    # -- spreading -----------------------------------------------------------------------------------------------------

    def _read_spread(self, row: Any, pod: Fields) -> None:
        given = pod.get("topologySpreadConstraints") or ()
        defaults = not given and pod.get("default_selector") is not None
        if defaults:
            selector = pod["default_selector"]
            given = [{**each, "labelSelector": selector} for each in self._profile.default_spread]
        row.all_keys = not (defaults and self._profile.system_defaults)
        must = [each for each in given if each.get("whenUnsatisfiable", "DoNotSchedule") == "DoNotSchedule"]
        soft = [each for each in given if each.get("whenUnsatisfiable") == "ScheduleAnyway"]
        row.first_must, row.end_must = self._constrain(row, pod, must, True, False)
        row.first_soft, row.end_soft = self._constrain(row, pod, soft, bool(row.all_keys), True)

    def _constrain(
        self, row: Any, pod: Fields, constraints: Sequence[Fields], all_keys: bool, soft: bool
    ) -> tuple[int, int]:
        first = len(self._constraints)
        keys = sorted(each["topologyKey"] for each in constraints) if all_keys else []
        for each in constraints:
            key, selector = each["topologyKey"], self._selectors.of_spread(each, pod)
            by_host = soft and key == HOST_KEY
            if by_host:
                counter = self._counter(NOBODY, selector, _ITSELF, self._every_node())
            else:
                counter = self._counter(NOBODY, selector, key, self._nodes_for(pod, each, keys))
            self._live.add(counter)
            itself = bool(self._selectors.matches[selector][row.group])
            least = each.get("minDomains") or 1
            self._constraints.append((counter, self._key(key), each["maxSkew"], least, itself, by_host))
        return first, len(self._constraints)

    def _nodes_for(self, pod: Fields, constraint: Fields, keys: list[str]) -> int:
        """Return the row of the nodes that count for a constraint."""
        honors = constraint.get("nodeAffinityPolicy", "Honor") == "Honor"
        taints = constraint.get("nodeTaintsPolicy", "Ignore") == "Honor"
        looks = (pod.get("nodeSelector"), (pod.get("affinity") or {}).get("nodeAffinity")) if honors else None
        name = json.dumps([keys, looks, pod.get("tolerations") if taints else None, taints], sort_keys=True)
        if name not in self._eligible:
            found = np.ones(self._table.size, np.bool_)
            for key in keys:
                found &= self._table.column(key)[0] >= 0
            if honors:
                found &= self._shapes.required(pod)
            if taints:
                found &= self._shapes.tolerated(pod)
            self._add_nodes(name, found)
        return self._eligible[name]

    def _every_node(self) -> int:
        if "" not in self._eligible:
            self._add_nodes("", np.ones(self._table.size, np.bool_))
        return self._eligible[""]

    def _add_nodes(self, name: str, found: Flags) -> None:
        self._eligible[name] = len(self._eligible_rows)
        self._eligible_rows.append(found)

    def _read_budgets(self, row: Any, pod: Fields, budgets: Sequence[tuple[Fields, Flags]]) -> None:
        row.first_budget = len(self._guarded)
        for number, (budget, guarded) in enumerate(budgets):
            if guarded[row.group] and pod.get("name") not in (budget.get("disruptedPods") or ()):
                self._guarded.append(number)
        row.end_budget = len(self._guarded)


def _rows(found: Sequence[tuple[int, ...]], kind: np.dtype[Any]) -> Records:
    made = records(max(len(found), 1), kind)
    if found:
        table = np.array(found, np.int64)
        for place, name in enumerate(kind.names or ()):
            if place < table.shape[1]:
                made[name] = table[:, place]
    return made
