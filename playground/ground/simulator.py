"""Access to `scheduler_core`: check experiments, lower limits, find traces by their ids."""

from __future__ import annotations

import dataclasses
import json
import logging
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings

import scheduler_core
from playground.errors import PlaygroundError, ProblemItem, problem
from playground.ground import policy_limits
from playground.models import Experiment, Trace
from playground.storage.files import on_this_machine
from scheduler_core import SCHEDULERS, keep_rules, scheduler_by_name, unsupported
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.derived import refused_graphs
from scheduler_core.experiment.experiment import Experiment as CoreExperiment
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.policy.problems import POLICY_LIMITS, PolicyProblem

logger = logging.getLogger(__name__)

OWN = "own"
"""The scheduler whose policy is a text of the user's."""

_POLICY = "scheduler.params.policy"
_TRACE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_LIMIT_NAME = re.compile(r"limit '(\w+)'")
#: Limits of the core that a setting lowers.
_SETTINGS_OF_LIMITS = {
    "machines": "LIMIT_MACHINES",
    "tasks": "LIMIT_TASKS",
    "jobs": "LIMIT_TASKS",  # each has a task at least
    "study_runs": "LIMIT_STUDY_RUNS",
    "json_bytes": "LIMIT_BODY_BYTES",
    "trace_bytes": "LIMIT_TRACE_BYTES",
    "inventory_bytes": "LIMIT_CLUSTER_BYTES",
    "inventory_yaml_bytes": "LIMIT_CLUSTER_YAML_BYTES",
    "inventory_objects": "LIMIT_CLUSTER_OBJECTS",
    "inventory_machines": "LIMIT_CLUSTER_MACHINES",
    "inventory_pods": "LIMIT_CLUSTER_PODS",
    "inventory_object_bytes": "LIMIT_CLUSTER_OBJECT_BYTES",
    "inventory_depth": "LIMIT_CLUSTER_DEPTH",
    "inventory_labels": "LIMIT_CLUSTER_LABELS",
    "page_tasks": "LIMIT_PAGE_TASKS",
    "page_machines": "LIMIT_PAGE_MACHINES",
    "page_bytes": "LIMIT_PAGE_BYTES",
}
#: Limits that are no part of the core's `Limits`.
_SETTINGS_OF_OTHER_LIMITS = {"page_runs": "LIMIT_PAGE_RUNS"}


def web_limits() -> Limits:
    """Return the core's limits, lowered by the settings and never raised."""
    lowered = {
        name: min(getattr(settings, setting), getattr(DEFAULT_LIMITS, name))
        for name, setting in _SETTINGS_OF_LIMITS.items()
    }
    return dataclasses.replace(DEFAULT_LIMITS, **lowered)


def resolve_trace(trace_id: str) -> Path:
    """Find a trace by its id: bundled, in PLAYGROUND_TRACE_DIR (a file's name), or uploaded. Raises LookupError."""
    if is_trace_id(trace_id):
        for folder in (settings.FIXTURES_DIR / "traces", settings.TRACE_DIR):
            path = Path(folder) / trace_id
            if path.is_file():
                return path
        if (uploaded := uploaded_trace(trace_id)) is not None:
            return _uploaded(trace_id, str(uploaded.file.name))
    raise LookupError(trace_id)


def _uploaded(trace_id: str, stored: str) -> Path:
    try:
        return on_this_machine(stored)
    except FileNotFoundError:
        raise LookupError(trace_id) from None
    except OSError as error:
        logger.warning("trace %s cannot be read now: %s", trace_id, error)
        item = problem("workload.trace", "the server cannot reach the file right now", remedy="ask again in a moment")
        raise PlaygroundError(503, "no-files", "The trace cannot be read now", (item,), retry_after_s=5) from None


def is_trace_id(text: str) -> bool:
    """Return True if a text can be a trace's id; no path is one."""
    return _TRACE_ID.fullmatch(text) is not None


def uploaded_trace(trace_id: str) -> Trace | None:
    """Return the uploaded trace with an id; no text that cannot be one reaches the database."""
    return Trace.objects.filter(public_id=trace_id).first() if is_trace_id(trace_id) else None


def parse_experiment(data: dict[str, Any] | bytes) -> CoreExperiment:
    """Check an experiment that came over HTTP. Raises PlaygroundError."""
    try:
        experiment = CoreExperiment.parse(data, limits=web_limits())
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None
    stored = experiment.to_dict()
    if stored["workload"].get("path") is not None:
        raise refused_path()
    refuse_unstorable_text(stored)
    _refuse_large_policy(experiment)
    return experiment


