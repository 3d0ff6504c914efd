"""How long importing a large Kubernetes cluster takes, and how much memory, on a file made for the purpose."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.measured import Measured
from scheduler_core import Experiment, simulate
from scheduler_core.inventory.build.importing import import_files, write_import
from scheduler_core.inventory.names import Names, new_key
from tools.sample_clusters import write_kubernetes


def importing_cluster(nodes: int = 5_000, pods: int = 150_000) -> Callable[[int], Measured]:
    """Seconds of processor time from the file of kubectl to the experiment and its cluster file; once."""

    def measure(repeats: int) -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cluster.json"
            write_kubernetes(path, nodes, pods, padding=40)
            began = time.process_time()
            imported = import_files([path], Names(new_key()), {"path": "out.cluster"})
            write_import(imported, Path(folder) / "out.json")
            took, most = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            note = f"{nodes:,} nodes, {pods:,} pods, {path.stat().st_size / 1e9:.1f} GB, processor time, {most:.0f} MB"
            return Measured((took,), note)

    return measure


def scheduling_cluster(percentage: int, nodes: int = 5_000, pods: int = 150_000) -> Callable[[int], Measured]:
    """Seconds of processor time in which kube-scheduler's rules place pods on nodes that are alike, preparing included.

    `percentage` is that of the nodes to score; 0 lets the number of nodes choose it, as upstream does. Once.
    """
    jobs = [
        {
            "arrival_s": number * 0.01,
            "durations_s": [1000.0 + number % 7] * 10,
            "demand": {"cpus": 1 + number % 3 / 2, "memory_gb": 2},
        }
        for number in range(pods // 10)
    ]
    experiment = {
        "schema_version": 1,
        "topology": {"clusters": [{"racks": 50, "machines": [{"count": nodes, "cpus": 64, "memory_gb": 256}]}]},
        "workload": {"kind": "inline", "jobs": jobs},
        "scheduler": {"name": "kubernetes", "params": {"decision_time": "none", "percentage": percentage}},
    }

    def measure(repeats: int) -> Measured:
        parsed = Experiment.parse(experiment)
        began = time.process_time()
        found = simulate(parsed).summary
        took = time.process_time() - began
        done, scored = found["tasks"]["completed"], found["counters"]["machines_scored"]
        return Measured((took,), f"{done:,} of {pods:,} pods, {scored:,} scores, processor time")

    return measure
