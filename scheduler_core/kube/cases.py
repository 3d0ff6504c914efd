"""Answer cases of kube-scheduler's own tests (tests/data/kubernetes) with the code that the scheduler runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scheduler_core.engine.records import NEVER
from scheduler_core.kube import examine as ask
from scheduler_core.kube.build import build_model, resource_names
from scheduler_core.kube.model import (
    AFFINITY,
    BALANCED,
    FEASIBLE,
    FIT,
    IMAGES,
    INTER_POD_AFFINITY,
    KIND_MASK,
    LEAST_ALLOCATED,
    MOST_ALLOCATED,
    NODE_AFFINITY,
    NODE_NAME,
    NODE_PORTS,
    NODE_RESOURCES_FIT,
    NODE_UNSCHEDULABLE,
    POD_AFFINITY,
    POD_TOPOLOGY_SPREAD,
    PODS,
    REQUESTED_TO_CAPACITY,
    SCORES,
    SPREAD,
    TAINT_TOLERATION,
    TAINTED,
    TAINTS,
    TOO_LITTLE,
    UNRESOLVABLE,
)
from scheduler_core.kube.placement import first_refusing, named_nodes
from scheduler_core.kube.spec import Cluster, Profile
from scheduler_core.kube.texts import code_of, lacking, message, reasons_of

Case = Mapping[str, Any]

FILTERS = {
    "NodeUnschedulable": NODE_UNSCHEDULABLE, "NodeName": NODE_NAME, "TaintToleration": TAINT_TOLERATION,
    "NodeAffinity": NODE_AFFINITY, "NodePorts": NODE_PORTS, "NodeResourcesFit": NODE_RESOURCES_FIT,
    "PodTopologySpread": POD_TOPOLOGY_SPREAD, "InterPodAffinity": INTER_POD_AFFINITY,
}  # fmt: skip
SCORERS = {
    "TaintToleration": TAINTS, "NodeAffinity": AFFINITY, "PodTopologySpread": SPREAD, "InterPodAffinity": POD_AFFINITY,
    "NodeResourcesFit": FIT, "NodeResourcesBalancedAllocation": BALANCED, "ImageLocality": IMAGES,
}  # fmt: skip
STRATEGIES = {
    "LeastAllocated": LEAST_ALLOCATED,
    "MostAllocated": MOST_ALLOCATED,
    "RequestedToCapacityRatio": REQUESTED_TO_CAPACITY,
}
_PLUGINS = {
    "node_unschedulable": "NodeUnschedulable", "node_name": "NodeName", "taint_toleration": "TaintToleration",
    "node_affinity": "NodeAffinity", "node_ports": "NodePorts", "node_resources_fit": "NodeResourcesFit",
    "least_allocated": "NodeResourcesFit", "most_allocated": "NodeResourcesFit",
    "requested_to_capacity_ratio": "NodeResourcesFit", "balanced_allocation": "NodeResourcesBalancedAllocation",
    "pod_topology_spread": "PodTopologySpread", "inter_pod_affinity": "InterPodAffinity",
    "image_locality": "ImageLocality",
}  # fmt: skip
"""The plugin of a case, by the first part of its id."""


_DRAWS = 64
"""Draws for each node of a choice among equals."""


class Question:
    """A case as a model: the incoming pod is the first, the pods that exist follow."""

    def __init__(self, case: Case, **more: Any) -> None:
        self.case, self.args = case, case.get("args") or {}
        self.nodes: list[str] = [node["name"] for node in case.get("nodes") or ()]
        existing = list(case.get("existing_pods") or ())
        self.pods = [case.get("pod") or {}, *existing]
        cluster = Cluster(
            case.get("nodes") or (), self.pods, self.args.get("namespaces") or {}, self.args.get("pdbs") or ()
        )
        self.resources = resource_names(cluster)
        profile = replace(_profile(self.args), **more)
        self.model = build_model(cluster, profile, len(self.pods), classes=np.arange(len(self.pods)))
        for number, pod in enumerate(self.pods):
            self._place(number, pod)

    def __call__(self, what: int, p: int = 0, x: int = 0) -> int:
        """Ask the model (kube.examine)."""
        return int(ask.examine(self.model, what, p, x))

    def _place(self, number: int, pod: Mapping[str, Any]) -> None:
        row = self.model.pod[number]
        row.priority = pod.get("priority") or 0
        row.start_ns = NEVER if pod.get("start_time") is None else pod["start_time"]
        if pod.get("terminating"):
            row.terminating = 2 if pod.get("disruption_target") else 1
        if number and pod.get("node") in self.nodes:
            self(ask.PLACE, number, self.nodes.index(pod["node"]))
        if pod.get("nominatedNodeName") in self.nodes:
            row.nominated = self.nodes.index(pod["nominatedNodeName"])


def answers(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Return {"id", "got"} for each case; `got` has the form of its `expected`. Raises KeyError or ValueError."""
    return [{"id": case.get("id"), "got": answer(case)} for case in cases]


