"""The reference architecture as one response: stages with their policies, the matrix of schedulers, its tables."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from typing import Any

from playground.web.words import gettext, language
from scheduler_core import refarch
from scheduler_core.refarch.matrix import WORDS
from scheduler_core.refarch.stages import ALWAYS
from scheduler_core.refarch.tables import Difference
from scheduler_core.refarch.underspecified import choices, open_stages

_TABLES = (
    ("III", "academia", "industry", refarch.TABLE_III, "origin"),
    ("VIII", "before", "since", refarch.TABLE_VIII, "era"),
)


@functools.cache
def reference_architecture() -> dict[str, Any]:
    """Return everything that the composer and the matrix show; it changes with the version only."""
    return {
        "groups": [{"id": group, "name": name} for group, name in refarch.GROUPS],
        "stages": [_stage(stage) for stage in refarch.STAGES],
        "default_pipeline": refarch.default_pipeline(),
        "systems": [_system(system) for system in refarch.SYSTEMS],
        "groups_table": [
            {"system": figure.system, "group": figure.group, "published": figure.printed,
             "recomputed": figure.found, "agrees": figure.agrees}
            for figure in refarch.group_table()
        ],
        "difference_tables": [
            {"id": name, "halves": [one, other],
             "rows": [_difference(row) for row in refarch.differences(table, _half(by, one), _half(by, other))]}
            for name, one, other, table, by in _TABLES
        ],
    }  # fmt: skip


def told_architecture() -> dict[str, Any]:
    """Return that answer with the names of stages and policies in the reader's language; systems keep their names."""
    data = reference_architecture()
    return data | {
        "groups": [{**group, "name": gettext(group["name"])} for group in data["groups"]],
        "stages": [_told(stage) for stage in data["stages"]],
    }


def _told(stage: dict[str, Any]) -> dict[str, Any]:
    policies = [
        {**policy, "label": gettext(policy["label"]), "help": gettext(policy["help"])} for policy in stage["policies"]
    ]
    return stage | {"name": gettext(stage["name"]), "meaning": gettext(stage["meaning"]), "policies": policies}


def reference_etag() -> str:
    """Return a name of that answer that changes when it does, or when the language does."""
    return _etag_of(language())


@functools.cache
def _etag_of(spoken: str) -> str:
    told = f"{spoken}{json.dumps(told_architecture())}"
    return f'"{hashlib.sha256(told.encode()).hexdigest()[:20]}"'


def _half(by: str, value: str) -> tuple[refarch.System, ...]:
    return tuple(system for system in refarch.SYSTEMS if getattr(system, by) == value)


def _stage(stage: refarch.Stage) -> dict[str, Any]:
    policies = refarch.policies_of(stage.id)
    return {
        "id": stage.id, "group": stage.group, "name": stage.name, "mode": stage.mode, "meaning": stage.meaning,
        "inputs": list(stage.inputs), "outputs": list(stage.outputs), "effects": stage.effects, "keeps": stage.keeps,
        "inferred": list(stage.inferred), "param": stage.id.lower() if policies else None,
        "always": stage.id in ALWAYS,
        "policies": [
            {"name": policy.name, "label": policy.label, "help": policy.help, "work": policy.work,
             "needs": [{"stage": giver, "what": what} for giver, what in policy.needs]}
            for policy in policies
        ],
    }  # fmt: skip


def _system(system: refarch.System) -> dict[str, Any]:
    return {
        "name": system.name, "year": system.year, "origin": system.origin, "era": system.era,
        "clusters": system.clusters, "pipeline": _pipeline_of(system.name), "cells": list(_cells(system)),
    }  # fmt: skip


def _cells(system: refarch.System) -> Iterable[dict[str, Any]]:
    for cell in refarch.cells(system):
        yield {
            "stage": cell.stage,
            "candidates": [WORDS[symbol] for symbol in cell.candidates],
            "evidence": cell.evidence,
        }


def _pipeline_of(name: str) -> dict[str, Any]:
    """Return a system's preset: parameters of the scheduler `pipeline`, and what becomes of each stage in it."""
    preset = refarch.preset_by_name(name)
    return {
        "scheduler": "pipeline", "params": preset.params(), "about": preset.about, "basis": preset.basis,
        "instead": list(preset.instead),
        "stages": [
            {"stage": one.stage, "policy": one.policy, "ours": one.ours, "note": one.note}
            for one in refarch.stages_of(preset)
        ],
        "open": [{"stage": stage, "choices": list(choices(stage))} for stage in open_stages(preset)],
    }  # fmt: skip


def _difference(row: Difference) -> dict[str, Any]:
    return {
        "stage": row.stage, "published": list(row.printed), "bounds": [list(bound) for bound in row.bounds],
        "exact": list(row.exact), "agrees": row.agrees,
    }  # fmt: skip
