from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import FileResponse, HttpRequest, HttpResponseBase
from ninja import Router, Status
from pydantic import Field

from playground.experiments import service as experiments
from playground.experiments.schemas import CreatedOut
from playground.studies import service as studies
from playground.studies.results import DEFAULT_METRIC, results_of, study_file
from playground.studies.schemas import ResultsOut, StudyOut
from playground.web.access import base_url, read_body, read_object, viewer_of
from playground.web.described import file_answer
from playground.web.schemas import json_body
from scheduler_core.contract import HttpProblem

router = Router(tags=["studies"])
_ERRORS = dict.fromkeys((400, 403, 404, 409, 413, 415, 422, 429), HttpProblem)
_PARQUET = "application/vnd.apache.parquet"
_PATH = {
    "type": "string",
    "minLength": 1,
    "maxLength": 200,
    "examples": ["scheduler.params.heartbeat_s"],
    "description": "Where the value stands in the experiment.",
}
_VALUES = {
    "type": "array",
    "minItems": 1,
    "maxItems": 100,
    "items": {"type": ["string", "number", "boolean"]},
    "description": "The values that it takes, in the order in which they are shown.",
}
_ALONG = {
    "type": "object",
    "additionalProperties": False,
    "required": ["path", "values"],
    "properties": {
        "path": _PATH,
        "values": _VALUES | {"description": "Its values: one for each value of the axis, in the same order."},
    },
    "description": "changes along with the axis: a value for each of its values",
}
_AXIS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["path", "values"],
    "properties": {
        "path": _PATH,
        "values": _VALUES | {"uniqueItems": True},
        "along": {
            "type": "array",
            "maxItems": 3,
            "items": _ALONG,
            "description": "Parameters that change along with it. The default is none.",
        },
        "holds": {
            "type": ["string", "null"],
            "enum": ["work", "load", None],
            "description": "What stays on other machines where arrivals are an offered load: the work, or the load.",
        },
    },
}
_SCHEDULER = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The scheduler's name."},
        "params": {"type": ["object", "null"], "description": "absent: the experiment's own, or the defaults"},
    },
}
_STUDY_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "maxLength": 200},
            "axes": {"type": "array", "maxItems": 2, "items": _AXIS},
            "schedulers": {"type": "array", "maxItems": 8, "items": _SCHEDULER},
            "repeats": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 10},
        },
    },
    required=False,
)
_FORK_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["run"],
        "properties": {"run": {"type": "integer", "minimum": 0}},
    },
    required=True,
)


@router.post("/experiments/{experiment_id}/studies", response={202: StudyOut, **_ERRORS}, openapi_extra=_STUDY_BODY)
def start(request: HttpRequest, experiment_id: str) -> Any:
    """Run an experiment over a grid: up to two parameters, several schedulers, and seeds counted up from its own seed.

    A study keeps summaries, no recordings. A scheduler without the parameter runs unchanged.
    """
    asked = read_object(request)
    experiment = experiments.get_experiment(public_id=experiment_id)
    viewer = viewer_of(request)
    study = studies.start_study(experiment=experiment, asked=asked, viewer=viewer)
    return Status(202, studies.study_payload(study=study, viewer=viewer, base_url=base_url(request)))


@router.get("/experiments/{experiment_id}/studies", response={200: list[StudyOut], **_ERRORS})
def list_all(request: HttpRequest, experiment_id: str) -> Any:
    """List the studies of an experiment, the latest first."""
    experiment, viewer = experiments.get_experiment(public_id=experiment_id), viewer_of(request)
    found = studies.studies_of(experiment=experiment)
    return [studies.study_payload(study=study, viewer=viewer, base_url=base_url(request)) for study in found]


@router.get("/studies/{study_id}", response={200: StudyOut, **_ERRORS})
def read(request: HttpRequest, study_id: str) -> Any:
    """Give a study's question, its state, its progress and its estimated end."""
    return _told(request, studies.get_study(public_id=study_id))


