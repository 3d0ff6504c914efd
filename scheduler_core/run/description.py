"""Describe a run for a viewer, once and before any frame. The description needs no kernel and no workload."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from scheduler_core.cluster import Cluster, build_cluster
from scheduler_core.cluster.build import THOUSANDTHS
from scheduler_core.cluster.partitions import partitions_of
from scheduler_core.contract import META_FORMAT
from scheduler_core.experiment import Experiment, ResolveTrace, effective_queues
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.version import __version__
from scheduler_core.world.spec import COMMON_COUNTERS, COMMON_SERIES, SchedulerSpec, layers_of


def describe(experiment: Experiment, *, resolve_trace: ResolveTrace | None = None) -> dict[str, Any]:
    """Return the description of a run (contract.Meta) in JSON types: layout, legends and declarations.

    `resolve_trace` maps the name of a trace to a file. Raises ExperimentError.
    """
    spec = scheduler_by_name(experiment.scheduler.name)
    cluster = build_cluster(experiment)
    totals = cluster.capacity.sum(axis=0)
    no_messages = spec.no_messages(experiment)
    return {
        "format": META_FORMAT,
        "core_version": __version__,
        "experiment": experiment.to_dict(),
        "experiment_digest": experiment.digest(resolve_trace),
        "seed": experiment.seed,
        "scheduler": {
            "name": spec.name,
            "label": spec.label,
            "family": spec.family,
            "paper": spec.paper,
            "composes": spec.composes,
        },
        "machines": cluster.machines,
        "resources": list(cluster.names),
        "capacity": [int(total) / THOUSANDTHS for total in totals],
        "clusters": _clusters(cluster, spec.partitioned),
        "graphs": "dag" in spec.supports,
        "network": spec.network,
        "messages": not no_messages,
        "no_messages": no_messages,
        "policies": [asdict(policy) for policy in spec.policies],
        "owners": [f"GM {number}" for number in range(cluster.global_masters)] if spec.partitioned else [],
        "queues": [
            {"name": queue.name, "share": queue.share, "owner": queue.global_master}
            for queue in effective_queues(experiment)
        ],
        "groups": None if spec.groups is None else asdict(spec.groups(experiment, cluster.machines)),
        "maps": [asdict(each) for each in spec.maps],
        "probes": spec.probes or spec.sends,
        "work": _work(spec, experiment),
        "layers": [asdict(layer) for layer in layers_of(spec, cluster.names, totals)],
        "marks": [asdict(mark) for mark in spec.marks],
        "counters": [asdict(counter) for counter in (*COMMON_COUNTERS, *spec.counters)],
        "series": [asdict(series) for series in (*COMMON_SERIES, *spec.series)],
        "hists": [{"name": "allocation_delay", "label": "Allocation delay", "unit": "ns"}],
        "reasons": [
            {"code": r.code, "name": r.name, "template": r.template, "fields": list(r.fields), "edits": list(r.edits)}
            for r in spec.reasons
        ],
    }


def _work(spec: SchedulerSpec, experiment: Experiment) -> dict[str, Any]:
    work, keeper = spec.work, spec.work.keeper
    refresh = None if work.refresh is None else work.refresh(experiment)
    moves = [(reason.code, move) for reason in spec.reasons if (move := work.move_of(reason))]
    return {
        "keeper": {"role": keeper.role, "label": keeper.label, "help": keeper.help}
        | ({"central": {"label": keeper.central, "help": keeper.central_help}} if keeper.central else {}),
        "legs": [asdict(leg) for leg in work.legs],
        "moves": [
            {"reason": code, "role": move.role, "frm": move.frm, "to": move.to, "wrong": move.wrong}
            for code, move in moves
        ],
        "decision": work.decision,
        **({"gate": work.gate} if work.gate else {}),
        **({} if refresh is None else {"refresh": asdict(refresh) | {"first_ns": list(refresh.first_ns)}}),
    }


def _clusters(cluster: Cluster, partitioned: bool) -> list[dict[str, Any]]:
    found = []
    for number, name in enumerate(cluster.cluster_names):
        first, end = int(cluster.cluster_first[number]), int(cluster.cluster_first[number + 1])
        racks = np.unique(cluster.rack_of[first:end], return_counts=True)[1]
        found.append(
            {
                "name": name,
                "first": first,
                "machines": end - first,
                "racks": racks.tolist(),
                "partitions": [
                    {"owner": owner, "first": start, "machines": count}
                    for owner, start, count in partitions_of(first, end, cluster.global_masters if partitioned else 0)
                ],
            }
        )
    return found
