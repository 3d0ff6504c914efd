from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from playground.catalogue import reference
from playground.catalogue import service as catalogue
from playground.catalogue.schemas import ReferenceOut
from playground.web.words import language
from scheduler_core.contract import HttpProblem

router = Router(tags=["registry"])


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
    """Give the reference architecture: 33 stages with their policies, and fourteen published schedulers by stage.

    A cell holds what one scheduler has of a stage. A certain cell has one candidate; an uncertain cell has all possible
    ones. The paper's Tables II (`groups_table`), III and VIII have the published values beside those that follow
    from the cells, with bounds where cells are uncertain.
    """
    etag = reference.reference_etag()
    response["ETag"], response["Cache-Control"] = etag, "no-cache"
    if request.headers.get("If-None-Match") == etag:
        return Status(304, None)
    return reference.told_architecture()
