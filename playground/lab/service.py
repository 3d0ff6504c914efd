"""The constraint and workload lab: list the choices and describe drafts. The lab runs and stores nothing."""

from __future__ import annotations

import dataclasses
import functools
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

import scheduler_core  # compiling imports stay where their code needs them: they take half a second
from playground.errors import PlaygroundError, ProblemItem, problem
from playground.ground.simulator import named_by_setting, web_limits
from playground.storage import draining
from scheduler_core import ExperimentError, workload_presets
from scheduler_core.experiment.experiment import Experiment
from scheduler_core.experiment.reading import read_json
from scheduler_core.limits import Limits

LONGEST_CUTOFF_S = 100_000_000.0
_BYTES_OF_A_VALUE = 10
COMPILE_TASK = "playground.tasks.compile_lab_task"
#: Loading from the cache takes less, compiling far more. A request's thread waits meanwhile.
_PATIENCE_S = 2.0
_SETTINGS_OF_LIMITS = {"json_bytes": "LIMIT_DRAFT_BYTES", "tasks": "LIMIT_DRAFT_TASKS"}
_SETTING = re.compile(r"limit '(\w+)'")


def catalogues() -> dict[str, Any]:
    """Return the catalogues, and start loading the code of previews, because the caller will ask for previews next."""
    kernels.load()
    return _catalogues()


@functools.cache
def _catalogues() -> dict[str, Any]:
    return scheduler_core.constraint_catalogues()


def presets() -> list[dict[str, Any]]:
    """Return the workload presets, each with its evidence and its fit."""
    kernels.load()
    return _presets()


@functools.cache
def _presets() -> list[dict[str, Any]]:
    return [preset.model_dump(mode="json", exclude_none=True) for preset in workload_presets()]


def preview_constraints(*, body: bytes) -> dict[str, Any]:
    """Describe the constraints of a draft. Raises PlaygroundError."""
    limits = draft_limits()
    draft, _ = _read(body, limits, frozenset())
    return _answered(lambda: scheduler_core.constraint_preview(draft, limits=limits))


def preview_workload(*, body: bytes) -> dict[str, Any]:
    """Describe the workload of a draft. Raises PlaygroundError."""
    limits = draft_limits()
    draft, further = _read(body, limits, frozenset({"cutoff_s"}))
    cutoff_s = _cutoff(further.get("cutoff_s"))
    if draft.workload.kind == "trace":
        remedy = "use the trace's own statistics: GET /api/v1/traces/{id}/statistics"
        raise _refused(
            [problem("workload.kind", "previews show drawn workloads; a trace has statistics", remedy=remedy)]
        )
    return _answered(
        lambda: scheduler_core.workload_preview(
            draft, cutoff_s=cutoff_s, tasks=settings.LIMIT_DRAFT_TASKS, limits=limits
        )
    )


def draft_limits() -> Limits:
    """Return the limits of a request that a web process answers at once."""
    limits = web_limits()
    # A draft of the largest size that is full of wrong values holds far more of them than a right one.
    values = settings.LIMIT_DRAFT_BYTES // _BYTES_OF_A_VALUE
    json_bytes = min(limits.json_bytes, settings.LIMIT_DRAFT_BYTES)
    return dataclasses.replace(limits, json_bytes=json_bytes, json_values=min(limits.json_values, values))


def _read(body: bytes, limits: Limits, further: frozenset[str]) -> tuple[Experiment, dict[str, Any]]:
    """Parse a request: return the draft and the other fields that it may have."""
    try:
        data = read_json(body, limits)
    except ExperimentError as error:
        raise _not_usable(error) from None
    known = ("experiment", *sorted(further))
    items = [
        problem(str(key)[:100], "is not a known key", allowed=", ".join(known)) for key in data if key not in known
    ]
    if "experiment" not in data:
        items.append(problem("experiment", "is missing", remedy='send {"experiment": {...}}'))
    if items:
        raise _refused(items)
    try:
        draft = Experiment.parse(data.pop("experiment"), limits=limits)
    except ExperimentError as error:
        raise _not_usable(error) from None
    return draft, data


def _cutoff(given: object) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= LONGEST_CUTOFF_S:
        allowed = f"a number above 0 and at most {LONGEST_CUTOFF_S:,.0f}"
        raise _refused([problem("cutoff_s", "is not a possible job duration in seconds", allowed=allowed)])
    return float(given)


def _answered(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Do the work in this process with compiled code; only workers compile."""
    kernels.load()
    try:
        if not kernels.ready.wait(_PATIENCE_S):
            raise scheduler_core.NotCompiled
        with scheduler_core.only_compiled():
            return work()
    except ExperimentError as error:
        raise _not_usable(error) from None
    except scheduler_core.NotCompiled:
        item = problem("", "the server has just started and compiles what previews need", remedy="ask again in 3 s")
        raise PlaygroundError(503, "starting", "No preview yet", (item,), retry_after_s=3) from None


def _not_usable(error: ExperimentError) -> PlaygroundError:
    return _refused([_named(item) for item in error.problems])


def _named(item: Any) -> ProblemItem:
    """Name the limits of drafts by their settings, the others as everywhere."""

    def setting(match: re.Match[str]) -> str:
        name = _SETTINGS_OF_LIMITS.get(match[1])
        return f"setting PLAYGROUND_{name}" if name else match[0]

    return named_by_setting(dataclasses.replace(item, allowed=_SETTING.sub(setting, item.allowed)))


def _refused(items: list[ProblemItem]) -> PlaygroundError:
    return PlaygroundError(422, "invalid-draft", "There is no preview of this", tuple(items))


class _Kernels:
    """Load the compiled code of previews in a thread, so that no request waits for a compiler."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self._loading = threading.Lock()

    def load(self) -> None:
        """Start loading unless loading has started or finished."""
        if not self.ready.is_set() and self._loading.acquire(blocking=False):
            threading.Thread(target=self._load, name="lab-kernels", daemon=True).start()

    def _load(self) -> None:
        try:
            with scheduler_core.only_compiled():
                scheduler_core.compile_drawing()
            self.ready.set()
        except scheduler_core.NotCompiled:
            with suppress(OperationalError):
                current_app.send_task(COMPILE_TASK, queue="previews", expires=60, ignore_result=True)
        finally:
            self._loading.release()


kernels = _Kernels()


def compile_kernels() -> None:
    """Compile the code of previews into the cache (in a worker); a drained worker stops, and the page asks again."""

    def check() -> None:
        if draining.has_begun():
            raise scheduler_core.Cancelled

    with suppress(scheduler_core.Cancelled), scheduler_core.compile_while(check):
        scheduler_core.compile_drawing()
