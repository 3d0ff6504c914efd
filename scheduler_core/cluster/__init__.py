"""The machines of a datacenter as arrays."""

from __future__ import annotations

from scheduler_core.cluster.build import Cluster, build_cluster

__all__ = ["Cluster", "build_cluster"]
