from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema, Status

from playground.catalogue import reference
from playground.catalogue import service as catalogue
from playground.web.words import language
from scheduler_core.contract import HttpProblem

router = Router(tags=["registry"])


class GroupOut(Schema):
    id: str
    name: str


class NeedOut(Schema):
    stage: str
    what: str


class PolicyOut(Schema):
    name: str
    label: str
    help: str
    work: str
    needs: list[NeedOut]


class StageOut(Schema):
    id: str
    group: str
    name: str
    mode: str
    meaning: str
    inputs: list[str]
    outputs: list[str]
    effects: str
    keeps: bool
    inferred: list[str]
    param: str | None
    always: bool
    policies: list[PolicyOut]


class CellOut(Schema):
    stage: str
    candidates: list[str]
    evidence: str


class PresetStageOut(Schema):
    stage: str
    policy: str
    ours: bool
    note: str


class OpenStageOut(Schema):
    stage: str
    choices: list[str]


class PipelineOut(Schema):
    scheduler: str
    params: dict[str, Any]
    about: str
    basis: str
    instead: list[str]
    stages: list[PresetStageOut]
    open: list[OpenStageOut]


class SystemOut(Schema):
    name: str
    year: int
    origin: str
    era: str
    clusters: str
    pipeline: PipelineOut
    cells: list[CellOut]


class GroupFigureOut(Schema):
    system: str
    group: str
    published: int
    recomputed: float
    agrees: bool


class DifferenceOut(Schema):
    stage: str
    published: list[int]
    bounds: list[list[float]]
    exact: list[bool]
    agrees: bool


class DifferenceTableOut(Schema):
    id: str
    halves: list[str]
    rows: list[DifferenceOut]


class ReferenceOut(Schema):
    groups: list[GroupOut]
    stages: list[StageOut]
    default_pipeline: dict[str, str]
    systems: list[SystemOut]
    groups_table: list[GroupFigureOut]
    difference_tables: list[DifferenceTableOut]


@router.get("/schedulers", response=list[dict[str, Any]])
def schedulers(request: HttpRequest) -> Any:
    """List the schedulers: parameters as JSON Schema, counters, layers, reasons, the paper."""
    return HttpResponse(catalogue.schedulers_json(language()), content_type="application/json; charset=utf-8")


@router.get("/presets", response=list[dict[str, Any]])
def presets(request: HttpRequest) -> Any:
    """List the experiments that come with the playground."""
    return catalogue.presets()


@router.get("/schema", response=dict[str, Any])
def schema(request: HttpRequest) -> Any:
    """Give the JSON Schema of an experiment."""
    return catalogue.experiment_schema()


@router.get("/schema/{name}.json", response={200: dict[str, Any], 404: HttpProblem})
def schema_of(request: HttpRequest, name: str) -> Any:
    """Give one JSON Schema of the contract, such as `meta`, `frame`, `summary` or `problem`."""
    return catalogue.schema_of(name)


@router.get("/reference-architecture", response={200: ReferenceOut, 304: None})
def reference_architecture(request: HttpRequest, response: HttpResponse) -> Any:
    """Give the 33 stages with their policies, the cells of fourteen published schedulers, and their tables.

    A certain cell has one candidate; an uncertain cell has all possible ones. Tables II (`groups_table`), III and VIII
    have the published values beside those that follow from the cells, with bounds where cells are uncertain.
    """
    etag = reference.reference_etag()
    response["ETag"], response["Cache-Control"] = etag, "no-cache"
    if request.headers.get("If-None-Match") == etag:
        return Status(304, None)
    return reference.told_architecture()
