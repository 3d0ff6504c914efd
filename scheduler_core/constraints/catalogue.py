"""The constraint catalogues for people: every number with its evidence."""

from __future__ import annotations

from typing import Any, Literal

from scheduler_core.constraints import asks, tables
from scheduler_core.experiment.catalogues import MEGHA_21, PHOENIX_9
from scheduler_core.experiment.constraints import MEGHA_CLUSTERS_SHARE

Evidence = Literal["measured", "authors' code", "published", "synthetic"]
AXES = ("cpu", "memory", "disk", "os", "clock", "network")
# Which kind of resource each of the nine is about; the assignment is ours, the six kinds are the paper's.
PHOENIX_AXES = ("cpu", None, "network", "cpu", "disk", "os", "os", "clock", "disk")
_LABELS = (
    "Architecture (ISA)",
    "Number of nodes",
    "Ethernet speed",
    "Number of cores",
    "Maximum disks",
    "Kernel version",
    "Platform family",
    "CPU clock speed",
    "Minimum disks",
)
_SOFT = ("ethernet_speed", "cpu_clock")
_MIXES: dict[str, Evidence] = {"google-a": "measured", "google-b": "synthetic", "google-c": "synthetic"}


def constraint_catalogues() -> dict[str, Any]:
    """Return the catalogs in JSON types: machine shares by mix, weights, slowdowns, kinds, and the evidence of each."""
    return {"axes": list(AXES), "catalogues": [_megha(), _megha_clusters(), _phoenix(), _custom()]}


def _number(value: float, evidence: Evidence) -> dict[str, Any]:
    return {"value": value, "evidence": evidence}


def _megha() -> dict[str, Any]:
    mixes = {mix: tables.machine_shares(mix) for mix in _MIXES}
    constraints = [
        {
            "name": name,
            "label": f"Constraint {number}",
            "axis": None,
            "soft": False,
            "machine_shares": {mix: _number(shares[number], _MIXES[mix]) for mix, shares in mixes.items()},
            "task_share": _number(tables.MEGHA_TASKS_PERCENT[number] / 100, "authors' code"),
            "slowdown": None,
        }
        for number, name in enumerate(MEGHA_21)
    ]
    return {
        "name": "megha-21",
        "label": "Megha's twenty-one",
        "about": "Numbered, not named, in the public constraint-aware simulator of Megha's authors. Tasks ask by "
        "classes, whose probabilities are scaled so that the wanted share of tasks asks for something.",
        "mixes": [{"name": mix, "evidence": _MIXES[mix], "about": tables.EVIDENCE[mix]} for mix in _MIXES],
        "constraints": constraints,
        "asks": _megha_asks(),
    }


def _megha_asks() -> dict[str, Any]:
    """Return what the catalogue draws, as `constraints.asks` would say it, so that a person can continue from there."""
    types = [[weight / sum(row) for weight in row] for row in tables.MEGHA_CLASS_WEIGHTS]
    classes = [
        {"weight": round(sum(row[number] for row in types) / len(types), 6), "factor": factor}
        for number, factor in enumerate(tables.MEGHA_CLASS_FACTORS)
    ]
    shares = [percent / 100 for percent in tables.MEGHA_TASKS_PERCENT]
    return {"probabilities": dict(zip(MEGHA_21, shares, strict=True)), "scale_to_share": True, "classes": classes}


def _megha_clusters() -> dict[str, Any]:
    weights = tables.megha_cluster_weights()
    marginal = [
        sum(weight * row[number] for weight, row in zip(weights, tables.MEGHA_CLUSTERS_PERCENT, strict=True)) / 100
        for number in range(len(MEGHA_21))
    ]
    megha, drawn = _megha(), asks.cluster_asks(MEGHA_CLUSTERS_SHARE, MEGHA_21)
    constraints = [
        one | {"task_share": _number(round(share, 6), "authors' code")}
        for one, share in zip(megha["constraints"], marginal, strict=True)
    ]
    return megha | {
        "name": "megha-clusters",
        "label": "Megha's twenty-one, by cluster",
        "about": "The same constraints, asked for as in that simulator: each task is of one of ten statistical "
        "clusters, each with frequencies of its own. 86 % of the tasks ask for something; a different share scales all "
        "frequencies.",
        "constraints": constraints,
        "asks": drawn.model_dump(mode="json", exclude_defaults=True) | {"scale_to_share": True},
    }


def _phoenix_asks() -> dict[str, Any]:
    shares = [weight / 100 for weight in tables.PHOENIX_TASKS_WEIGHT]
    return {"probabilities": dict(zip(PHOENIX_9, shares, strict=True)), "per_task": [1], "unit": "job"}


def _phoenix() -> dict[str, Any]:
    constraints = []
    for number, name in enumerate(PHOENIX_9):
        machines: Evidence = "synthetic" if name == "platform_family" else "authors' code"
        share = _number(tables.PHOENIX_MACHINES_SHARE[number], machines)
        constraints.append(
            {
                "name": name,
                "label": _LABELS[number],
                "axis": PHOENIX_AXES[number],
                "soft": name in _SOFT,
                "machine_shares": {"phoenix": share},
                "task_share": _number(tables.PHOENIX_TASKS_WEIGHT[number] / 100, "synthetic"),
                "slowdown": _number(tables.PHOENIX_SLOWDOWN[number], "published"),
            }
        )
    return {
        "name": "phoenix-9",
        "label": "Phoenix's nine",
        "about": "Names and slowdowns as the Phoenix paper's table gives them; a job asks for at most one.",
        "mixes": [{"name": "phoenix", "evidence": "authors' code", "about": tables.EVIDENCE["phoenix"]}],
        "constraints": constraints,
        "asks": _phoenix_asks(),
    }


def _custom() -> dict[str, Any]:
    return {
        "name": "custom",
        "label": "Your own",
        "about": "Shares, or comparisons of the machines' attributes.",
        "mixes": [{"name": "custom", "evidence": "synthetic", "about": tables.EVIDENCE["custom"]}],
        "constraints": [],
        "asks": None,
    }