def _refuse_large_policy(experiment: CoreExperiment) -> None:
    """Refuse a policy that is larger than the settings allow; the library has checked it against its own limits."""
    limits = policy_limits.policy_limits()
    scheduler = experiment.scheduler
    text = scheduler.params.get("policy")
    if limits == POLICY_LIMITS or not scheduler_by_name(scheduler.name).has_policy or not isinstance(text, str):
        return
    found = scheduler_core.check_policy(text, limits)["problems"]  # by name: the reader of policies loads when used
    if found:
        raise invalid_experiment(PolicyProblem(**one).problem(_POLICY) for one in found)


def refused_path() -> PlaygroundError:
    remedy = 'name a trace by its id: "trace": "..."'
    item = problem("workload.path", "files of the server are not read over HTTP", remedy=remedy)
    return PlaygroundError(422, "invalid-experiment", "The experiment cannot be used", (item,))


def stored_data(experiment: Experiment) -> dict[str, Any]:
    """Return a stored experiment in today's format, with the rules of the version that stored it written out.

    Everything that reads `experiment.data` to run, show or hand it on reads it here. Raises PlaygroundError.
    """
    try:
        return keep_rules(experiment.data, experiment.core_version)
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None


def stored_experiment(experiment: Experiment, *, seed: int | None = None) -> CoreExperiment:
    """Return what the core runs of a stored experiment, under another seed if one is given. Raises PlaygroundError."""
    data = stored_data(experiment)
    return parse_experiment(data if seed is None else data | {"seed": seed})


def refuse_unsupported(experiment: CoreExperiment) -> None:
    """Reject an experiment that uses features its scheduler does not support. Raises PlaygroundError."""
    honored = scheduler_by_name(experiment.scheduler.name).honors(experiment)
    problems = unsupported(experiment, honored)
    if (refusal := refused_graphs(experiment, honored)) is not None and has_graphs(
        getattr(experiment.workload, "trace", None)
    ):
        problems.append(refusal)
    if problems:
        raise invalid_experiment(problems)


def has_graphs(trace_id: str | None) -> bool:
    """Return True if reading the uploaded trace found DAG jobs; a file in a folder is only read by its run."""
    found = uploaded_trace(trace_id or "")
    return found is not None and bool(found.details.get("statistics", {}).get("graphs"))


def digest_of(experiment: CoreExperiment) -> str:
    """Return an experiment's digest (64 hex digits). Raises PlaygroundError if its trace cannot be read."""
    try:
        return experiment.digest(resolve_trace)
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None


def refuse_unstorable_text(data: object) -> None:
    """Refuse characters that databases do not store: lone surrogates and NUL."""
    text = json.dumps(data, ensure_ascii=False)
    if "\\u0000" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise refused_text()


def refused_text() -> PlaygroundError:
    item = problem("", "has a character that text cannot hold (NUL or half of a surrogate pair)", remedy="remove it")
    return PlaygroundError(422, "invalid-experiment", "The experiment cannot be used", (item,))


def invalid_experiment(problems: Iterable[Problem]) -> PlaygroundError:
    """Return the error 422 for an experiment with these problems."""
    items = tuple(named_by_setting(item) for item in problems)
    return PlaygroundError(422, "invalid-experiment", "The experiment cannot be used", items)


def named_by_setting(item: Problem) -> ProblemItem:
    """Name a limit by the setting that sets it here."""

    def setting(match: re.Match[str]) -> str:
        name = (_SETTINGS_OF_LIMITS | _SETTINGS_OF_OTHER_LIMITS).get(match[1])
        return f"setting PLAYGROUND_{name}" if name else match[0]

    if item.path.startswith(_POLICY):
        allowed = policy_limits.named_by_setting(item.allowed)
    else:
        allowed = _LIMIT_NAME.sub(setting, item.allowed)
    return problem(item.path, item.message, allowed=allowed, remedy=item.remedy, label=item.label)


def problems_in(error: ExperimentError) -> list[ProblemItem]:
    """Return the problems of a core error as JSON objects that name this server's settings."""
    return [named_by_setting(item) for item in error.problems]


def in_words(error: PlaygroundError) -> str:
    """Return an error as lines of text, for responses without an object for its problems."""
    return "\n".join(str(Problem(**item)) for item in error.problems) or error.title


def offered_schedulers() -> tuple[Any, ...]:
    """Return the schedulers that people may choose: the user's own policy first, then all that the library lists."""
    own = scheduler_by_name(OWN)
    return (own, *(spec for spec in SCHEDULERS if spec.name != OWN))


def scheduler_label(data: dict[str, Any]) -> str:
    """Return the scheduler's name for people; of one that is no longer there, the name that was stored."""
    name = str(data.get("scheduler", {}).get("name", ""))
    return next((spec.label for spec in offered_schedulers() if spec.name == name), name)
