"""The packed start of a finished run, and the module that goes on from it: with both, a page simulates by itself."""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.conf import settings

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import (
    invalid_experiment,
    parse_experiment,
    resolve_trace,
    stored_experiment,
    web_limits,
)
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.runs.results.files import require_done
from playground.runs.results.page_reasons import worded
from scheduler_core import Experiment, ExperimentError, engine_modules, library_digest
from scheduler_core.experiment.settings import Value, variants_of, with_own_values

_WAIT_S = 25.0
_PAGE_WAIT_S = 55.0
_TITLE = "A page cannot simulate this run"
_BUSY = "The start is not ready"


@dataclass(frozen=True)
class Wanted:
    """Which start of a run a page wants.

    `touchable`: a page may add failures to it. `events` are some more than the run has. `changes` are other values of
    its experiment, by path; such a start is touchable and not simulated, and `full` are the arrays that an earlier one
    had too small (scheduler_core.changed_start).
    """

    touchable: bool = False
    events: Sequence[Mapping[str, Any]] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
    full: Sequence[int] = ()

    def told(self) -> dict[str, Any]:
        """Return it as JSON, without what it does not have."""
        more = {"events": list(self.events), "changes": dict(self.changes), "full": list(self.full)}
        return {"touchable": self.touchable} | {name: value for name, value in more.items() if value}


_PLAIN = Wanted()


def ask_for_start(*, run: Run, wanted: Wanted = _PLAIN) -> Told:
    """Ask a worker for the packed start of a finished run.

    Raises PlaygroundError, also for events and values that it cannot have.
    """
    require_done(run)
    if wanted.events or wanted.changes:
        _changed(_with_events(run, wanted.events), wanted.changes)
    return ask(KIND, run.public_id, {"library": library_digest()[:16]} | wanted.told())


def ask_for_page(*, run: Run, chosen: Mapping[str, Sequence[Value]]) -> Told:
    """Ask a worker for what an exported page simulates of a finished run; `chosen` has values of settings by path.

    Raises PlaygroundError, also for values that the experiment cannot have.
    """
    require_done(run)
    experiment = stored_experiment(run.experiment, seed=run.seed)
    try:
        values = with_own_values(experiment, chosen, page_runs=settings.LIMIT_PAGE_RUNS)
        for _, changed in variants_of(experiment, values):
            parse_experiment(changed.to_dict())
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None
    return ask(KIND, run.public_id, {"library": library_digest()[:16], "page": values})


async def wait_for_start(told: Told, wait_s: float = _WAIT_S) -> bytes:
    """Return the packed start. Raises PlaygroundError in the reader's language: 422 if no page can simulate the run."""
    try:
        answer = await wait_for_answer(told, wait_s, kind="not-in-a-page", title=_TITLE, busy=_BUSY)
    except PlaygroundError as error:
        raise worded(error) from None
    return base64.b64decode(answer["start"])


@dataclass(frozen=True)
class Parts:
    """What a page needs to simulate a run: its start and its modules by name; or why it cannot.

    `touchable`: a reader may let machines fail. `settings` are those that a reader may change: `path`, `values`, and
    `own`, the place of the run's own value.
    """

    start: bytes = b""
    modules: dict[str, bytes] = field(default_factory=dict)
    settings: list[dict[str, Any]] = field(default_factory=list)
    touchable: bool = False
    why_not: str = ""


async def parts_for_page(told: Told) -> Parts:
    """Return what a page that stands alone needs. Raises PlaygroundError where no worker answers.

    A run that no page can simulate has no settings: this raises, too, if some were chosen.
    """
    try:
        start = await wait_for_start(told, _PAGE_WAIT_S)
    except PlaygroundError as error:
        if error.status != HTTPStatus.UNPROCESSABLE_ENTITY or told.facts["args"]["page"]:
            raise
        return Parts(why_not="; ".join(str(each["message"]) for each in error.problems) or error.title)
    header = header_of(start)
    names = [header["module"], *(each["module"] for each in header.get("variants", ()))]
    modules = {name: module_named(name) for name in names}
    return Parts(start, modules, header.get("settings", []), "touch" in header)


def header_of(start: bytes) -> dict[str, Any]:
    """Return the header of a packed start: which module it needs, and what a page may change."""
    content = gzip.decompress(start)
    header: dict[str, Any] = json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])
    return header


def tag_of(run: Run, wanted: Wanted = _PLAIN) -> str:
    """Return the entity tag of a run's start: the run never changes, and the library names the modules."""
    told = wanted.told()
    touchable = told.pop("touchable")
    more = f"-{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]}" if told else ""
    return f'"{run.public_id}-{library_digest()[:16]}{"-touchable" if touchable else ""}{more}"'


def _with_events(run: Run, events: Sequence[Mapping[str, Any]]) -> Experiment:
    """Return the run's experiment with these events more. Raises PlaygroundError."""
    experiment = stored_experiment(run.experiment, seed=run.seed)
    if not events:
        return experiment
    stored = experiment.to_dict()
    return parse_experiment(stored | {"events": [*stored["events"], *events]})


def _changed(experiment: Experiment, changes: Mapping[str, Any]) -> Experiment:
    """Return the experiment with other values. Raises PlaygroundError."""
    try:
        return parse_experiment(experiment.with_(changes).to_dict()) if changes else experiment
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None


def module_named(name: str) -> bytes:
    """Return a module of this library. Raises PlaygroundError (404)."""
    found = _modules().get(name)
    if found is None:
        item = problem("", "this version of the library has no such module", remedy="load the page again")
        raise PlaygroundError(404, "not-found", "There is no such module", (item,))
    return found


@functools.cache
def _modules() -> dict[str, bytes]:
    """Return all modules by name: 1.6 MB, read once."""
    return engine_modules()


def _answer(asking: Asking) -> dict[str, Any]:
    # Load the compiler, which the web process does without.
    from scheduler_core import changed_start, page_start, start_file

    run = Run.objects.select_related("experiment").get(public_id=asking.key)
    experiment = _with_events(run, asking.args.get("events", ()))
    given: dict[str, Any] = {"resolve_trace": resolve_trace, "limits": web_limits()}
    if changes := asking.args.get("changes"):
        made = changed_start(experiment, changes, full=asking.args.get("full", ()), **given)
    elif (chosen := asking.args.get("page")) is None:
        made = start_file(experiment, touchable=bool(asking.args["touchable"]), **given)
    else:
        given |= {"page_runs": settings.LIMIT_PAGE_RUNS, "on_slice": asking.on_slice}
        made = page_start(experiment, chosen, **given)
    return {"start": base64.b64encode(made.content).decode("ascii")}


# A start has megabytes, and a browser keeps its own copy: Redis keeps it for those who come together.
KIND = Kind("start", _answer, limit_s=60, kept_s=120, too_long="simulate fewer tasks")
