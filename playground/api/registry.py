from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from playground.services import catalogue

router = Router(tags=["registry"])


@router.get("/schedulers", response=list[dict[str, Any]])
def schedulers(request: HttpRequest) -> Any:
    """List the schedulers: parameters as JSON Schema, counters, layers, reasons, the paper."""
    return catalogue.schedulers()


@router.get("/presets", response=list[dict[str, Any]])
def presets(request: HttpRequest) -> Any:
    """List the experiments that come with the playground."""
    return catalogue.presets()


@router.get("/schema", response=dict[str, Any])
def schema(request: HttpRequest) -> Any:
    """Give the JSON Schema of an experiment."""
    return catalogue.experiment_schema()
