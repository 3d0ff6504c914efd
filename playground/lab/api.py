from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from playground.lab import service as lab
from playground.web.access import read_body
from playground.web.schemas import json_body
from scheduler_core.contract import HttpProblem

router = Router(tags=["lab"])
_ERRORS = dict.fromkeys((422, 503), HttpProblem)
_DRAFT = {
    "type": "object",
    "description": "An experiment that need not be complete enough to run; its JSON Schema is at /api/v1/schema",
    "required": ["schema_version", "topology", "workload", "scheduler"],
}
_CONSTRAINT_BODY = json_body(
    {"type": "object", "additionalProperties": False, "required": ["experiment"], "properties": {"experiment": _DRAFT}},
    required=True,
)
_WORKLOAD_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["experiment"],
        "properties": {
            "experiment": _DRAFT,
            "cutoff_s": {"type": "number", "exclusiveMinimum": 0, "maximum": lab.LONGEST_CUTOFF_S},
        },
    },
    required=True,
)


@router.get("/constraint-catalogues", response=dict[str, Any])
def catalogues(request: HttpRequest) -> Any:
    """List the constraints there are to ask for: shares of machines and tasks, slowdowns, each with its evidence."""
    return lab.catalogues()


@router.get("/workload-presets", response=list[dict[str, Any]])
def presets(request: HttpRequest) -> Any:
    """List ready-made workloads: how each was fitted, to which numbers, and the numbers that it gives."""
    return lab.presets()


@router.post("/constraint-previews", response={200: dict[str, Any], **_ERRORS}, openapi_extra=_CONSTRAINT_BODY)
def constraints(request: HttpRequest) -> Any:
    """Tell what a draft's constraints mean: supply against demand, eligible machines, a heat map, samples.

    Any workload will do, also a trace: nothing is read, run or stored. Only inline jobs and samples of drawn tasks ask.
    """
    return lab.preview_constraints(body=read_body(request))


@router.post("/workload-previews", response={200: dict[str, Any], **_ERRORS}, openapi_extra=_WORKLOAD_BODY)
def workloads(request: HttpRequest) -> Any:
    """Tell what a draft's workload is like: densities, load over time against capacity, long jobs, warnings.

    A synthetic workload is drawn as for a run, as far as a sample goes. Jobs are long from `cutoff_s` on.
    """
    return lab.preview_workload(body=read_body(request))
