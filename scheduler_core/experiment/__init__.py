"""The experiment: its model, checks, digest and schema."""

from __future__ import annotations

from scheduler_core.experiment.derived import cluster_names, effective_queues, resource_names, unsupported
from scheduler_core.experiment.experiment import Experiment, ResolveTrace, schema
from scheduler_core.experiment.rules import changed_rules, keep_rules, with_todays_rules
from scheduler_core.experiment.tracefile import trace_file
from scheduler_core.experiment.upgrade import upgrade

__all__ = [
    "Experiment",
    "ResolveTrace",
    "changed_rules",
    "cluster_names",
    "effective_queues",
    "keep_rules",
    "resource_names",
    "schema",
    "trace_file",
    "unsupported",
    "upgrade",
    "with_todays_rules",
]
