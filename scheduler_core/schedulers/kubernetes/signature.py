"""The signature of kube-scheduler."""

from __future__ import annotations

from scheduler_core.world.signature import IMPORTANT_DELAY, Band, Figure, Neighbor, Opens, Signature, Turn

_STOPPED = Figure("Preemptions per task", ("counters.preemptions",), ("tasks.total",), "%")

SIGNATURE = Signature(
    year=2015,
    decides="one",
    knows="All nodes and pods, their labels, taints and requests, and the priority of each pod",
    work="priorities",
    says=(
        "One scheduler takes one pod after the other, the most important first. Its filters leave out nodes, its "
        "score plugins give each of the others 0 to 100 points, and the weighted sum decides. If no node passes the "
        "filters, it preempts pods of lower priority and nominates the pod to their node.",
        "The median delay of a job is less than a twentieth of that under Swarm, which preempts no task. This median "
        "is the delay of a job of high priority.",
    ),
    waits=(
        "A pod that no node takes waits until an event could help it: a pod ends, or a node comes back. Then it is "
        "tried again, after a back-off while other pods are active."
    ),
    number=IMPORTANT_DELAY,
    touched=_STOPPED,
    against=Neighbor("swarm", Band(most=0.05), label="Swarm, which preempts no task"),
    turn=Turn(
        "scheduler.params.preemption",
        True,
        False,
        "Without preemption the median job is delayed at least ten times as long.",
        Band(least=10),
    ),
    opens=Opens(moment="longest_wait", then="first_throw"),
    unseen="No pod of low priority blocks one of high priority here: nothing is preempted.",
)
