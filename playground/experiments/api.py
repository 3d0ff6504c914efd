from __future__ import annotations

from typing import Annotated, Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Router, Status
from pydantic import Field

from playground.errors import PlaygroundError, problem
from playground.experiments import clusters, fork_tree, forks, removal, rules, running
from playground.experiments import service as experiments
from playground.experiments.schemas import (
    FORK_BODY,
    RUN_EXPERIMENT_BODY,
    CreatedOut,
    ExperimentOut,
    GoneOut,
    StartedOut,
    TreeOut,
    WrittenOutOut,
)
from playground.ground import links
from playground.runs import service as runs
from playground.runs import starting
from playground.runs.live.ending import wait_for_end
from playground.runs.schemas import RUN_BODY, RunOut
from playground.web.access import base_url, read_body, read_object, viewer_of
from playground.web.schemas import EXPERIMENT_BODY
from scheduler_core.contract import HttpProblem
from scheduler_core.limits import DEFAULT_LIMITS

router = Router(tags=["experiments"])
_ERRORS = dict.fromkeys((400, 403, 404, 413, 415, 422, 429), HttpProblem)
_Origin = Annotated[str, Field(max_length=32)]
_Seconds = Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)]


@router.post("/experiments", response={201: CreatedOut, **_ERRORS}, openapi_extra=EXPERIMENT_BODY)
def create(request: HttpRequest, made_of: _Origin = "") -> Any:
    """Store an experiment. It belongs to this browser session and to everybody who has the owner token.

    `made_of` names the experiment from which it was made by hand, for the tree of forks. An unknown id is ignored.
    """
    body = read_body(request)
    viewer = viewer_of(request, make_session=True)
    origin = experiments.origin_of(public_id=made_of)
    made = experiments.create_experiment(data=body, viewer=viewer, forked_from=origin)
    return Status(201, experiments.created_payload(made=made, base_url=base_url(request)))


@router.post("/former-rules", response={200: WrittenOutOut, **_ERRORS}, openapi_extra=EXPERIMENT_BODY)
def write_out(request: HttpRequest) -> Any:
    """Write out the defaults of the version that an experiment names in `rules`; store nothing.

    `former_rules` lists the values that differ today. Without `rules` the experiment comes back unchanged.
    """
    return rules.written_out(read_body(request))


@router.get("/experiments/{experiment_id}", response={200: ExperimentOut, 404: HttpProblem})
def read(request: HttpRequest, experiment_id: str) -> Any:
    """Give an experiment and its runs."""
    experiment = experiments.get_experiment(public_id=experiment_id)
    return experiments.experiment_payload(experiment=experiment, viewer=viewer_of(request), base_url=base_url(request))


@router.delete("/experiments/{experiment_id}", response={204: None, **_ERRORS})
def delete(request: HttpRequest, experiment_id: str) -> Any:
    """Delete an experiment of yours with its runs and its link. You can restore it for a day."""
    experiment = experiments.get_experiment(public_id=experiment_id)
    removal.delete_experiment(experiment=experiment, viewer=viewer_of(request))
    return Status(204, None)


@router.delete("/traces/{trace_id}/everything", response={200: GoneOut, **_ERRORS})
def delete_everything(request: HttpRequest, trace_id: str) -> Any:
    """Delete a trace or cluster of yours, the experiments that name it, their forks and their runs, for good."""
    return {"experiments": clusters.delete_everything(trace_id=trace_id, viewer=viewer_of(request))}


@router.post("/experiments/{experiment_id}/restore", response={200: ExperimentOut, **_ERRORS})
def restore(request: HttpRequest, experiment_id: str) -> Any:
    """Bring back an experiment that was deleted less than a day ago."""
    read_body(request)
    viewer = viewer_of(request)
    experiment = removal.restore_experiment(public_id=experiment_id, viewer=viewer)
    return experiments.experiment_payload(experiment=experiment, viewer=viewer, base_url=base_url(request))


