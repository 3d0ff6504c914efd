"""Parameters of kube-scheduler, by the names of its configuration where it has them."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from scheduler_core.experiment.options import options
from scheduler_core.schedulers.shared.pacing import PaceParams

_POINT = re.compile(r"\s*(\d+)\s*:\s*(\d+)\s*")
_WEIGHT = re.compile(r"[0-9]{1,3}")
#: The weights of the score plugins, in the order of the profile.
WEIGHTS = (
    "taint_weight", "affinity_weight", "spread_weight", "pod_affinity_weight", "fit_weight", "balanced_weight",
    "image_weight",
)  # fmt: skip


def _weight(default: int, title: str, says: str) -> Any:
    return Field(default, ge=0, le=100, title=title, description=says)


class KubernetesParams(PaceParams):
    """Parameters of kube-scheduler; the defaults are those of its default profile."""

    preemption: bool = Field(
        True,
        title="Preemption",
        description="Preempt pods of lower priority when no node passes the filters (DefaultPreemption). This shortens "
        "the waits of high priorities and loses work.",
    )
    scoring_strategy: Literal["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"] = Field(
        "LeastAllocated",
        title="Scoring strategy",
        description="Rule by which NodeResourcesFit scores nodes that pass the filters.",
        json_schema_extra=options(
            {
                "LeastAllocated": ("Least allocated", "The node with the largest free share. Spreads pods."),
                "MostAllocated": ("Most allocated", "The node with the largest requested share. Packs pods."),
                "RequestedToCapacityRatio": ("Requested to capacity", "A broken line through the points of the shape."),
            }
        ),
    )
    shape: str = Field(
        "0:0, 100:10",
        max_length=400,
        title="Shape",
        description="Points of RequestedToCapacityRatio, utilization:score, with commas between them. Utilization "
        "rises up to 100 %, scores are 0 to 10. The default packs pods; 0:10, 100:0 spreads them.",
    )
    resource_weights: str | None = Field(
        None,
        max_length=400,
        title="Weights of resources",
        description="Weights of resources in the scoring strategy, resource:weight, with commas between them, such as "
        "cpu:1, nvidia.com/gpu:5. Weights are 1 to 100. Empty counts cpu and memory alike.",
    )
    percentage: int = Field(
        0,
        ge=0,
        le=100,
        title="Nodes to score",
        description="percentageOfNodesToScore. The search ends when this percentage of all nodes, and at least 100, "
        "passed the filters. 0 means 50 % minus 1 % per 125 nodes, at least 5 %. Lower values make decisions shorter "
        "and choices poorer.",
        json_schema_extra={"unit": "%"},
    )
    taint_weight: int = _weight(3, "Weight of taints", "Weight of TaintToleration: few taints that the pod avoids.")
    affinity_weight: int = _weight(
        2, "Weight of node affinity", "Weight of NodeAffinity: soft constraints that the node offers."
    )
    spread_weight: int = _weight(
        2, "Weight of spreading", "Weight of PodTopologySpread: few pods of the same kind in the node's domains."
    )
    pod_affinity_weight: int = _weight(
        2, "Weight of pod affinity", "Weight of InterPodAffinity: preferences about pods in the node's domains."
    )
    fit_weight: int = _weight(1, "Weight of the scoring strategy", "Weight of NodeResourcesFit.")
    balanced_weight: int = _weight(
        1, "Weight of balance", "Weight of NodeResourcesBalancedAllocation: CPUs and memory used to the same degree."
    )
    image_weight: int = _weight(1, "Weight of images", "Weight of ImageLocality, where images are known.")
    pods_per_node: int = Field(
        110,
        ge=1,
        le=1_000_000,
        title="Pods per node",
        description="Largest number of pods on a node, the kubelet's maxPods. Fewer pods make more of them wait.",
    )
    grace_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Grace period",
        description="Time from a preemption until its victims are gone. Kubernetes grants 30 s; most programs end "
        "sooner. Longer periods make the preempting pod wait longer.",
        json_schema_extra={"unit": "s"},
    )
    backoff_s: float = Field(
        1.0,
        ge=0.001,
        le=86_400,
        title="First back-off",
        description="podInitialBackoffSeconds: wait after the first failed attempt while other pods are active. It "
        "doubles with each attempt.",
        json_schema_extra={"unit": "s"},
    )
    max_backoff_s: float = Field(
        10.0,
        ge=0.001,
        le=86_400,
        title="Longest back-off",
        description="podMaxBackoffSeconds: the back-off grows to this value. Longer ones try hopeless pods less often.",
        json_schema_extra={"unit": "s"},
    )
    decision_time: Literal["modelled", "none"] = Field(
        "modelled",
        title="Decision time",
        description="Simulated time of decisions. If decisions take time, pods that arrive together queue for the "
        "scheduler.",
        json_schema_extra=options(
            {
                "modelled": ("Modeled", "The three costs below. They are modeled, not measured."),
                "none": ("None", "Decisions take no simulated time."),
            }
        ),
    )
    decision_us: float = Field(
        100.0,
        ge=0,
        le=60_000_000,
        title="Cost of a decision",
        description="Time of a decision about one pod, for any number of nodes. Larger values make more pods queue for "
        "the scheduler.",
        json_schema_extra={"unit": "µs"},
    )
    filter_ns: float = Field(
        1000.0,
        ge=0,
        le=1e9,
        title="Cost of filtering a node",
        description="Time to run the filters on one node. Larger values make decisions long when few nodes pass.",
        json_schema_extra={"unit": "ns"},
    )
    score_ns: float = Field(
        2000.0,
        ge=0,
        le=1e9,
        title="Cost of scoring a node",
        description="Time to score one node. Larger values make decisions long when many nodes pass.",
        json_schema_extra={"unit": "ns"},
    )

    fixed: ClassVar[frozenset[str]] = PaceParams.fixed | {"shape", "resource_weights", "pods_per_node"}
    first: ClassVar[tuple[str, ...]] = ("preemption", "scoring_strategy", "percentage")

    @field_validator("shape")
    @classmethod
    def _rises(cls, text: str) -> str:
        points = points_of(text)
        utilization = [x for x, _ in points]
        if utilization != sorted(set(utilization)) or max(utilization) > 100 or max(y for _, y in points) > 10:
            raise ValueError("utilization must rise from point to point up to 100, and scores must be 0 to 10")
        return text

    @field_validator("resource_weights")
    @classmethod
    def _weigh(cls, text: str | None) -> str | None:
        if text is None or not text.strip():
            return None
        weights_of(text)
        return text


def weights_of(text: str | None) -> dict[str, int]:
    """Return the weight of each resource in the scoring strategy. Raises ValueError."""
    if text is None:
        return {"cpu": 1, "memory": 1}
    parts = [each.rpartition(":") for each in text.split(",")]
    found = {name.strip(): int(weight) for name, _, weight in parts if _WEIGHT.fullmatch(weight.strip())}
    if len(found) != len(parts) or "" in found or not all(1 <= weight <= 100 for weight in found.values()):
        raise ValueError("must be distinct resources with weights from 1 to 100, such as cpu:1, nvidia.com/gpu:5")
    return found


def points_of(text: str) -> list[tuple[int, int]]:
    """Return the points (utilization, score) of a shape's text. Raises ValueError."""
    found = [_POINT.fullmatch(each) for each in text.split(",")]
    points = [(int(each[1]), int(each[2])) for each in found if each is not None]
    if len(points) != len(found):
        raise ValueError("must be points utilization:score with commas between them, such as 0:0, 100:10")
    return points
