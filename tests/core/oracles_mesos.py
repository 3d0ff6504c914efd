"""A slow plain version of Mesos: offers are objects, shares are worked out anew by recursion; nothing fails."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

from scheduler_core import Experiment, build_cluster, build_workload
from scheduler_core.constraints import machine_offers, task_asks
from scheduler_core.engine import rng
from scheduler_core.experiment import effective_queues

END, OFFERED, DECIDED, REPLY, OVER, ARRIVAL, ROUND = 1, 2, 3, 4, 5, 64, 65


@dataclass
class Offer:
    machine: int
    amounts: list[int]
    tasks: list[int] = field(default_factory=list)


@dataclass
class Node:
    """A group or, with a number, a framework."""

    framework: int | None = None
    weight: float = 0.0
    children: list[Node] = field(default_factory=list)
    vector: list[float] = field(default_factory=list)
    share: float = 0.0
    blocked: bool = False

    def below(self) -> set[int]:
        return {self.framework} if self.framework is not None else set().union(*(one.below() for one in self.children))


class PlainMesos:
    """Runs an experiment; afterwards `start` and `machine` of each task, None where it never ran."""

    def __init__(self, experiment: Experiment) -> None:
        cluster, self.seed = build_cluster(experiment), experiment.seed
        work = build_workload(experiment, cluster)
        params = experiment.scheduler.params
        self.interval, self.refuse, self.decision = (
            round(params[f"{name}_s"] * 1e9) for name in ("interval", "refuse", "decision")
        )
        self.mode, self.delay = params["hierarchy"], round(experiment.network.message_delay_s * 1e9)
        self.capacity = cluster.capacity.tolist()
        self.free = [list(one) for one in self.capacity]
        self.total = [sum(column) for column in zip(*self.capacity, strict=True)]
        self.has = machine_offers(experiment, cluster).tolist()
        self.asks = task_asks(experiment, work).tolist()
        self.needs = work.demands[work.tasks["demand"]].tolist()
        self.lasts = work.tasks["duration_ns"].tolist()
        self.smallest = [min(column) for column in zip(*self.needs, strict=True)]
        self.queue = work.jobs["queue"][work.tasks["job"]].tolist()
        queues = effective_queues(experiment)
        self.root = self.tree(queues)
        self.waiting: list[list[int]] = [[] for _ in queues]
        self.arrived: list[list[Offer]] = [[] for _ in queues]
        self.thinks: list[list[Offer] | None] = [None for _ in queues]
        self.use = [[0] * len(self.total) for _ in queues]
        self.under: dict[int, list[int]] = {}
        self.until: dict[tuple[int, int], int] = {}
        self.start: list[int | None] = [None] * len(self.lasts)
        self.machine: list[int | None] = [None] * len(self.lasts)
        self.events: list[tuple[int, int, int, Any]] = []
        self.counter, self.round, self.latest, self.pending, self.now = 0, 0, -(1 << 60), False, 0
        for job in work.jobs:
            first = int(job["first_task"])
            self.at(int(job["arrival_ns"]), ARRIVAL, (int(job["queue"]), range(first, first + int(job["tasks"]))))
        self.run()

    def tree(self, queues: Any) -> Node:
        root, groups = Node(), {}
        groups[""] = root
        for queue in queues:
            path = (queue.parent or "").split("/") if queue.parent else []
            for depth in range(1, len(path) + 1):
                name, above = "/".join(path[:depth]), "/".join(path[: depth - 1])
                if name not in groups:
                    groups[name] = Node()
                    groups[above].children.append(groups[name])
        for number, queue in enumerate(queues):
            groups[queue.parent or ""].children.append(Node(number))
            path = (queue.parent or "").split("/") if queue.parent else []
            groups[queue.parent or ""].children[-1].weight = queue.share
            for depth in range(len(path) + 1):
                groups["/".join(path[:depth])].weight += queue.share
        return root

    def at(self, time: int, kind: int, what: Any) -> None:
        self.counter += 1
        heapq.heappush(self.events, (time, kind, self.counter, what))

    def run(self) -> None:
        left = len([t for t in range(len(self.lasts)) if self.possible(t)])
        while self.events and left:
            self.now, kind, _, what = heapq.heappop(self.events)
            if kind == ARRIVAL:
                self.arrive(*what)
            elif kind == ROUND:
                self.allocate()
            elif kind == OFFERED:
                self.arrived[what[0]] += what[1]
                if self.thinks[what[0]] is None:
                    self.think(what[0])
            elif kind == DECIDED:
                self.decide(what)
            elif kind == REPLY:
                self.carry_out(*what)
            elif kind == END:
                left -= 1
                self.end(what)
            elif self.waiting[what]:
                self.ask()

    def possible(self, t: int) -> bool:
        return any(
            self.fits(t, one) and self.asks[t] & ~has == 0 for one, has in zip(self.capacity, self.has, strict=True)
        )

    def fits(self, t: int, amounts: list[int]) -> bool:
        return all(want <= there for want, there in zip(self.needs[t], amounts, strict=True))

    def ask(self) -> None:
        if not self.pending:
            self.pending = True
            self.at(max(self.now, self.latest + self.interval), ROUND, None)

    def arrive(self, f: int, tasks: range) -> None:
        can = [t for t in tasks if self.possible(t)]
        if can:
            self.waiting[f] = sorted(self.waiting[f] + can)
            self.until = {key: time for key, time in self.until.items() if key[0] != f}
            self.ask()

    def end(self, t: int) -> None:
        m, f = self.machine[t], self.queue[t]
        assert m is not None
        self.free[m] = [there + want for there, want in zip(self.free[m], self.needs[t], strict=True)]
        self.use[f] = [had - want for had, want in zip(self.use[f], self.needs[t], strict=True)]
        self.until = {key: time for key, time in self.until.items() if key[1] != m}
        self.ask()

    def allocate(self) -> None:
        self.pending, self.latest = False, self.now
        self.round += 1
        machines = len(self.capacity)
        first = rng.below(self.seed, rng.STREAM_VISIT, 0, self.round, machines)
        batches: dict[int, list[Offer]] = {}
        for i in range(machines):
            m = (first + i) % machines
            room = all(there >= least for there, least in zip(self.free[m], self.smallest, strict=True))
            if m in self.under or not room or not any(self.free[m]):
                continue
            able = {f for f, tasks in enumerate(self.waiting) if tasks and self.until.get((f, m), 0) <= self.now}
            if able:
                f = self.next(able)
                self.under[m] = list(self.free[m])
                self.use[f] = [had + more for had, more in zip(self.use[f], self.free[m], strict=True)]
                batches.setdefault(f, []).append(Offer(m, list(self.free[m])))
        for f in sorted(batches):
            self.at(self.now + self.delay, OFFERED, (f, batches[f]))

    def next(self, able: set[int]) -> int:
        free = [sum(one[r] for one in self.free) for r in range(len(self.total))]
        spare = [has - sum(one[r] for one in self.under.values()) for r, has in enumerate(free)]
        self.measure(self.root, spare)
        if self.mode == "flat":
            leaves = self.leaves(self.root)
            return min((one.share, one.framework) for one in leaves if one.framework in able)[1]
        at = self.root
        while at.framework is None:
            at = min((one for one in at.children if one.below() & able), key=lambda one: one.share)
        return at.framework

    def leaves(self, node: Node) -> list[Node]:
        return [node] if node.framework is not None else [leaf for one in node.children for leaf in self.leaves(one)]

    def measure(self, node: Node, spare: list[int]) -> None:
        resources = range(len(self.total))
        if node.framework is not None:
            node.vector = [self.use[node.framework][r] / self.total[r] if self.total[r] else 0.0 for r in resources]
            node.blocked = not any(
                all(spare[r] > 0 or not self.needs[t][r] for r in resources) for t in self.waiting[node.framework]
            )
        else:
            for one in node.children:
                self.measure(one, spare)
            free = [one for one in node.children if not one.blocked]
            node.blocked = not free
            least = min((one.share for one in free), default=0.0)
            node.vector = [0.0 for _ in resources]
            for one in node.children:
                rescaled = self.mode == "hdrf" and not one.blocked and one.share > 0
                scale = least / one.share if rescaled else 1.0
                node.vector = [had + scale * more for had, more in zip(node.vector, one.vector, strict=True)]
        inner = self.mode == "hdrf" and node.framework is None
        node.share = max((node.vector[r] / node.weight for r in resources if not inner or spare[r] > 0), default=0.0)

    def think(self, f: int) -> None:
        self.thinks[f], self.arrived[f] = self.arrived[f], []
        self.at(self.now + self.decision, DECIDED, f)

    def decide(self, f: int) -> None:
        offers = self.thinks[f] or []
        for offer in offers:
            left = list(offer.amounts)
            for t in list(self.waiting[f]):
                if self.fits(t, left) and self.asks[t] & ~self.has[offer.machine] == 0:
                    left = [there - want for there, want in zip(left, self.needs[t], strict=True)]
                    offer.tasks.append(t)
                    self.waiting[f].remove(t)
        self.at(self.now + self.delay, REPLY, (f, offers))
        self.thinks[f] = None
        if self.arrived[f]:
            self.think(f)

    def carry_out(self, f: int, offers: list[Offer]) -> None:
        for offer in offers:
            m = offer.machine
            for t in offer.tasks:
                self.start[t], self.machine[t] = self.now + self.delay, m
                self.free[m] = [there - want for there, want in zip(self.free[m], self.needs[t], strict=True)]
                self.use[f] = [had + want for had, want in zip(self.use[f], self.needs[t], strict=True)]
                self.at(self.now + 2 * self.delay + self.lasts[t], END, t)
            self.use[f] = [had - more for had, more in zip(self.use[f], self.under.pop(m), strict=True)]
            self.until[f, m] = self.now + self.refuse
        self.at(self.now + self.refuse, OVER, f)
        self.ask()
