"""Run a paper's claim again on this server."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema, Status

from playground.claims.again import payload_of, run_again, wanted
from playground.claims.experiments import claim_experiment
from playground.errors import not_found
from scheduler_core.contract import HttpProblem

router = Router(tags=["papers"])
_ERRORS = dict.fromkeys((403, 404, 409, 422, 429, 503), HttpProblem)


class ClaimAnswerOut(Schema):
    """A claim's run: verdict, figures by measure and seed, and whether they are those that were saved.

    `why` says what is missing, and how to get it, where it could not be run.
    """

    verdict: str
    why: str
    figures: dict[str, list[float | None]]
    seeds: list[int]
    version: str
    same: bool


class ClaimRunOut(Schema):
    """How far the run of a claim is; `progress` is 0 to 1."""

    state: str
    progress: float
    problems: list[dict[str, Any]]
    answer: ClaimAnswerOut | None


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
