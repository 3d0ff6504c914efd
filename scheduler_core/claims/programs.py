"""Machines that claims draw: those of public programs, and clusters with several mixes of constraints."""

from __future__ import annotations

import functools
import gzip
import itertools
import json
import random
from typing import Any

from scheduler_core.claims.drawn import draws
from scheduler_core.claims.outside import partitions_path
from scheduler_core.experiment.catalogues import MEGHA_21

#: Of each constraint: the latest place of its block of workers, and the block's size, as parts of all workers.
PHOENIX_BLOCKS = {
    "num_cores": (0.30, 0.60),
    "max_disks": (0.70, 0.20),
    "min_disks": (0.45, 0.45),
    "num_nodes": (0.15, 0.75),
    "kernel_version": (0.22, 0.69),
    "cpu_clock": (0.70, 0.22),
    "ethernet_speed": (0.35, 0.58),
}


@draws
def phoenix_blocks(seed: int, machines: int) -> dict[str, Any]:
    """Draw blocks of workers as the program of Phoenix's authors does; all workers have the instruction set."""
    draw = random.Random(seed)  # noqa: S311 - as that program draws
    blocks = {}
    for name, (latest, share) in PHOENIX_BLOCKS.items():
        first = draw.randint(0, int(latest * machines))
        blocks[name] = range(first, int(first + share * machines) + 1)
    ends = sorted({0, machines, *(end for block in blocks.values() for end in (block.start, block.stop))})
    groups = [
        {"count": end - start, "constraint_shares": {name: float(start in block) for name, block in blocks.items()}}
        for start, end in itertools.pairwise(ends)
    ]
    return {"topology": {"clusters": [{"name": "c", "machines": groups}]}}


@draws
def mixed_clusters(seed: int, clusters: int, machines: int) -> dict[str, Any]:
    """Return clusters of machines of 64 CPUs and 16 GB with mixes of constraints A, B and C in turn."""
    group = [{"count": machines // clusters, "cpus": 64, "memory_gb": 16}]
    named = [
        {"name": f"lm-{n}", "machines": group, "constraint_mix": f"google-{'abc'[n % 3]}"} for n in range(clusters)
    ]
    return {"topology.clusters": named}


@draws
def megha_partitions(seed: int) -> dict[str, Any]:
    """Return the 10,000 machines of Megha's second public program and what its tasks ask for. Raise Missing."""
    from scheduler_core.constraints import tables  # constraints load the compiler

    weights = tables.megha_cluster_weights()
    classes = [
        {"weight": weight, "probabilities": {n: p / 100 for n, p in zip(MEGHA_21, percents, strict=True)}}
        for weight, percents in zip(weights, tables.MEGHA_CLUSTERS_PERCENT, strict=True)
    ]
    custom = [{"name": n, "attribute": n, "comparison": "==", "value": True} for n in MEGHA_21]
    return {
        "topology": {"global_masters": 5, "clusters": _clusters()},
        "constraints": {"catalogue": "custom", "custom": custom, "asks": {"classes": classes}},
    }


@functools.cache
def _clusters() -> list[dict[str, Any]]:
    """Return a cluster for each Local Master, partition by partition."""
    partitions = json.loads(gzip.decompress(partitions_path().read_bytes()))["partitions"]
    clusters = []
    for lm in range(1, 6):
        mine = sorted((one for one in partitions if one["lm"] == lm), key=lambda one: int(one["gm"]))
        machines = [
            {"count": 1, "attributes": {name: bit == "1" for name, bit in zip(MEGHA_21, bits, strict=True)}}
            for one in mine
            for bits in one["machines"]
        ]
        clusters.append({"name": f"lm-{lm}", "machines": machines})
    return clusters
