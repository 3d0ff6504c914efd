"""What no case of upstream covers, worked out on paper: ports, images, default spreading, nominees, whole cycles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scheduler_core.engine.records import NEVER
from scheduler_core.kube import examine as ask
from scheduler_core.kube.build import build_model, resource_names
from scheduler_core.kube.model import (
    BALANCED,
    FIT,
    IMAGES,
    NODE_PORTS,
    NODE_RESOURCES_FIT,
    POD_AFFINITY,
    SCORES,
    SPREAD,
    TAINTS,
    Model,
)
from scheduler_core.kube.spec import HOST_KEY, ZONE_KEY, Cluster, Profile
from scheduler_core.kube.texts import message

GIB = 1 << 30
MIB = 1 << 20


def node(name: str, zone: str = "", cpu: int = 4000, memory: int = 8 * GIB, **more: Any) -> dict[str, Any]:
    labels = {HOST_KEY: name, **({ZONE_KEY: zone} if zone else {}), **more.pop("labels", {})}
    return {"name": name, "labels": labels, "allocatable": {"cpu": cpu, "memory": memory, "pods": 110}, **more}


def pod(cpu: int = 0, memory: int = 0, **more: Any) -> dict[str, Any]:
    amounts = {"cpu": cpu, "memory": memory}
    return {"requests": amounts, "containers": [{name: n for name, n in amounts.items() if n}], **more}


def asked(
    nodes: Sequence[dict[str, Any]], incoming: dict[str, Any], *existing: tuple[str, dict[str, Any]], **profile: Any
) -> tuple[Model, list[str]]:
    """A model with the existing pods on their nodes; the incoming pod is the first."""
    pods = [incoming, *(each for _, each in existing)]
    cluster = Cluster(nodes, pods)
    model = build_model(cluster, replace(Profile(), **profile), len(pods), classes=np.arange(len(pods)))
    places = [each["name"] for each in nodes]
    for number, each in enumerate(pods):
        model.pod[number].priority = each.get("priority", 0)
    for number, (where, _) in enumerate(existing, 1):
        ask.examine(model, ask.PLACE, number, places.index(where))
    return model, resource_names(cluster)


def scored(model: Model) -> dict[str, list[int]]:
    """The points of all nodes, in their order, by plugin; and the totals."""
    count = len(model.node)
    model.feasible[:] = range(count)
    ask.examine(model, ask.SCORE, 0, count)
    return {str(plugin): model.points[plugin].tolist() for plugin in range(SCORES)} | {"total": model.total.tolist()}


def only(plugin: int) -> list[int]:
    return [int(number == plugin) for number in range(SCORES)]


def feasible(model: Model) -> list[int]:
    found = ask.examine(model, ask.FIND, 0, len(model.node))
    return sorted(model.feasible[:found].tolist())


@pytest.mark.parametrize(("held", "wanted", "free"), [
    ({"hostPort": 80}, {"hostPort": 80}, False),
    ({"hostPort": 80}, {"hostPort": 81}, True),
    ({"hostPort": 80}, {"hostPort": 80, "protocol": "UDP"}, True),
    ({"hostPort": 80, "protocol": "TCP"}, {"hostPort": 80}, False),
    ({"hostPort": 80, "hostIP": "10.0.0.1"}, {"hostPort": 80, "hostIP": "10.0.0.2"}, True),
    ({"hostPort": 80, "hostIP": "10.0.0.1"}, {"hostPort": 80, "hostIP": "0.0.0.0"}, False),
    ({"hostPort": 80, "hostIP": "10.0.0.1"}, {"hostPort": 80, "hostIP": "10.0.0.1"}, False),
    ({"containerPort": 80}, {"containerPort": 80}, True),
    ({"hostPort": 0, "containerPort": 80}, {"hostPort": 80}, True),
])  # fmt: skip
def test_host_ports_conflict_by_protocol_number_and_address(held: Any, wanted: Any, free: bool) -> None:
    existing = ("a", pod(ports=[held]))
    model, names = asked([node("a"), node("b")], pod(ports=[wanted]), existing, filters=NODE_PORTS)
    assert feasible(model) == ([0, 1] if free else [1])
    if not free:
        told = "0/2 nodes are available: 1 node(s) didn't have free ports for the requested pod ports."
        assert message(model.verdict.tolist(), names) == told


def test_an_image_counts_by_its_size_and_by_how_many_nodes_have_it() -> None:
    """Two containers: 23 MB count as none, 2 x 1000 MB as all.

    `big` is on 2 of 4 nodes: 1000 MB * 2/4 = 500 MB; 100 * (500 - 23) // (2000 - 23) = 24. `all` is on all 4: 400 MB;
    100 * 377 // 1977 = 19; both together 100 * 877 // 1977 = 44.
    """
    nodes = [
        node("a", images={"big:1": 1000 * MIB, "all:latest": 400 * MIB}),
        node("b", images={"big:1": 1000 * MIB, "all:latest": 400 * MIB}),
        node("c", images={"all:latest": 400 * MIB}),
        node("d", images={"all:latest": 400 * MIB, "other:2": 9000 * MIB}),
    ]
    model, _ = asked(nodes, pod(images=["big:1", "all"]), weights=only(IMAGES))
    assert scored(model)["total"] == [44, 44, 19, 19]
    model, _ = asked(nodes, pod(images=["big:1", "none"]), weights=only(IMAGES))
    assert scored(model)["total"] == [24, 24, 0, 0]
    model, _ = asked(nodes, pod(images=["registry:5000/big"]), weights=only(IMAGES))
    assert scored(model)["total"] == [0, 0, 0, 0]


def test_pods_of_a_service_spread_by_default_over_hosts_and_zones() -> None:
    """Pods of the selector: 2 on a, 1 on b (zone x), none on c (zone y), none on d (no zone).

    Domains: 4 hosts, ln 6 = 1.7918; zones x, y and none, ln 5 = 1.6094. Raw scores count * weight + (maxSkew - 1):
    a 2 * 1.7918 + 2 + 3 * 1.6094 + 4 = 14.41, b 1.7918 + 2 + 4.8283 + 4 = 12.62, c 2 + 4 = 6, d 2 (no zone, no share).
    Rounded 14, 13, 6, 2. Of 100: (14 + 2 - raw) / 14.
    """
    mine = {"labels": {"app": "web"}}
    nodes = [node("a", "x"), node("b", "x"), node("c", "y"), node("d")]
    existing = [("a", pod(**mine)), ("a", pod(**mine)), ("b", pod(**mine)), ("c", pod(labels={"app": "db"}))]
    incoming = pod(**mine, default_selector={"matchLabels": {"app": "web"}})
    model, _ = asked(nodes, incoming, *existing, weights=only(SPREAD))
    assert scored(model)["total"] == [100 * 2 // 14, 100 * 3 // 14, 100 * 10 // 14, 100]
    model, _ = asked(nodes, pod(**mine), *existing, weights=only(SPREAD))
    assert scored(model)["total"] == [0, 0, 0, 0]


def test_a_whole_cycle_with_all_plugins() -> None:
    """A pod of 1000 m and 1 GiB with two pods of its kind about, on three nodes.

    | | a: 4000 m, 8 GiB, zone x | b: 4000 m, 8 GiB, zone y | c: 2000 m, 8 GiB, zone y |
    |---|---|---|---|
    | holds | 1 of 1000 m, 1 GiB of the kind | 1 of 500 m, no memory named | nothing |
    | LeastAllocated | (50 + 75) / 2 = 62 | (62 + 85) / 2 = 73 | (50 + 87) / 2 = 68 |
    | balance | 1 - (0.5 - 0.25) / 2: 87 | 1 - (0.375 - 0.125) / 2: 87 | 1 - (0.5 - 0.125) / 2: 81 |
    | taints, reversed | 100 | 0 | 100 |
    | node affinity | 0 | 100 | 50 |
    | pod affinity to zone | 100 | 0 | 0 |

    b's memory: the pod there counts 200 MiB, so (8192 - 200 - 1024) * 100 // 8192 = 85.
    Totals: 3 taints + 2 node affinity + 2 pod affinity + fit + balance.
    """
    nodes = [
        node("a", "x"),
        node("b", "y", labels={"disk": "ssd", "fast": "1"}, taints=[{"key": "k", "effect": "PreferNoSchedule"}]),
        node("c", "y", cpu=2000, labels={"disk": "ssd"}),
    ]
    kind = {"labels": {"app": "web"}}
    prefer = [
        {"weight": 10, "preference": {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}},
        {"weight": 10, "preference": {"matchExpressions": [{"key": "fast", "operator": "Exists"}]}},
    ]
    near = [
        {
            "weight": 7,
            "podAffinityTerm": {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": ZONE_KEY},
        }
    ]
    name = "preferredDuringSchedulingIgnoredDuringExecution"
    incoming = pod(1000, GIB, **kind, affinity={"nodeAffinity": {name: prefer}, "podAffinity": {name: near}})
    existing = [("a", pod(1000, GIB, **kind)), ("b", pod(500))]
    model, _ = asked(nodes, incoming, *existing)
    points = scored(model)
    assert points[str(TAINTS)] == [100, 0, 100]
    assert points[str(FIT)] == [62, 73, 68]
    assert points[str(BALANCED)] == [87, 87, 81]
    assert points[str(POD_AFFINITY)] == [100, 0, 0]
    assert points[str(SPREAD)] == points[str(IMAGES)] == [0, 0, 0]
    assert points["total"] == [300 + 200 + 62 + 87, 200 + 73 + 87, 300 + 100 + 68 + 81]


def test_the_message_counts_the_reasons_of_all_nodes() -> None:
    nodes = [
        node("a", cpu=500),
        node("b", cpu=500, memory=MIB),
        node("c", taints=[{"key": "k", "effect": "NoExecute"}]),
        node("d", unschedulable=True),
        node("e", labels={"x": "1"}),
    ]
    incoming = pod(1000, GIB, nodeSelector={"x": "1"})
    model, names = asked(nodes, incoming, ("e", pod(3500)))
    assert feasible(model) == []
    assert message(model.verdict.tolist(), names) == (
        "0/5 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were "
        "unschedulable, 2 node(s) didn't match Pod's node affinity/selector."
    )
    model, names = asked(nodes, pod(1000, GIB), ("e", pod(3500)))
    assert feasible(model) == []
    assert message(model.verdict.tolist(), names) == (
        "0/5 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint(s), 1 node(s) were "
        "unschedulable, 3 Insufficient cpu."
    )


def test_a_nominated_pod_keeps_its_room_from_others_of_at_most_its_priority() -> None:
    for priority, free in ((10, False), (5, False), (11, True)):
        nominee = pod(3000, priority=10)
        model, _ = asked([node("a")], pod(2000, priority=priority), ("a", nominee), filters=NODE_RESOURCES_FIT)
        row = model.pod[1]
        ask.examine(model, ask.TAKE, 1, 0)
        row.nominated, model.node[0].nominee, model.settings["nominees"] = 0, 1, 1
        assert feasible(model) == ([0] if free else [])
        assert model.used[0].tolist() == [0, 0, 0, 0]


def test_the_search_goes_on_where_it_stopped_and_looks_at_enough_nodes() -> None:
    """125 nodes, 100 of which are enough: the second search begins at node 100 and wraps around."""
    model, _ = asked([node(f"n{i}") for i in range(125)], pod(1000))
    assert ask.examine(model, ask.FIND, 0, 0) == 100
    assert model.settings[0].next_start == 100
    assert ask.examine(model, ask.FIND, 0, 0) == 100
    assert model.feasible[:100].tolist() == [*range(100, 125), *range(75)]
    assert model.settings[0].next_start == 75


def test_preemption_leaves_the_model_as_it_was() -> None:
    """Victims are removed and put back hypothetically; no count may stay changed."""
    anti = [{"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": ZONE_KEY}]
    spread = {"maxSkew": 1, "topologyKey": ZONE_KEY, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
    mine = {"labels": {"app": "web"}, "affinity": {"podAntiAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": anti}}, "topologySpreadConstraints": [spread],
        "ports": [{"hostPort": 80}]}  # fmt: skip
    existing = [("a", pod(1000, **mine)), ("b", pod(1000, **mine)), ("b", pod(500))]
    model, _ = asked([node("a", "x"), node("b", "y")], pod(1000, priority=5, **mine), *existing)
    before = [array.copy() for array in (model.used, model.scored, model.tally, model.counter, model.taken)]
    assert feasible(model) == []
    assert ask.examine(model, ask.PREEMPT, 0, 0) == 2
    assert model.candidate["victims"].tolist() == [1, 1]
    after = (model.used, model.scored, model.tally, model.counter, model.taken)
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


def test_priorities_keep_their_order_when_start_times_are_missing() -> None:
    """Both nodes' victims have the same priority; those of the second have not started, so they count as later."""
    model, _ = asked(
        [node("a"), node("b")], pod(4000, priority=9), ("a", pod(4000)), ("b", pod(4000)), filters=NODE_RESOURCES_FIT
    )
    model.pod["start_ns"] = [NEVER, 5, NEVER]
    assert feasible(model) == []
    assert ask.examine(model, ask.PREEMPT, 0, 0) == 2
    assert [ask.examine(model, ask.TIES, 0, n) for n in range(2)] == [0, 1]
