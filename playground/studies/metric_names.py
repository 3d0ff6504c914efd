"""Names of measured numbers and parameters for figures, tables and the API."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable

from playground.web.words import SOURCE, catalogue, gettext, language
from playground.web.words import marked as _
from scheduler_core.studies.counters import counter_labels

_HEADS = {
    "allocation_delay_s": _("Queueing delay"),
    "job_completion_s": _("Job completion time"),
    "job_delay_s": _("Job delay"),
    "delay_components_s.framework_queuing": _("Wait in schedulers' queues"),
    "delay_components_s.processing": _("Wait while schedulers decide"),
    "delay_components_s.communication": _("Wait for messages"),
    "delay_components_s.worker_queuing": _("Wait in queues at machines"),
    "makespan_s": _("Makespan"),
    "lost_work_s": _("Lost work"),
    "utilisation": _("Utilization"),
    "by_work_class.short.allocation_delay_s": _("Short jobs of the work: queueing delay"),
    "by_work_class.short.job_delay_s": _("Short jobs of the work: job delay"),
    "by_work_class.short.job_completion_s": _("Short jobs of the work: job completion time"),
    "by_work_class.long.allocation_delay_s": _("Long jobs of the work: queueing delay"),
    "by_work_class.long.job_delay_s": _("Long jobs of the work: job delay"),
    "by_work_class.long.job_completion_s": _("Long jobs of the work: job completion time"),
    "by_class.short.job_delay_s": _("Short jobs: job delay"),
    "by_class.short.job_completion_s": _("Short jobs: job completion time"),
    "by_class.long.job_delay_s": _("Long jobs: job delay"),
    "by_class.long.job_completion_s": _("Long jobs: job completion time"),
    "room.held": _("Part of the resource that tasks held"),
    "room.spread": _("Unevenness of machines"),
    "graphs.fairness_of_jobs": _("Fairness among jobs"),
    "graphs.job_completion_s": _("Jobs that are graphs: completion time"),
    "graphs.slowdown": _("Jobs that are graphs: slowdown"),
    "graphs.fair_share_slowdown": _("Jobs that are graphs: slowdown against a fair share"),
    "graphs.leftover_correlation": _("Correlation of leftover"),
    "graphs.leftover": _("Leftover"),
    "graphs": _("Jobs that are graphs"),
    "fairness": _("Fairness among queues"),
}

_NAMED = {
    "fairness.jain_mean": _("Fairness among queues, by share (Jain, mean of minutes)"),
    "fairness.jain_min": _("Fairness among queues, by share (Jain, worst minute)"),
    "fairness.jain_max": _("Fairness among queues, by share (Jain, best minute)"),
    "utilisation.cpus": _("Utilization of CPUs"),
    "utilisation.memory_gb": _("Utilization of memory"),
    "utilisation.gpus": _("Utilization of GPUs"),
    "fairness.entitled_jain": _("Fairness among queues, by share and demand (Jain)"),
    "fairness.entitled_worst": _("Worst-served queue, share of its entitlement"),
    "room.machines_used": _("Machines with tasks"),
    "fairness.window_s": _("Fairness among queues, length of a window"),
}
"""Names that the parts do not tell."""

_GROUP = re.compile(r"by_(?P<kind>queue|priority)\.(?P<name>.+)\.(?P<rest>[a-z]+|allocation_delay_s\.\w+)")
_FIT = re.compile(r"room\.fits\.(?P<type>.+)\.(?P<resource>\w+)\.(?P<which>mean|least|end)")
_KINDS = {"queue": _("Queue"), "priority": _("Priority")}
_OF_GROUP = {
    "tasks": _("tasks"),
    "started": _("tasks started"),
    "pending": _("tasks pending"),
    "stopped": _("tasks stopped"),
}
_FITS = {
    "mean": _("Largest request for {resource} that fits on a machine with {type}, mean"),
    "least": _("Largest request for {resource} that fits on a machine with {type}, least"),
    "end": _("Largest request for {resource} that fits on a machine with {type}, end"),
}
#: Parts of names that are words; other parts are written as they are.
_PARTS = (_("mean"), _("max"), _("min"), _("total"), _("completed"), _("started"), _("pending"), _("jobs"), _("tasks"))


CONSTANTS = frozenset({"by_work_class.cutoff_s", "fairness.window_s"})
"""Numbers of a summary that define others and are no result; no list offers them."""


def metric_words(name: str, schedulers: Iterable[str] = ()) -> str:
    """Name a measured number in English: `allocation_delay_s.p99` is `Queueing delay, p99`.

    Counters have the labels that `schedulers` give them.
    """
    return _worded(name, schedulers, str)


def measure_words(name: str, schedulers: Iterable[str] = ()) -> str:
    """Name a measured number in the reader's language."""
    schedulers = list(schedulers)
    english = metric_words(name, schedulers)
    if language() == SOURCE:
        return english
    whole = catalogue(language()).get(english)
    return whole if isinstance(whole, str) else _worded(name, schedulers, gettext)


def _worded(name: str, schedulers: Iterable[str], say: Callable[[str], str]) -> str:
    """Name a measured number of which `say` translates each text."""
    if name in _NAMED:
        return say(_NAMED[name])
    if name.startswith("counters."):
        counter = name.removeprefix("counters.")
        labels = _counters(frozenset(schedulers)).get(counter)
        if labels:
            return " / ".join(say(label) for label in labels.split(" / "))
        return f"{say(_('Counter'))}, {plain(counter)}"
    if group := _GROUP.fullmatch(name):
        return f"{say(_KINDS[group['kind']])} {group['name']}: {_of_group(group['rest'], say)}"
    if fit := _FIT.fullmatch(name):
        resource, machine = plain(fit["resource"]), fit["type"].replace("_", " ")
        return say(_FITS[fit["which"]]).format(resource=resource, type=machine)
    parts = name.split(".")
    known = next((at for at in range(len(parts), 0, -1) if ".".join(parts[:at]) in _HEADS), 0)
    first, rest = ".".join(parts[: known or 1]), ".".join(parts[known or 1 :])
    head = say(_HEADS.get(first, plain(first)[:1].upper() + plain(first)[1:]))
    words = " ".join(say(plain(part)) for part in re.split(r"\.(?=[a-z])", rest) if part)
    return f"{head}, {words}" if words else head


def _of_group(rest: str, say: Callable[[str], str]) -> str:
    """Name a number of a queue or of a priority."""
    if rest.startswith("allocation_delay_s."):
        return f"{say(_('queueing delay'))}, {say(rest.removeprefix('allocation_delay_s.'))}"
    return say(_OF_GROUP.get(rest) or rest)


@functools.cache
def _counters(schedulers: frozenset[str]) -> dict[str, str]:
    return counter_labels(schedulers)


def plain(name: str) -> str:
    return name.removesuffix("_s").replace("_", " ")