def answer(case: Case) -> dict[str, Any]:
    """Return what the scheduler gives for a case, in the members that its `expected` has."""
    point = case["extension_point"]
    if point not in _ANSWERS:
        raise ValueError(f"extension_point is {point!r}. It must be one of {', '.join(_ANSWERS)}.")
    found = _ANSWERS[point](case)
    expected = case.get("expected")
    return {name: found[name] for name in expected if name in found} if expected else found


def _profile(args: Mapping[str, Any]) -> Profile:
    found: dict[str, Any] = {}
    if "strategy" in args:
        found["strategy"] = STRATEGIES[args["strategy"]]
    if "resources" in args:
        found["resources"] = {each["name"]: each.get("weight", 1) for each in args["resources"]}
        found["balanced"] = [each["name"] for each in args["resources"]]
    if "shape" in args:
        found["shape"] = [(each["utilization"], each["score"]) for each in args["shape"]]
    names = {
        "percentageOfNodesToScore": "percentage", "minCandidateNodesPercentage": "candidate_percentage",
        "minCandidateNodesAbsolute": "candidate_least", "hardPodAffinityWeight": "hard_weight",
        "ignorePreferredTermsOfExistingPods": "ignore_preferred", "ignoredResources": "ignored_resources",
        "ignoredResourceGroups": "ignored_groups", "addedAffinity": "added_affinity",
        "defaultConstraints": "default_spread",
    }  # fmt: skip
    found |= {mine: args[theirs] for theirs, mine in names.items() if theirs in args}
    if "defaultingType" in args:
        found["system_defaults"] = args["defaultingType"] == "System"
        if args["defaultingType"] == "List":
            found.setdefault("default_spread", ())
    if "filters" in args:
        found["filters"] = sum(FILTERS[name] for name in set(args["filters"]) if name in FILTERS)
    return Profile(**found)


def _plugin(case: Case) -> str:
    name = str(case.get("plugin") or re.sub(r"[-_]?\d+$", "", str(case.get("id", ""))))
    found = _PLUGINS.get(name, name)
    if found not in FILTERS and found not in SCORERS:
        raise ValueError(f"{case.get('id')!r} names no plugin. An id starts with one of {', '.join(_PLUGINS)}.")
    return found


def _filter(case: Case) -> dict[str, Any]:
    args = case.get("args") or {}
    asked = Question(case, **({} if "filters" in args else {"filters": FILTERS[_plugin(case)]}))
    m, nodes = asked.model, asked.nodes
    m.klass["named"] = 0  # a case runs the filter on every node
    asked(ask.FIND, 0, len(nodes) or 1)
    verdicts = dict(zip(nodes, m.verdict.tolist(), strict=True))
    refused = {name: why for name, why in verdicts.items() if why & KIND_MASK != FEASIBLE}
    found: dict[str, Any] = {
        "feasible": [name for name in nodes if name not in refused],
        "reasons": {name: reasons_of(why, asked.resources) for name, why in refused.items()},
        "codes": {name: code_of(why) for name, why in refused.items()},
        "codes_older_releases": {
            name: "Unschedulable" if why & KIND_MASK == TOO_LITTLE else code_of(why) for name, why in refused.items()
        },
        "reasons_older_releases": {name: _older(asked, name, why) for name, why in refused.items()},
        "insufficient": {name: _insufficient(asked, name, why) for name, why in refused.items()},
    }
    names = named_nodes(case.get("pod") or {})
    if names:
        found["prefilter_node_names"] = sorted(names)
    elif names is not None:
        found["prefilter_reason"] = "pod affinity terms conflict"
    return found


def _older(asked: Question, node: str, verdict: int) -> list[str]:
    """Return a reason as releases of 2024 gave it: with the first taint that is not tolerated."""
    if verdict & KIND_MASK != TAINTED:
        return reasons_of(verdict, asked.resources)
    taint = first_refusing(asked.case["nodes"][asked.nodes.index(node)], asked.pods[0])
    return [f"node(s) had untolerated taint {{{taint['key']}: {taint.get('value', '')}}}"]


def _insufficient(asked: Question, node: str, verdict: int) -> list[dict[str, Any]]:
    m, n, found = asked.model, asked.nodes.index(node), []
    for r in lacking(verdict, asked.resources) if verdict & KIND_MASK == TOO_LITTLE else ():
        requested = 1 if r == PODS else int(m.request[0, r])
        used, capacity = int(m.used[n, r]), int(m.capacity[n, r])
        found.append({"resource": asked.resources[r], "requested": requested, "used": used, "capacity": capacity})
    return found


