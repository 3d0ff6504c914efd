"""Make the sample files of clusters under fixtures/clusters, or large ones of the same form for a benchmark.

    .venv/bin/python tools/sample_clusters.py
    .venv/bin/python tools/sample_clusters.py kubernetes --nodes 5000 --pods 150000 OUT.json

Everything in them is made up: names, sizes and times come from the arithmetic below.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "fixtures" / "clusters"
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SIZES = (("m-16", "16", "64Gi"), ("m-32", "32", "128Gi"), ("c-64", "64", "128Gi"))
NAMESPACES = ("web", "shop", "data", "ml", "batch")
ZONES = ("zone-a", "zone-b", "zone-c")
PODS_PER_OWNER = 12


def stamp(seconds_ago: float) -> str:
    """Return a time before NOW as Kubernetes writes it."""
    return (NOW - timedelta(seconds=seconds_ago)).strftime("%Y-%m-%dT%H:%M:%SZ")


def node(number: int) -> dict[str, Any]:
    """Return a node as `kubectl get nodes -o json` prints it."""
    kind, cpus, memory = SIZES[number % 3]
    name = f"node-{number:04d}"
    gpu = number % 20 == 19
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": kind,
        "topology.kubernetes.io/zone": ZONES[number % 7 % 3],
        "example.com/rack": f"r-{number // 16}",
    }
    allocatable = {"cpu": cpus, "memory": memory, "pods": "110", "ephemeral-storage": "100Gi"}
    taints = [{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}] if gpu else []
    if gpu:
        allocatable["nvidia.com/gpu"] = "4"
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "creationTimestamp": stamp(9_000_000)},
        "spec": {"podCIDR": "10.0.0.0/24", **({"taints": taints} if taints else {})},
        "status": {
            "allocatable": allocatable,
            "capacity": allocatable,
            "addresses": [{"type": "InternalIP", "address": f"10.1.{number // 250}.{number % 250}"}],
            "conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": stamp(number % 60)}],
        },
    }


def pod(number: int, nodes: int, padding: int = 0) -> dict[str, Any]:
    """Return a pod as `kubectl get pods -o json` prints it; `padding` adds variables that nobody reads."""
    owner = number // PODS_PER_OWNER
    kind = ("ReplicaSet", "ReplicaSet", "StatefulSet", "Job", "DaemonSet")[owner % 5]
    namespace = NAMESPACES[owner % 7 % 5]
    name = f"{kind.lower()}-{owner:05d}"
    gpu = kind == "Job" and owner % 4 == 3 and number % PODS_PER_OWNER < 2
    waits = kind == "Job" and number % PODS_PER_OWNER == 11
    cpu, memory = ((250, "256Mi"), (500, "1Gi"), (1000, "2Gi"), (2000, "4Gi"))[owner % 4]
    requests = {"cpu": f"{cpu}m", "memory": memory, **({"nvidia.com/gpu": "1"} if gpu else {})}
    at = (number * 7919) % nodes
    if gpu:
        at = 19 + 20 * (owner % max(nodes // 20, 1))
    spec: dict[str, Any] = {
        "containers": [
            {
                "name": "main",
                "image": f"registry.example.com/{name}:1",
                "resources": {"requests": requests},
                "env": [{"name": f"SETTING_{k}", "value": "x" * 40} for k in range(padding)],
            }
        ],
        "restartPolicy": "Never" if kind == "Job" else "Always",
        "schedulerName": "default-scheduler",
        "priority": 1000 if namespace == "web" else -5 if namespace == "batch" else 0,
        "tolerations": [
            {
                "key": "node.kubernetes.io/not-ready",
                "operator": "Exists",
                "effect": "NoExecute",
                "tolerationSeconds": 300,
            },
            *([{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}] if gpu else []),
        ],
        **({} if waits else {"nodeName": f"node-{at:04d}"}),
    }
    labels = {"app": name, "example.com/team": f"team-{owner % 9}"}
    if kind == "ReplicaSet":
        labels["pod-template-hash"] = f"{owner:09x}"
        spec["topologySpreadConstraints"] = [
            {
                "maxSkew": 1,
                "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": {"matchLabels": {"app": name}},
            }
        ]
    if kind == "StatefulSet":
        labels["statefulset.kubernetes.io/pod-name"] = f"{name}-{number % PODS_PER_OWNER}"
        terms = [{"labelSelector": {"matchLabels": {"app": name}}, "topologyKey": "kubernetes.io/hostname"}]
        spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    created = stamp(60 + number * 37 % 500_000)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{name}-{number % PODS_PER_OWNER}",
            "namespace": namespace,
            "labels": labels,
            "annotations": {"example.com/note": "made up"},
            "creationTimestamp": created,
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": kind, "name": name, "controller": True}],
        },
        "spec": spec,
        "status": {"phase": "Pending" if waits else "Running", **({} if waits else {"startTime": created})},
    }


def objects(nodes: int, pods: int, padding: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the objects of a Kubernetes cluster."""
    yield from (node(number) for number in range(nodes))
    yield from (pod(number, nodes, padding) for number in range(pods))
    for number, name in enumerate(NAMESPACES):
        meta = {"name": name, "labels": {"kubernetes.io/metadata.name": name}}
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": meta}
        if number % 2 == 0:
            hard = {"requests.cpu": str(nodes * 4), "requests.memory": f"{nodes * 16}Gi"}
            meta = {"name": "quota", "namespace": name}
            yield {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": meta, "spec": {"hard": hard}}
    yield {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "keep-most", "namespace": "web"},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "replicaset-00000"}}},
        "status": {"disruptionsAllowed": 1},
    }


