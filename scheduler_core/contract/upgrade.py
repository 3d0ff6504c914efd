"""Upgrade the meta of older recordings to today's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.contract.meta import META_FORMAT

ROLES_OF_FORMAT_1: Mapping[str, str] = {
    "owner": "owner",
    "load": "load",
    "lent": "lent",
    "borrower": "borrower",
    "outage": "service",
}
"""The roles that format 1 left to the names of layers."""

COMPOSING_FAMILIES_OF_FORMAT_1 = ("pipeline",)
"""The families whose schedulers format 1 showed as composed of stages."""

MARK_ROLES_OF_FORMAT_2 = ("refusal", "preemption", "fault", "repartition")
"""The roles that formats 1 and 2 left to the kinds of marks: the kind was the role."""

_RESOURCE_PREFIX = "of_"


def upgraded_meta(meta: dict[str, Any]) -> dict[str, Any]:
    """Return meta of any format as META_FORMAT has it; meta of today is returned as it is, the argument never changes.

    Format 1 had no roles for the layers of ROLES_OF_FORMAT_1 and for resources, and no flags of schedulers. Format 2
    had no roles for the marks of MARK_ROLES_OF_FORMAT_2.
    """
    form = meta.get("format", 1)
    if form >= META_FORMAT:
        return meta
    marks = [{"role": _mark_role(mark), **mark} for mark in meta.get("marks", [])]
    upgraded = {**meta, "format": META_FORMAT, "marks": marks}
    if form >= 2:
        return upgraded
    scheduler = meta.get("scheduler", {})
    composes = scheduler.get("family") in COMPOSING_FAMILIES_OF_FORMAT_1
    return {
        **upgraded,
        "scheduler": {"composes": composes, **scheduler},
        "layers": [{**layer, "role": _role(layer)} for layer in meta.get("layers", [])],
    }


def _mark_role(mark: dict[str, Any]) -> str:
    kind = str(mark.get("kind", ""))
    return kind if kind in MARK_ROLES_OF_FORMAT_2 else ""


def _role(layer: dict[str, Any]) -> str:
    if layer.get("role"):
        return str(layer["role"])
    name = str(layer["name"])
    return "resource" if name.startswith(_RESOURCE_PREFIX) else ROLES_OF_FORMAT_1.get(name, "")