def _score(case: Case) -> dict[str, Any]:
    args = case.get("args") or {}
    weights = [0] * SCORES
    more: dict[str, Any] = {}
    if "weights" in args:
        for name, weight in args["weights"].items():
            plugin, _, strategy = name.rstrip(")").partition("(")
            weights[SCORERS[plugin]] = weight
            more |= {"strategy": STRATEGIES[strategy]} if strategy else {}
    else:
        weights[SCORERS[_plugin(case)]] = 1
    asked = Question(case, weights=weights, **more)
    m, nodes = asked.model, asked.nodes
    among = [name for name in nodes if name in args.get("candidate_nodes", nodes)]
    m.feasible[: len(among)] = [nodes.index(name) for name in among]
    asked(ask.SCORE, 0, len(among))
    total = dict(zip(among, m.total.tolist(), strict=False))
    found: dict[str, Any] = {"scores": total, "total_scores": total}
    if "weights" not in args:
        found["skip"] = _skips(asked, _plugin(case))
    return found if "weights" in args or (case.get("expected") or not found["skip"]) else {"skip": True}


def _skips(asked: Question, plugin: str) -> bool:
    """Return whether a plugin takes no part in the score of the incoming pod."""
    row = asked.model.klass[0]
    if plugin == "PodTopologySpread":
        return bool(row.first_soft == row.end_soft)
    if plugin == "InterPodAffinity":
        return not asked(ask.COLLECTS)
    if plugin == "NodeResourcesBalancedAllocation":
        return not asked(ask.REQUESTS)
    if plugin == "NodeAffinity":
        return bool(row.prefer < 0)
    return False


def _preempt(case: Case) -> dict[str, Any]:
    """Run DefaultPreemption: candidates, the choice among them, or upstream's message."""
    asked = Question(case)
    m, nodes, args = asked.model, asked.nodes, asked.args
    nothing: dict[str, Any] = {
        "nominated": None,
        "nominated_any_of": [],
        "victims": [],
        "candidates": {},
        "eligible": False,
    }
    if case["extension_point"] == "preempt" and not _may(asked):
        return nothing
    statuses = args.get("filter_statuses")
    for n, name in enumerate(nodes):
        helps = statuses is None or statuses.get(name) == "Unschedulable"
        m.verdict[n] = TOO_LITTLE | (0 if helps else UNRESOLVABLE)
    candidates = asked(ask.PREEMPT, 0, args.get("offset", 0))
    if not candidates:
        return nothing | {"message": f"preemption: {message(m.verdict.tolist(), asked.resources)}"}
    chosen = [name for n, name in enumerate(nodes) if m.candidate[n].victims and asked(ask.TIES, 0, n)]
    found = {}
    for n, name in enumerate(nodes):
        if m.candidate[n].victims:
            # In the file's order: the cases compare victims as sets.
            victims = [asked.pods[q]["name"] for q in sorted(m.removed[: asked(ask.VICTIMS, 0, n)].tolist())]
            found[name] = {"victims": victims, "pdb_violations": int(m.candidate[n].violations)}
    return {
        "nominated": chosen[0], "nominated_any_of": chosen, "victims": found[chosen[0]]["victims"],
        "candidates": found, "eligible": True,
    }  # fmt: skip


def _may(asked: Question) -> bool:
    status = asked.args.get("nominated_node_status")
    return bool(asked(ask.ELIGIBLE, 0, UNRESOLVABLE if status == "UnschedulableAndUnresolvable" else 0))


def _select(case: Case) -> dict[str, Any]:
    """Draw until every node that can be chosen has been chosen, almost surely."""
    scores = case["args"]["total_scores"]
    names = list(scores)
    asked = Question({**case, "nodes": [{"name": name} for name in names]})
    asked.model.total[:] = list(scores.values())
    chosen = {asked(ask.HOST, seed, len(names)) for seed in range(_DRAWS * len(names))}
    return {"host_any_of": [names[place] for place in sorted(chosen)]}


def _to_find(case: Case) -> dict[str, Any]:
    args = case["args"]
    return {"num_nodes": Question(case)(ask.TO_FIND, 0, args["num_all_nodes"])}


def _normalize(case: Case) -> dict[str, Any]:
    raw = case["args"]["raw"]
    nodes = [{"name": str(number), "allocatable": {}} for number in range(len(raw))]
    asked = Question({**case, "nodes": nodes})
    asked.model.points[0, : len(raw)] = raw
    asked(ask.NORMALIZE, int(bool(case["args"].get("reverse"))), len(raw))
    return {"normalized": asked.model.points[0, : len(raw)].tolist()}


def _line(case: Case) -> dict[str, Any]:
    asked = Question(case)
    wanted = (case.get("expected") or {}).get("function") or [{"utilization": x} for x in range(101)]
    points = [each["utilization"] for each in wanted]
    return {"function": [{"utilization": x, "score": asked(ask.LINE, 0, x)} for x in points]}


_ANSWERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "Filter": _filter,
    "Score": _score,
    "function": _line,
    "NormalizeScore": _normalize,
    "selectHost": _select,
    "numFeasibleNodesToFind": _to_find,
    "PostFilter": _preempt,
    "candidates": _preempt,
    "choice": _preempt,
    "preempt": _preempt,
    "eligible": lambda case: {"eligible": _may(Question(case))},
}
