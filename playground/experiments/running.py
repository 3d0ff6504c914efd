"""Store an experiment and run it in one request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import transaction

from playground.errors import PlaygroundError, problem
from playground.experiments.service import Created, create_experiment
from playground.ground import links
from playground.ground.simulator import invalid_experiment, web_limits
from playground.ground.viewers import Viewer
from playground.models import FINAL_STATES, Run, RunState
from playground.runs.service import get_run, run_payload
from playground.runs.starting import is_fresh, start_run
from scheduler_core import ExperimentError
from scheduler_core.experiment.reading import read_json

_KEYS = ("experiment", "seed", "fresh")


def run_experiment(*, body: bytes, viewer: Viewer) -> tuple[Created, Run]:
    """Store the experiment of a request and queue a run of it: both or neither. Raises PlaygroundError."""
    try:
        asked = read_json(body, web_limits())
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None
    items = [
        problem(str(key)[:100], "is not a known key", allowed=", ".join(_KEYS)) for key in asked if key not in _KEYS
    ]
    if not isinstance(asked.get("experiment"), dict):
        items.append(problem("experiment", "is not an experiment", remedy='send {"experiment": {...}, "seed": 1}'))
    if items:
        raise PlaygroundError(422, "invalid-request", "The run cannot be started", tuple(items))
    with transaction.atomic():
        made = create_experiment(data=asked["experiment"], viewer=viewer)
        owner = replace(viewer, token=made.owner_token)
        return made, start_run(experiment=made.experiment, viewer=owner, seed=asked.get("seed"), fresh=is_fresh(asked))


def is_over(told: dict[str, Any]) -> bool:
    """Say whether a run that was told of is over."""
    return told["state"] in FINAL_STATES


def started_payload(*, made: Created, run_id: str, base_url: str) -> dict[str, Any]:
    """Describe the run as it is now, with what its owner needs once, and its summary when it is done."""
    run = get_run(public_id=run_id)
    return {
        **run_payload(run=run, base_url=base_url),
        "owner_token": made.owner_token,
        "slug": made.experiment.slug,
        "share_url": links.share_url(made.experiment, base_url),
        "experiment_digest": made.experiment.digest,
        "summary": run.summary if run.state == RunState.DONE else None,
    }
