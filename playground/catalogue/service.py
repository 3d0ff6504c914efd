"""List the choices for an experiment, from the core's registries and the files in fixtures/."""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any

from django.conf import settings
from django.templatetags.static import static

import scheduler_core
from playground.catalogue.cards import address_of, pictures_of
from playground.catalogue.controls import signature_controls
from playground.contract import DOCUMENTS
from playground.contract.files import schema as contract_schema
from playground.errors import PlaygroundError, problem
from playground.ground.acting import SPEAKS_OF, acts_with
from playground.ground.simulator import offered_schedulers
from playground.web.words import translated
from scheduler_core.experiment.experiment import schema
from scheduler_core.studies.grid import ALIKE


def schedulers() -> list[dict[str, Any]]:
    return [_describe(spec) for spec in offered_schedulers()]


@functools.cache
def schedulers_json(spoken: str) -> bytes:
    """Return `schedulers` as JSON in a language: every studio asks for it, and it takes 50 ms to make."""
    return json.dumps(translated(schedulers(), spoken)).encode()


@functools.cache
def scheduler_told(name: str, spoken: str) -> dict[str, Any] | None:
    """Return what `schedulers` has of one scheduler, in a language; None where there is no such scheduler."""
    return next((translated(_describe(spec), spoken) for spec in offered_schedulers() if spec.name == name), None)


def _describe(spec: Any) -> dict[str, Any]:
    return {
        "name": spec.name,
        "label": spec.label,
        "family": spec.family,
        "family_label": spec.kin.label,
        "composes": spec.composes,
        "queue_note": spec.queue_note.format(label=spec.label),
        "summary": spec.summary,
        "signature": _signatures().get(spec.name),
        "paper": spec.paper,
        "params": _params_schema(spec.params),
        "fixed": sorted(spec.params.fixed & set(spec.params.model_fields)),
        "supports": sorted(spec.supports),
        "supports_under": {profile: sorted(honored) for profile, honored in spec.supports_under.items()},
        "counters": [dataclasses.asdict(counter) for counter in spec.counters],
        "layers": [dataclasses.asdict(layer) for layer in spec.layers],
        "marks": [dataclasses.asdict(mark) for mark in spec.marks],
        "reasons": [dataclasses.asdict(reason) for reason in spec.reasons],
    }


@functools.cache
def _signatures() -> dict[str, dict[str, Any]]:
    return {
        card["name"]: card
        | {"address": address_of(card), "controls": signature_controls(card["name"])}
        | {kind: static(path) for kind, path in pictures_of(card["name"]).items()}
        for card in scheduler_core.signature_cards()
    }


def _params_schema(params: Any) -> dict[str, Any]:
    schema: dict[str, Any] = params.model_json_schema()
    fields = schema["properties"]
    alike = {"alike": True}  # the page shows it once for all schedulers that are compared
    schema["properties"] = {
        name: fields[name] | (alike if name in ALIKE else {}) | _acts_with(name, fields) | _speaks_of(name)
        for name in params.in_order()
        if name in fields
    }
    return schema


def _acts_with(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return which parameters must be above 0 or on for a parameter to act; the page warns while none of them is."""
    needed = acts_with(name, fields)
    return {"acts_with": needed} if needed else {}


def _speaks_of(name: str) -> dict[str, str]:
    """Return what an experiment must have for a parameter to act; the page warns where drawn work has none of it."""
    return {"speaks_of": SPEAKS_OF[name]} if name in SPEAKS_OF else {}


@functools.cache
def experiment_schema() -> dict[str, Any]:
    return dict(schema())


@functools.lru_cache(maxsize=len(DOCUMENTS))
def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a part of the contract. Raises PlaygroundError."""
    if name not in DOCUMENTS:
        item = problem("name", f"there is no schema '{name[:100]}'", allowed=", ".join(DOCUMENTS))
        raise PlaygroundError(404, "not-found", "There is no such schema", (item,))
    return contract_schema(name)


@functools.cache
def presets() -> list[dict[str, Any]]:
    """Return the experiments in fixtures/presets/, ordered by file name."""
    found = []
    for path in sorted((settings.FIXTURES_DIR / "presets").glob("*.json")):
        experiment = json.loads(path.read_text(encoding="utf-8"))
        found.append(
            {
                "id": path.stem,
                "name": experiment.get("name", ""),
                "question": experiment.get("question", ""),
                "experiment": experiment,
            }
        )
    return found
