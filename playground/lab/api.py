from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from playground.lab import configurations, policies
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

_POLICY_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["policy"],
        "properties": {"policy": {"type": "string", "maxLength": policies.LONGEST, "description": "The policy's text"}},
    },
    required=True,
)


_CONFIGURATION_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {
            "configuration": {"type": "object", "description": "A KubeSchedulerConfiguration (v1) as JSON"},
            "scheduler": {"type": "object", "description": "The `scheduler` of an experiment"},
        },
    },
    required=True,
)


@router.get("/policy-language", response=dict[str, Any])
def policy_language(request: HttpRequest) -> Any:
    """List what may stand in a policy of the scheduler `own`: hooks, words with units, functions, and examples."""
    return policies.language()


@router.post("/policy-checks", response={200: dict[str, Any], **_ERRORS}, openapi_extra=_POLICY_BODY)
def check_policy(request: HttpRequest) -> Any:
    """Check a policy: each problem with line, column and width; of a valid policy the settings, hooks and words.

    Nothing of the text is executed or stored.
    """
    return policies.check(body=read_body(request))


@router.post("/kube-configurations", response={200: dict[str, Any], **_ERRORS}, openapi_extra=_CONFIGURATION_BODY)
def kube_configuration(request: HttpRequest) -> Any:
    """Convert a KubeSchedulerConfiguration: give it, and get a scheduler with parameters, or the other way round.

    `not_understood` lists the places of the configuration that have no parameter here. Nothing is stored.
    """
    return configurations.converted(body=read_body(request))


@router.get("/constraint-catalogues", response=dict[str, Any])
def catalogues(request: HttpRequest) -> Any:
    """List the constraint catalogs: shares of machines and tasks, and slowdowns, each with its evidence."""
    return lab.catalogues()


@router.get("/workload-presets", response=list[dict[str, Any]])
def presets(request: HttpRequest) -> Any:
    """List the ready-made workloads: how each was fitted, to which numbers, and the numbers that it gives."""
    return lab.presets()


@router.post("/constraint-previews", response={200: dict[str, Any], **_ERRORS}, openapi_extra=_CONSTRAINT_BODY)
def constraints(request: HttpRequest) -> Any:
    """Describe the constraints of a draft: supply and demand, eligible machines, a heat map, samples.

    Any workload is accepted, also a trace. Nothing is read, run or stored. Only tasks of inline jobs and sampled tasks
    count as demand.
    """
    return lab.preview_constraints(body=read_body(request))


@router.post("/workload-previews", response={200: dict[str, Any], **_ERRORS}, openapi_extra=_WORKLOAD_BODY)
def workloads(request: HttpRequest) -> Any:
    """Describe the workload of a draft: densities, load and capacity over time, long jobs, warnings.

    A synthetic workload is sampled as for a run. A job of `cutoff_s` or longer counts as long.
    """
    return lab.preview_workload(body=read_body(request))
