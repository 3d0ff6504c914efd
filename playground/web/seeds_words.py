"""Say what a seed changes in an experiment, in the reader's language.

In English these are the sentences of `scheduler_core.studies.seeds.seeds_change`; they follow from the same fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.web.words import gettext


def seeds_words(experiment: Mapping[str, Any]) -> str:
    """Return sentences on what differs between runs of an experiment's JSON under different seeds."""
    workload, draws = experiment["workload"], _and(_draws(experiment))
    if workload["kind"] in ("synthetic", "dag"):
        drawn = gettext("Each seed draws other jobs from the same distributions.")
        return f"{drawn} {gettext('It also decides {draws}.', draws=draws)}"
    if workload.get("resampling"):
        drawn = gettext("Each seed draws other blocks of the trace's jobs (circular block bootstrap).")
        return f"{drawn} {gettext('It also decides {draws}.', draws=draws)}"
    decides = gettext("A seed only decides {draws}.", draws=draws)
    if workload["kind"] == "trace":
        same = gettext("The jobs are those of the trace under every seed.")
        return f"{same} {decides} {gettext('Resample the trace to vary the jobs, too.')}"
    return f"{gettext('The jobs are those of the experiment under every seed.')} {decides}"


def _draws(experiment: Mapping[str, Any]) -> list[str]:
    """Return in words what a seed decides beside the jobs."""
    draws = [gettext("the scheduler's own random choices")]
    if experiment["workload"].get("queue_assignment") == "by_share":
        draws.append(gettext("which queue a job goes to"))
    if experiment.get("constraints"):
        draws.append(gettext("which machines and tasks have which constraints"))
    return draws


def _and(parts: list[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return gettext("{draws} and {last}", draws=", ".join(parts[:-1]), last=parts[-1])
