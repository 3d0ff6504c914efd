from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Router, Status

from playground.asks import service as asks
from playground.asks.opening import open_tried
from playground.asks.schemas import AskOut
from playground.experiments import service as experiments
from playground.experiments.schemas import CreatedOut
from playground.web.access import base_url, read_body, read_object, viewer_of
from playground.web.schemas import json_body
from scheduler_core.contract import HttpProblem

router = Router(tags=["asks"])
_ERRORS = dict.fromkeys((400, 403, 404, 413, 415, 422, 429, 503), HttpProblem)
_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["question", "promise"],
        "properties": {
            "question": {"type": "string", "enum": list(asks.QUESTIONS), "description": "What is searched."},
            "promise": {
                "type": "string",
                "minLength": 1,
                "maxLength": 300,
                "examples": ["allocation_delay_s.p99 <= 5"],
                "description": "A measure of the summary, a comparison and a number.",
            },
            "options": {"type": "object", "description": "The question's options by name, as on the command line."},
            "seeds": {
                "type": "integer",
                "minimum": 1,
                "maximum": asks.MOST_SEEDS,
                "default": 5,
                "description": "The number of seeds under which each value runs.",
            },
        },
    },
    required=True,
)
_OPEN_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["tried"],
        "properties": {
            "tried": {
                "type": "integer",
                "minimum": 0,
                "description": "The place of the value in the answer's `tried`, counted from 0.",
            },
            "name": {"type": "string", "maxLength": 64, "description": "The experiment's name; otherwise as before."},
        },
    },
    required=True,
)


@router.post("/experiments/{experiment_id}/asks", response={202: AskOut, **_ERRORS}, openapi_extra=_BODY)
def start(request: HttpRequest, experiment_id: str) -> Any:
    """Ask how many machines keep a promise, what load it bears, what helps most, when a failure hurts, what may be off.

    A worker searches over runs under the same seeds. Read the question until its `state` is `done`, `failed` or
    `cancelled`; the search ends when nobody reads. A promise or option that does not fit makes the state `failed`.
    """
    asked = read_object(request)
    experiment = experiments.get_experiment(public_id=experiment_id)
    return Status(202, asks.start_ask(experiment=experiment, asked=asked, viewer=viewer_of(request)))


@router.get("/asks/{ask_id}", response={200: AskOut, 404: HttpProblem})
def read(request: HttpRequest, ask_id: str) -> Any:
    """Give how far a search is, and its answer. An answer is kept for an hour."""
    return asks.read_ask(ask_id=ask_id)


@router.post("/asks/{ask_id}/cancel", response={200: AskOut, **_ERRORS})
def cancel(request: HttpRequest, ask_id: str) -> Any:
    """Cancel a search of yours. A search that is over stays as it is."""
    read_body(request)
    return asks.cancel_ask(ask_id=ask_id, viewer=viewer_of(request))


@router.post("/asks/{ask_id}/fork", response={201: CreatedOut, 409: HttpProblem, **_ERRORS}, openapi_extra=_OPEN_BODY)
async def fork(request: HttpRequest, ask_id: str) -> Any:
    """Make an experiment of a value that a search has tried, under the first seed, to watch it in the studio.

    Of sets of machines that may be off, only the answer can be opened.
    """
    asked = await sync_to_async(read_object)(request)
    viewer = await sync_to_async(viewer_of)(request, make_session=True)
    made = await open_tried(ask_id=ask_id, asked=asked, viewer=viewer)
    return Status(201, experiments.created_payload(made=made, base_url=base_url(request)))