def write_kubernetes(path: Path, nodes: int, pods: int, padding: int = 0) -> None:
    """Write a list as kubectl prints it, an object at a time."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{\n    "apiVersion": "v1",\n    "items": [\n')
        for number, it in enumerate(objects(nodes, pods, padding)):
            text = json.dumps(it, indent=4).replace("\n", "\n        ")
            file.write(f"{',' if number else ''}\n        {text}")
        file.write('\n    ],\n    "kind": "List"\n}\n')


def write_slurm(folder: Path, nodes: int, jobs: int) -> None:
    """Write what scontrol and sacct print."""
    records = []
    for number in range(nodes):
        gpu = number % 8 == 7
        records.append(
            f"NodeName=n{number:03d} Arch=x86_64 CoresPerSocket=32\n   CPUAlloc=0 CPUEfctv=64 CPUTot=64 CPULoad=1.02\n"
            f"   AvailableFeatures=avx2 ActiveFeatures=avx2\n   Gres={'gpu:a:4(S:0-1)' if gpu else '(null)'}\n"
            f"   NodeAddr=10.2.0.{number} NodeHostName=n{number:03d}\n   OS=Linux 6.1\n"
            f"   RealMemory=256000 AllocMem=0\n"
            f"   State={'IDLE+DRAIN' if number == 3 else 'IDLE'} ThreadsPerCore=2\n"
            f"   Partitions={'gpu' if gpu else 'cpu'}\n"
        )
    (folder / "scontrol-nodes.txt").write_text("\n".join(records), "utf-8")
    parts = [
        f"PartitionName={name}\n   AllowGroups=ALL Default={default}\n   MaxTime={most}\n"
        f"   Nodes=n[000-{nodes - 1:03d}]\n   PriorityTier={tier} State=UP\n"
        for name, default, most, tier in (("cpu", "YES", "2-00:00:00", 1), ("gpu", "NO", "1-00:00:00", 5))
    ]
    (folder / "scontrol-partitions.txt").write_text("\n".join(parts), "utf-8")
    (folder / "sacct.txt").write_text("\n".join(_sacct(jobs, nodes)) + "\n", "utf-8")


def _sacct(jobs: int, nodes: int) -> Iterator[str]:
    yield (
        "JobID|JobName|User|Account|Partition|QOS|State|Submit|Start|End|Elapsed|Timelimit|NNodes|AllocCPUS|ReqMem|"
        "NodeList"
    )
    start = datetime(2026, 3, 2, tzinfo=UTC)
    for number in range(jobs):
        submit = start + timedelta(seconds=number * 97)
        wait, lasts = number * 31 % 900, 60 + number * 7919 % 7200
        begin = submit + timedelta(seconds=wait)
        end = begin + timedelta(seconds=lasts)
        size = 1 + (number % 9 == 0) * 3
        state = ("COMPLETED", "COMPLETED", "FAILED", "COMPLETED", "CANCELLED by 1000", "TIMEOUT")[number % 6]
        where = f"n[{number % (nodes - 4):03d}-{number % (nodes - 4) + size - 1:03d}]"
        times = "|".join(time.strftime("%Y-%m-%dT%H:%M:%S") for time in (submit, begin, end))
        elapsed = f"{lasts // 3600:02d}:{lasts // 60 % 60:02d}:{lasts % 60:02d}"
        partition = "gpu" if number % 8 == 7 else "cpu"
        tail = f"{elapsed}|04:00:00|{size}|{size * 16}|{size * 32}G|{where}"
        head = f"sample|user{number % 7}|group{number % 3}|{partition}|normal|{state}|{times}|{tail}"
        yield f"{1000 + number}|{head}"
        yield f"{1000 + number}.batch|batch||group||||{times}|{elapsed}||1|16||{where}"
        if number % 5 == 0:
            yield f"{1000 + number}.0|step||group||{state}|{times}|{elapsed}||{size}|16||{where}"
    late = (start + timedelta(seconds=jobs * 97)).strftime("%Y-%m-%dT%H:%M:%S")
    tail = f"PENDING|{late}|Unknown|Unknown|00:00:00|01:00:00|1|4|8G|None assigned"
    yield f"{1000 + jobs}_[1-20%4]|array|user1|group1|cpu|normal|{tail}"


def main(arguments: list[str]) -> int:
    """Write the samples of the project, or one large file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["kubernetes"])
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--nodes", type=int, default=5_000)
    parser.add_argument("--pods", type=int, default=150_000)
    parser.add_argument("--padding", type=int, default=40)
    args = parser.parse_args(arguments)
    if args.what is not None:
        write_kubernetes(args.out, args.nodes, args.pods, args.padding)
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_kubernetes(FOLDER / "kubernetes.json", 24, 420)
    write_slurm(FOLDER, 24, 240)
    (FOLDER / "machines.csv").write_text(
        "type,count,cpus,memory_gb,gpus,cluster\nsmall,40,16,64,0,east\nlarge,10,64,256,0,east\ngpu,4,32,256,4,west\n",
        "utf-8",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
