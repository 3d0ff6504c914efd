"""The packed start of a finished run, and the module that goes on from it: with both, a page simulates by itself."""

from __future__ import annotations

import base64
import functools
import gzip
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.runs.results.files import require_done
from scheduler_core import engine_modules, library_digest

_WAIT_S = 25.0
_TITLE = "A page cannot simulate this run"


def ask_for_start(*, run: Run, touchable: bool = False) -> Told:
    """Ask a worker for the packed start of a finished run; `touchable`: a page may add failures to it.

    Raises PlaygroundError.
    """
    require_done(run)
    return ask(KIND, run.public_id, {"library": library_digest()[:16], "touchable": touchable})


async def wait_for_start(told: Told) -> bytes:
    """Return the packed start. Raises PlaygroundError: 422 where a page cannot simulate the run."""
    answer = await wait_for_answer(told, _WAIT_S, kind="not-in-a-page", title=_TITLE, busy="The start is not ready")
    return base64.b64decode(answer["start"])


@dataclass(frozen=True)
class Parts:
    """What a page needs to simulate a run: its start and its module; or why it cannot."""

    start: bytes = b""
    module: bytes = b""
    why_not: str = ""


async def parts_for_page(told: Told) -> Parts:
    """Return what a page that stands alone needs. Raises PlaygroundError where no worker answers."""
    try:
        start = await wait_for_start(told)
    except PlaygroundError as error:
        if error.status != HTTPStatus.UNPROCESSABLE_ENTITY:
            raise
        return Parts(why_not="; ".join(str(each["message"]) for each in error.problems) or error.title)
    return Parts(start=start, module=module_named(module_of(start)))


def module_of(start: bytes) -> str:
    """Return the name of the module that a packed start names."""
    content = gzip.decompress(start)
    header = json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])
    return str(header["module"])


def tag_of(run: Run, *, touchable: bool = False) -> str:
    """Return the entity tag of a run's start: the run never changes, and the library names the modules."""
    return f'"{run.public_id}-{library_digest()[:16]}{"-touchable" if touchable else ""}"'


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
    from scheduler_core import start_file  # loads the compiler, which the web process does without

    run = Run.objects.select_related("experiment").get(public_id=asking.key)
    experiment = stored_experiment(run.experiment, seed=run.seed)
    touchable = bool(asking.args["touchable"])
    made = start_file(experiment, touchable=touchable, resolve_trace=resolve_trace, limits=web_limits())
    return {"start": base64.b64encode(made.content).decode("ascii")}


# A start has megabytes, and a browser keeps its own copy: Redis keeps it for those who come together.
KIND = Kind("start", _answer, limit_s=60, kept_s=120, too_long="simulate fewer tasks")
