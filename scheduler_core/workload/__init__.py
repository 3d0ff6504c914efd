"""Workloads: trace readers, draws from distributions, and the arrays that an engine runs."""

from __future__ import annotations

from scheduler_core.workload.build import Workload, build_workload
from scheduler_core.workload.readers.registry import TRACE_READERS, read_trace, reader_by_name
from scheduler_core.workload.readers.registry import recognize as recognize_trace

__all__ = ["TRACE_READERS", "Workload", "build_workload", "read_trace", "reader_by_name", "recognize_trace"]
