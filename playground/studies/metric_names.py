"""Names of measured numbers and parameters for figures, tables and the API."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from scheduler_core.studies.counters import counter_labels

_HEADS = {
    "allocation_delay_s": "Queueing delay",
    "job_completion_s": "Job completion time",
    "job_delay_s": "Job delay",
    "delay_components_s.framework_queuing": "Wait in schedulers' queues",
    "delay_components_s.processing": "Wait while schedulers decide",
    "delay_components_s.communication": "Wait for messages",
    "delay_components_s.worker_queuing": "Wait in queues at machines",
    "makespan_s": "Makespan",
    "lost_work_s": "Lost work",
    "utilisation": "Utilization",
    "by_work_class.short.allocation_delay_s": "Short jobs of the work: queueing delay",
    "by_work_class.short.job_delay_s": "Short jobs of the work: job delay",
    "by_work_class.short.job_completion_s": "Short jobs of the work: job completion time",
    "by_work_class.long.allocation_delay_s": "Long jobs of the work: queueing delay",
    "by_work_class.long.job_delay_s": "Long jobs of the work: job delay",
    "by_work_class.long.job_completion_s": "Long jobs of the work: job completion time",
    "by_class.short.job_delay_s": "Short jobs: job delay",
    "by_class.short.job_completion_s": "Short jobs: job completion time",
    "by_class.long.job_delay_s": "Long jobs: job delay",
    "by_class.long.job_completion_s": "Long jobs: job completion time",
    "room.held": "Part of the resource that tasks held",
    "room.spread": "Unevenness of machines",
    "graphs.fairness_of_jobs": "Fairness among jobs",
    "graphs.job_completion_s": "Jobs that are graphs: completion time",
    "graphs.slowdown": "Jobs that are graphs: slowdown",
    "graphs.fair_share_slowdown": "Jobs that are graphs: slowdown against a fair share",
    "graphs.leftover_correlation": "Correlation of leftover",
    "graphs.leftover": "Leftover",
    "graphs": "Jobs that are graphs",
    "fairness": "Fairness among queues",
}

_NAMED = {
    "fairness.jain_mean": "Fairness among queues, by share (Jain, mean of minutes)",
    "fairness.jain_min": "Fairness among queues, by share (Jain, worst minute)",
    "fairness.jain_max": "Fairness among queues, by share (Jain, best minute)",
    "utilisation.cpus": "Utilization of CPUs",
    "utilisation.memory_gb": "Utilization of memory",
    "utilisation.gpus": "Utilization of GPUs",
    "fairness.entitled_jain": "Fairness among queues, by share and demand (Jain)",
    "fairness.entitled_worst": "Worst-served queue, share of its entitlement",
    "room.machines_used": "Machines with tasks",
    "fairness.window_s": "Fairness among queues, length of a window",
}
"""Names that the parts do not tell."""

_GROUP = re.compile(r"by_(?P<kind>queue|priority)\.(?P<name>.+)\.(?P<rest>[a-z]+|allocation_delay_s\.\w+)")
_FIT = re.compile(r"room\.fits\.(?P<type>.+)\.(?P<resource>\w+)\.(?P<which>mean|least|end)")
_OF_GROUP = {"tasks": "tasks", "started": "tasks started", "pending": "tasks pending", "stopped": "tasks stopped"}


CONSTANTS = frozenset({"by_work_class.cutoff_s", "fairness.window_s"})
"""Numbers of a summary that define others and are no result; no list offers them."""


def metric_words(name: str, schedulers: Iterable[str] = ()) -> str:
    """Name a measured number: `allocation_delay_s.p99` is `Queueing delay, p99`; counters as `schedulers` name them."""
    if name in _NAMED:
        return _NAMED[name]
    if name.startswith("counters."):
        counter = name.removeprefix("counters.")
        return _counters(frozenset(schedulers)).get(counter) or f"Counter, {plain(counter)}"
    if group := _GROUP.fullmatch(name):
        of, rest = f"{group['kind'].capitalize()} {group['name']}", group["rest"]
        return f"{of}: {_OF_GROUP.get(rest) or rest.replace('allocation_delay_s.', 'queueing delay, ')}"
    if fit := _FIT.fullmatch(name):
        asked = f"Largest request for {plain(fit['resource'])} that fits on a machine with {fit['type']}"
        return f"{asked.replace('_', ' ')}, {fit['which']}"
    parts = name.split(".")
    known = next((at for at in range(len(parts), 0, -1) if ".".join(parts[:at]) in _HEADS), 0)
    first, rest = ".".join(parts[: known or 1]), ".".join(parts[known or 1 :])
    head = _HEADS.get(first, plain(first)[:1].upper() + plain(first)[1:])
    words = " ".join(plain(part) for part in re.split(r"\.(?=[a-z])", rest) if part)
    return f"{head}, {words}" if words else head


@functools.cache
def _counters(schedulers: frozenset[str]) -> dict[str, str]:
    return counter_labels(schedulers)


def plain(name: str) -> str:
    return name.removesuffix("_s").replace("_", " ")
