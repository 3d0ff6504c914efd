"""The form of every object that the library and the server pass to each other or to viewers.

Models are typed dictionaries. Programs build plain dictionaries and check nothing at run time; the tests check real
objects of every scheduler against the models, which allow no key that they do not name. JSON Schema
(`docs/reference/schema/`,
`/api/v1/schema/NAME.json`), the page's TypeScript declarations (`static/js/contract/contract.d.ts`) and the reference
(`docs/reference/contract.md`) are made from the models by `manage.py make_contract`.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.contract.decision import DecisionRow, ToldDecision
from scheduler_core.contract.density import Density
from scheduler_core.contract.frame import ChangedLayer, Frame, FrameMark, FullLayer, HistogramChange, Point
from scheduler_core.contract.meta import META_FORMAT, LayerKind, LayerMeta, LayerRole, MarkRole, Meta
from scheduler_core.contract.problem import HttpProblem, ProblemItem
from scheduler_core.contract.summary import Summary
from scheduler_core.contract.track import Moments, Track
from scheduler_core.contract.upgrade import upgraded_meta

DOCUMENTS: dict[str, Any] = {
    "meta": Meta,
    "frame": Frame,
    "summary": Summary,
    "decision-row": DecisionRow,
    "told-decision": ToldDecision,
    "problem": HttpProblem,
    "track": Track,
    "density": Density,
    "moments": Moments,
}
"""The core's part of the contract, by the names that the schemas have in addresses and files."""

__all__ = [
    "DOCUMENTS",
    "META_FORMAT",
    "ChangedLayer",
    "DecisionRow",
    "Density",
    "Frame",
    "FrameMark",
    "FullLayer",
    "HistogramChange",
    "HttpProblem",
    "LayerKind",
    "LayerMeta",
    "LayerRole",
    "MarkRole",
    "Meta",
    "Moments",
    "Point",
    "ProblemItem",
    "Summary",
    "ToldDecision",
    "Track",
    "upgraded_meta",
]
