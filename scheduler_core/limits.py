"""Limits on the size of one experiment. A server that accepts strangers' experiments only lowers them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from scheduler_core.errors import Problem


@dataclass(frozen=True)
class Limits:
    """Upper bounds, checked before anything of that size is read or allocated."""

    machines: int = field(default=1_000_000, metadata={"of": "machines in one experiment"})
    clusters: int = field(default=1_000, metadata={"of": "clusters in one experiment"})
    global_masters: int = field(default=256, metadata={"of": "Global Masters"})
    queues: int = field(default=256, metadata={"of": "queues"})
    jobs: int = field(default=5_000_000, metadata={"of": "jobs in one workload"})
    tasks: int = field(default=30_000_000, metadata={"of": "tasks in one workload"})
    events: int = field(default=10_000, metadata={"of": "events"})
    simulated_events: int = field(default=20_000_000_000, metadata={"of": "events that one run processes"})
    resources: int = field(default=16, metadata={"of": "kinds of resources"})
    constraints: int = field(default=256, metadata={"of": "constraints in a catalogue"})
    trace_bytes: int = field(default=20_000_000_000, metadata={"of": "bytes of a trace, unpacked"})
    inventory_bytes: int = field(default=20_000_000_000, metadata={"of": "bytes of a cluster's files, unpacked"})
    inventory_objects: int = field(default=3_000_000, metadata={"of": "objects of a cluster"})
    inventory_object_bytes: int = field(default=4_000_000, metadata={"of": "bytes of one object of a cluster"})
    inventory_depth: int = field(default=64, metadata={"of": "levels of nesting in an object of a cluster"})
    inventory_machines: int = field(default=50_000, metadata={"of": "machines of a cluster"})
    inventory_pods: int = field(default=1_000_000, metadata={"of": "pods or jobs of a cluster"})
    inventory_labels: int = field(default=256, metadata={"of": "labels of one object"})
    inventory_yaml_bytes: int = field(default=50_000_000, metadata={"of": "bytes of a cluster's file in YAML"})
    study_runs: int = field(default=100_000, metadata={"of": "runs in one study"})
    study_bytes: int = field(default=500_000_000, metadata={"of": "bytes of all experiments of a study as JSON"})
    page_tasks: int = field(default=100_000, metadata={"of": "tasks that a page simulates"})
    page_machines: int = field(default=5_000, metadata={"of": "machines that a page simulates"})
    page_bytes: int = field(default=200_000_000, metadata={"of": "bytes of arrays that a page simulates"})
    json_bytes: int = field(default=4_000_000, metadata={"of": "bytes of an experiment as JSON"})
    json_depth: int = field(default=32, metadata={"of": "levels of nesting in an experiment"})
    json_values: int = field(default=1_000_000, metadata={"of": "values in an experiment"})
    memory_bytes: int = field(default=1 << 62, metadata={"of": "bytes of memory that a run takes"})

    def exceeded(self, name: str, asked: int, path: str) -> Problem | None:
        """Return a problem that names the limit if `asked` is above the limit `name`; None otherwise."""
        limit: int = getattr(self, name)
        if asked <= limit:
            return None
        of = next(f.metadata["of"] for f in fields(self) if f.name == name)
        return Problem(path, f"asks for {asked:,} {of}", f"at most {limit:,} (limit '{name}')", "ask for fewer")


DEFAULT_LIMITS = Limits()
