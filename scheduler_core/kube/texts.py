"""The reasons and messages of kube-scheduler, word for word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from scheduler_core.kube.model import KIND_MASK, KINDS, LACKING, PODS, TOO_LITTLE, UNRESOLVABLE

REASONS: tuple[str, ...] = (
    "",
    "node(s) were unschedulable",
    "node(s) didn't match the requested node name",
    "node(s) had untolerated taint(s)",
    "node(s) didn't match Pod's node affinity/selector",
    "node(s) didn't match scheduler-enforced node affinity",
    "node(s) didn't have free ports for the requested pod ports",
    "",
    "node(s) didn't match pod topology spread constraints (missing required label)",
    "node(s) didn't match pod topology spread constraints",
    "node(s) didn't match pod affinity rules",
    "node(s) didn't match pod anti-affinity rules",
    "node(s) didn't satisfy existing pods anti-affinity rules",
    "node(s) didn't satisfy plugin(s) [NodeAffinity]",
    "pod affinity terms conflict",
    "No preemption victims found for incoming pod",
    "Preemption is not helpful for scheduling",
)
assert len(REASONS) == KINDS


def lacking(verdict: int, resources: Sequence[str]) -> list[int]:
    """Return the numbers of the resources that a node lacks."""
    return [r for r in range(len(resources)) if verdict >> (LACKING + r) & 1]


def reasons_of(verdict: int, resources: Sequence[str]) -> list[str]:
    """Return why a node refuses, in upstream's words; empty if it does not."""
    kind = verdict & KIND_MASK
    if kind == TOO_LITTLE:
        return ["Too many pods" if r == PODS else f"Insufficient {resources[r]}" for r in lacking(verdict, resources)]
    return [REASONS[kind]] if kind else []


def code_of(verdict: int) -> str:
    """Return upstream's status code of a refusal."""
    return "UnschedulableAndUnresolvable" if verdict & UNRESOLVABLE else "Unschedulable"


def message(verdicts: Iterable[int], resources: Sequence[str]) -> str:
    """Return upstream's sentence about a pod that fits on no node: how many nodes have each reason."""
    nodes, counts = 0, Counter[str]()
    for verdict in verdicts:
        nodes += 1
        counts.update(reasons_of(verdict, resources))
    return f"0/{nodes} nodes are available: {', '.join(sorted(f'{n} {text}' for text, n in counts.items()))}."
