"""kube-scheduler, exactly: its filters, scores, preemption and queue over the arrays of scheduler_core.kube."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.kubernetes.params import KubernetesParams
from scheduler_core.schedulers.kubernetes.reasons import PREEMPTION, REASONS
from scheduler_core.schedulers.kubernetes.scored import node_points
from scheduler_core.schedulers.kubernetes.signature import SIGNATURE
from scheduler_core.schedulers.shared.pacing import NEAR_COUNTERS, PACE_COUNTERS
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, SchedulerSpec, Series
from scheduler_core.world.work import Scoring, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.kubernetes.protocol import KubernetesProtocol

    return KubernetesProtocol(SPEC)


SPEC = SchedulerSpec(
    name="kubernetes",
    label="Kubernetes",
    family="kubernetes",
    paced=True,
    paper="Kubernetes",
    summary="kube-scheduler's default profile: pods go by priority, filters leave out nodes, plugins score the others, "
    "and pods of lower priority can be preempted.",
    params=KubernetesParams,
    supports=frozenset(
        {
            "constraints",
            "interference",
            "machine_faults",
            "parameter_changes",
            "priorities",
            "rack_rules",
            "soft_constraints",
            "standing",
        }
    ),
    load=_load,
    counters=(
        Counter("decisions", "Decisions", "Attempts to find a node for a pod."),
        Counter("in_vain", "Failed attempts", "Attempts that found neither a node nor pods to preempt."),
        Counter("preemptions", "Preemptions", "Running pods that were preempted."),
        Counter("nominations", "Nominations", "Pods that preemption nominated to a node."),
        Counter("requeued", "Pods requeued", "Moves of unschedulable pods back to the queue after an event."),
        Counter("machines_looked_at", "Nodes filtered", "Nodes examined by all attempts together."),
        Counter("machines_scored", "Nodes scored", "Nodes scored by all attempts together."),
        *PACE_COUNTERS,
        *NEAR_COUNTERS,
    ),
    signature=SIGNATURE,
    layers=(LOAD_LAYER, OUTAGE_LAYER),
    work=Work(decision="choose", scoring=Scoring("scored", node_points)),
    by_resource=True,
    reasons=REASONS,
    marks=(PREEMPTION, FAULT),
    series=(
        Series("decision_ms", "Time of a decision", "ms"),
        Series("unschedulable_pods", "Unschedulable pods", "tasks"),
    ),
)
