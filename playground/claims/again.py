"""Run a claim again on this server: a worker computes its experiments, and the page shows both results."""

from __future__ import annotations

from dataclasses import dataclass
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
from scheduler_core.claims.over_seeds import seeds_inside, verdict_over
from scheduler_core.claims.results import saved_results
from scheduler_core.claims.running import check_together


@dataclass(frozen=True)
class Seeds:
    """Seeds that take the place of a claim's own: `count` of them from `first` on, or none: the claim keeps its own."""

    count: int = 0
    first: int = 101

    @property
    def args(self) -> dict[str, Any]:
        """The rest of the question to a worker."""
        return {"count": self.count, "first": self.first} if self.count else {}


OWN = Seeds()


def run_again(claim: Claim, viewer: Viewer, seeds: Seeds = OWN) -> Told:
    """Ask a worker to run a claim's experiments, or join a request in progress. Raises PlaygroundError."""
    if not claim.runs:
        item = problem("", "its figures were recorded", allowed="a claim with experiments", remedy=claim.missing or "")
        raise PlaygroundError(409, "not-run-here", "This claim cannot be run here", (item,))
    known = told_of(claim, seeds)
    if known is None or known.is_over:
        name = name_of(KIND, claim.id, seeds.args)
        refuse_several(quota_of(viewer), name, setting="LIMIT_SEARCHES_PER_ADDRESS", what="searches")
    if known is not None and known.is_over:
        store.forget(known.name)  # whoever presses again wants it computed again
    return ask(KIND, claim.id, seeds.args)


def told_of(claim: Claim, seeds: Seeds = OWN) -> Told | None:
    """Return how far the run of a claim is, or its answer while it is kept: an hour."""
    return read(name_of(KIND, claim.id, seeds.args))


def wanted(claim: Claim, seeds: Seeds = OWN) -> Told | None:
    """Keep a user's request for the run of a claim alive, and return its progress."""
    return want(name_of(KIND, claim.id, seeds.args))


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
    count, first = asking.args.get("count", 0), asking.args.get("first", 0)
    seeds = tuple(range(first, first + count))
    (found,) = check_together([claim], full=True, seeds=seeds, told=lambda done, of: asking.look(done / of))
    saved = saved_results().get(claim.id)
    inside = seeds_inside(claim, found) if count else {}
    return {
        "verdict": verdict_over(claim, found) if count else found.verdict,
        "why": found.why.replace(str(traces_folder()), gettext("the server's folder of traces")),
        "figures": {name: list(values) for name, values in found.figures.items()},
        "seeds": list(found.seeds),
        "outside": [seed for seed, held in inside.items() if not held],
        "version": __version__,
        "same": saved is not None and dict(saved.found.figures) == dict(found.figures),
    }


KIND = Kind(
    "claim",
    _answer,
    about_run=False,
    limit_s=300,
    kept_s=3600,
    too_long="choose fewer seeds, or run it by the command line, without a limit",
)