@router.get("/experiments/{experiment_id}/tree", response={200: TreeOut, 404: HttpProblem})
def tree(request: HttpRequest, experiment_id: str) -> Any:
    """Give the fork tree around an experiment, parents first: your own forks and those that were shared.

    `steps` counts the experiments left out between an experiment and its parent; `changes` lists what differs.
    """
    experiment = experiments.get_experiment(public_id=experiment_id)
    found = fork_tree.tree_of(experiment=experiment, viewer=viewer_of(request))
    here = base_url(request)
    nodes = [
        {
            "id": node.experiment.public_id,
            "slug": node.experiment.slug,
            "name": node.experiment.name,
            "question": node.experiment.question,
            "scheduler": str(node.experiment.data.get("scheduler", {}).get("name", "")),
            "created_at": node.experiment.created_at,
            "parent": node.parent.experiment.public_id if node.parent else None,
            "steps": node.steps,
            "at_s": node.at_s,
            "changes": node.changes,
            "more_changes": node.more_changes,
            "mine": node.mine,
            "here": node.here,
            "share_url": links.share_url(node.experiment, here),
        }
        for node in found.nodes
    ]
    return {"nodes": nodes, "hidden": found.hidden, "cut": found.cut}


@router.post("/experiments/{experiment_id}/fork", response={201: CreatedOut, **_ERRORS}, openapi_extra=FORK_BODY)
def fork(request: HttpRequest, experiment_id: str) -> Any:
    """Copy an experiment as your own, with some parts changed, or with events from an instant on."""
    changes = read_object(request, values=DEFAULT_LIMITS.json_values)
    experiment = experiments.get_experiment(public_id=experiment_id)
    viewer = viewer_of(request, make_session=True)
    made = forks.fork_experiment(experiment=experiment, changes=changes, viewer=viewer)
    return Status(201, experiments.created_payload(made=made, base_url=base_url(request)))


@router.post("/experiments/{experiment_id}/runs", response={202: RunOut, **_ERRORS}, openapi_extra=RUN_BODY)
def start(request: HttpRequest, experiment_id: str) -> Any:
    """Queue a run. Without a `seed` it uses the experiment's own.

    If the result is known (computed before by the same code), the run is done at once and `known` is true. `fresh`
    computes it anyway; `agrees` then reports whether the outcome equals the known one.
    """
    data = read_object(request)
    unknown = [str(key) for key in data if key not in ("seed", "fresh")]
    if unknown:
        items = tuple(problem(key, "is not a known key", allowed="seed, fresh") for key in unknown)
        raise PlaygroundError(422, "invalid-request", "The run cannot be started", items)
    experiment = experiments.get_experiment(public_id=experiment_id)
    fresh = starting.is_fresh(data)
    run = starting.start_run(experiment=experiment, viewer=viewer_of(request), seed=data.get("seed"), fresh=fresh)
    return Status(202, runs.run_payload(run=run, base_url=base_url(request)))


@router.post(
    "/runs", response={200: StartedOut, 202: StartedOut, **_ERRORS}, openapi_extra=RUN_EXPERIMENT_BODY, tags=["runs"]
)
async def run(request: HttpRequest, wait: _Seconds = 0) -> Any:
    """Store an experiment and run it; return the ids of the run and of the experiment, and the owner token.

    With `wait` the answer comes when the run ends (200, with the `summary` of a run that is done) or after this
    number of seconds (202). After a 202, ask for the run until it ends, or watch its socket.
    """

    def begin() -> tuple[experiments.Created, str]:
        viewer = viewer_of(request, make_session=True)
        made, begun = running.run_experiment(body=read_body(request), viewer=viewer)
        return made, begun.public_id

    made, run_id = await sync_to_async(begin)()
    if wait:
        await wait_for_end(run_id, wait)
    told = await sync_to_async(running.started_payload)(made=made, run_id=run_id, base_url=base_url(request))
    return Status(200 if running.is_over(told) else 202, told)
