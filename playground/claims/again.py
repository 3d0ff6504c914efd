"""Run a claim again on this server: a worker computes its experiments, and the page shows both results."""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, problem
from playground.ground.quotas import quota_of
from playground.ground.viewers import Viewer
from playground.questions import store
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, name_of, read, want
from playground.questions.kinds import Kind
from playground.questions.several import refuse_several
from playground.storage import workers
from playground.web.words import gettext
from scheduler_core import __version__
from scheduler_core.claims import Claim, known_claims
from scheduler_core.claims.outside import traces_folder
from scheduler_core.claims.results import saved_results
from scheduler_core.claims.running import check


def run_again(claim: Claim, viewer: Viewer) -> Told:
    """Ask a worker to run a claim's experiments, or join a request in progress. Raises PlaygroundError."""
    if not claim.runs:
        item = problem("", "its figures were recorded", allowed="a claim with experiments", remedy=claim.missing or "")
        raise PlaygroundError(409, "not-run-here", "This claim cannot be run here", (item,))
    known = told_of(claim)
    if known is None or known.is_over:
        name = name_of(KIND, claim.id, {})
        refuse_several(quota_of(viewer), name, setting="LIMIT_SEARCHES_PER_ADDRESS", what="searches")
    if known is not None and known.is_over:
        store.forget(known.name)  # whoever presses again wants it computed again
    return ask(KIND, claim.id, {})


def told_of(claim: Claim) -> Told | None:
    """Return how far the run of a claim is, or its answer while it is kept: an hour."""
    return read(name_of(KIND, claim.id, {}))


def wanted(claim: Claim) -> Told | None:
    """Keep a user's request for the run of a claim alive, and return its progress."""
    return want(name_of(KIND, claim.id, {}))


def payload_of(told: Told) -> dict[str, Any]:
    """Return what the API shows of a run; one that waits on a server without workers says so."""
    payload = told.payload()
    if told.state == "waiting" and not workers.any_worker_alive("previews"):
        item = problem("", "this server has no worker right now", remedy="start one: manage.py worker previews")
        payload["problems"] = [item]
    return payload


def fresh_figures(claim: Claim) -> dict[str, tuple[float, ...]]:
    """Return the figures of a claim's newest run here by the names of its measures; empty where there is none."""
    told = told_of(claim)
    if told is None or told.answer is None:
        return {}
    figures: dict[str, list[float | None]] = told.answer["figures"]
    return {name: tuple(value for value in values if value is not None) for name, values in figures.items()}


def _answer(asking: Asking) -> dict[str, Any]:
    claim = known_claims()[asking.key]
    found = check(claim, full=True, told=lambda done, of: asking.look(done / of))
    saved = saved_results().get(claim.id)
    return {
        "verdict": found.verdict,
        "why": found.why.replace(str(traces_folder()), gettext("the server's folder of traces")),
        "figures": {name: list(values) for name, values in found.figures.items()},
        "seeds": list(found.seeds),
        "version": __version__,
        "same": saved is not None and dict(saved.found.figures) == dict(found.figures),
    }


KIND = Kind(
    "claim", _answer, about_run=False, limit_s=300, kept_s=3600, too_long="run it by the command line, without a limit"
)