@router.delete("/studies/{study_id}", response={204: None, **_ERRORS})
def delete(request: HttpRequest, study_id: str) -> Any:
    """Delete a study of yours with all its results. A study that is under way is cancelled."""
    studies.delete_study(study=studies.get_study(public_id=study_id), viewer=viewer_of(request))
    return Status(204, None)


@router.get("/studies/{study_id}/results", response={200: ResultsOut, **_ERRORS})
def results(
    request: HttpRequest,
    study_id: str,
    metric: str = DEFAULT_METRIC,
    statistic: Literal["mean", "median", "bootstrap"] = "mean",
    against: Annotated[int, Field(ge=0, le=100)] = 0,
    scale: Literal["linear", "drawn"] = "linear",
    also: Annotated[str, Field(max_length=200)] = "",
) -> Any:
    """Estimate a measured number for each cell from the runs done so far, with 95 % intervals.

    Each scheduler is compared with the one at place `against`, paired by seed. `verdict` is "more", "less", "same", or
    "not distinguishable yet" if the interval of the difference contains 0. `scale` is for an axis that is drawn
    as logarithmic: with "drawn", the interval of a mean is computed from logarithms, so it stays above 0. `also` adds
    all numbers of parts of the summary, such as "by_queue,room".
    """
    study = studies.get_study(public_id=study_id)
    chosen: dict[str, Any] = {"metric": metric, "statistic": statistic, "against": against, "scale": scale}
    return results_of(study=study, also=also, **chosen)


@router.get("/studies/{study_id}/table.csv", response=_ERRORS, openapi_extra=file_answer("text/csv"))
def table_csv(request: HttpRequest, study_id: str) -> HttpResponseBase:
    """Give one row for each finished run of a study, with all its measured numbers, as CSV."""
    return _file(study_id, "csv", "text/csv; charset=utf-8")


@router.get("/studies/{study_id}/table.parquet", response=_ERRORS, openapi_extra=file_answer(_PARQUET))
def table_parquet(request: HttpRequest, study_id: str) -> HttpResponseBase:
    """Give one row for each finished run of a study, with all its measured numbers, as Parquet."""
    return _file(study_id, "parquet", _PARQUET)


@router.post("/studies/{study_id}/fork", response={201: CreatedOut, **_ERRORS}, openapi_extra=_FORK_BODY)
def fork(request: HttpRequest, study_id: str) -> Any:
    """Make an experiment of one run of a study, by its number, to watch it in the studio."""
    asked = read_object(request)
    study = studies.get_study(public_id=study_id)
    viewer = viewer_of(request, make_session=True)
    made = studies.fork_run(study=study, number=asked.get("run"), viewer=viewer)
    return Status(201, experiments.created_payload(made=made, base_url=base_url(request)))


@router.post("/studies/{study_id}/pause", response={200: StudyOut, **_ERRORS})
def pause(request: HttpRequest, study_id: str) -> Any:
    """Pause a study: no more runs begin."""
    read_body(request)
    study = studies.get_study(public_id=study_id)
    return _told(request, studies.pause_study(study=study, viewer=viewer_of(request)))


@router.post("/studies/{study_id}/resume", response={200: StudyOut, **_ERRORS})
def resume(request: HttpRequest, study_id: str) -> Any:
    """Continue a paused study."""
    read_body(request)
    study = studies.get_study(public_id=study_id)
    return _told(request, studies.resume_study(study=study, viewer=viewer_of(request)))


@router.post("/studies/{study_id}/cancel", response={200: StudyOut, **_ERRORS})
def cancel(request: HttpRequest, study_id: str) -> Any:
    """Cancel a study. Its results stay. A study that is over stays as it is."""
    read_body(request)
    study = studies.get_study(public_id=study_id)
    return _told(request, studies.cancel_study(study=study, viewer=viewer_of(request)))


def _told(request: HttpRequest, study: Any) -> dict[str, Any]:
    return studies.study_payload(study=study, viewer=viewer_of(request), base_url=base_url(request))


def _file(study_id: str, kind: str, media_type: str) -> HttpResponseBase:
    file = study_file(study=studies.get_study(public_id=study_id), kind=kind)
    return FileResponse(file, as_attachment=True, filename=f"study.{kind}", content_type=media_type)
