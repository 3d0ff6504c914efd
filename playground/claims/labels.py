"""Labels of a claim's experiments: their schedulers, and what differs between them."""

from __future__ import annotations

from collections.abc import Iterable

from playground.claims.openings import drawn_for, offered
from playground.web.words import gettext, ngettext
from scheduler_core import SCHEDULERS
from scheduler_core.claims import Claim
from scheduler_core.claims.papers import page_of, papers


def label_of(name: str) -> str:
    """Return a scheduler's label, or its name where there is none."""
    return next((spec.label for spec in SCHEDULERS if spec.name == name), name)


def labels_of(claim: Claim, names: Iterable[str]) -> list[str]:
    """Label experiments of a claim by their schedulers, sizes and masters as far as these differ, or by their names."""
    experiments = [*names]
    found = [facts_of(claim, name) for name in experiments]
    told = [[facts[0], *(fact for at, fact in enumerate(facts) if at and _differ(found, at))] for facts in found]
    labels = [", ".join(part for part in parts if part) for parts in told]
    common = set.intersection(*(set(name.split("_")) for name in experiments)) if experiments else set()
    own = [
        written([word for word in name.split("_") if word not in common and word not in label.lower()], claim)
        if labels.count(label) > 1
        else ""
        for label, name in zip(labels, experiments, strict=True)
    ]
    if all(own) and len(set(labels)) == 1:
        return [told[:1].upper() + told[1:] for told in own]
    return [f"{label} ({each})" if each else label for label, each in zip(labels, own, strict=True)]


def written(parts: list[str], claim: Claim) -> str:
    """Write the words of a setup's name, one or two of which the paper's file may have a meaning for."""
    paper = papers().get(page_of(claim))
    words = paper.words if paper is not None else {}
    told, left = [], parts
    while left:
        many = 2 if " ".join(left[:2]) in words else 1
        told.append(words.get(" ".join(left[:many]), left[0]))
        left = left[many:]
    return " ".join(told)


def facts_of(claim: Claim, name: str) -> tuple[str, ...]:
    """Name an experiment's scheduler, its machines and its masters."""
    experiment = offered(claim)[name]
    topology, scheduler = experiment.get("topology", {}), experiment["scheduler"]["name"]
    machines = _drawn_machines(claim, name) or [
        (cluster.get("repeat") or 1, sum(group.get("count") or 1 for group in cluster["machines"]))
        for cluster in topology.get("clusters", ())
    ]
    many = sum(repeat * count for repeat, count in machines)
    alone = any(spec.one_master for spec in SCHEDULERS if spec.name == scheduler)
    clusters = sum(repeat for repeat, _ in machines)
    masters = "1 × 1" if alone else f"{topology.get('global_masters') or 1} × {clusters}"
    return (
        label_of(scheduler),
        ngettext("{machines} machine", "{machines} machines", many, machines=f"{many:,}"),
        gettext("{masters} masters", masters=masters),
    )


def _drawn_machines(claim: Claim, name: str) -> list[tuple[int, int]]:
    """Return the clusters and the machines of each where a program draws them."""
    drawn = next((draw for draw in drawn_for(claim, name) if "machines" in draw), None)
    return [(drawn["clusters"], drawn["machines"] // drawn["clusters"])] if drawn is not None else []


def _differ(found: list[tuple[str, ...]], at: int) -> bool:
    return len({facts[at] for facts in found}) > 1
