"""Run a paper's claim again on this server."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from playground.claims.again import payload_of, run_again, wanted
from playground.claims.experiments import claim_experiment
from playground.errors import not_found
from playground.web.schemas import QuestionProgress, QuestionState, Shape
from scheduler_core.contract import HttpProblem

router = Router(tags=["papers"])
_ERRORS = dict.fromkeys((403, 404, 409, 422, 429, 503), HttpProblem)


class ClaimAnswerOut(Shape):
    """The result of a claim's experiments."""

    verdict: str
    """`reproduced`, `sign only` (the right direction, another size), `not reproduced` or `cannot be run`."""
    why: str
    """What is missing and how to get it, if the claim cannot be run. Else empty."""
    figures: dict[str, list[float | None]]
    """The figures by the names of the claim's measures, one for each seed; null where a run has none."""
    seeds: list[int]
    """The seeds, in the order of the figures."""
    version: str
    """The version of the library that computed the figures."""
    same: bool
    """Whether the figures equal those that come with the library."""


class ClaimRunOut(Shape):
    """How far the run of a claim is."""

    state: QuestionState
    progress: QuestionProgress
    problems: list[dict[str, Any]]
    """Why it failed, or why it does not start; else empty. Each is a ProblemItem."""
    answer: ClaimAnswerOut | None
    """The result; null until the state is `done`."""


@router.post("/papers/claims/{claim_id}/run", response={202: ClaimRunOut, **_ERRORS})
def start(request: HttpRequest, response: HttpResponse, claim_id: str) -> Any:
    """Compute a claim's experiments again. Simultaneous requests share the answer, which is kept for an hour."""
    return Status(202, payload_of(run_again(claim_id=claim_id)))


@router.get("/papers/claims/{claim_id}/run", response={200: ClaimRunOut, **_ERRORS})
def read(request: HttpRequest, claim_id: str) -> Any:
    """Give the progress of a claim's run. The run ends when nobody asks."""
    told = wanted(claim_id=claim_id)
    if told is None:
        raise not_found("run")
    return payload_of(told)


@router.get("/papers/claims/{claim_id}/experiments/{setup}", response={200: dict[str, Any], **_ERRORS})
def experiment(request: HttpRequest, claim_id: str, setup: str) -> Any:
    """Give one experiment of a claim under its first seed, with the workload that a program draws; store nothing."""
    return claim_experiment(claim_id=claim_id, setup=setup)
