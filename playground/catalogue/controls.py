"""The controls that affect each swept experiment most, as `manage.py record_controls` recorded them."""

from __future__ import annotations

import functools
import json
from typing import Any

from django.conf import settings

#: First part of the names of recorded signatures; the scheduler's name follows.
SIGNATURE = "signature-"


def swept_controls() -> list[dict[str, Any]]:
    """Return a list of {name, scheduler, controls: [{path, moves}]}, the strongest control first; no signatures."""
    return [each for each in _recorded() if not each["name"].startswith(SIGNATURE)]


def signature_controls(scheduler: str) -> list[str]:
    """Return the paths that move the number of a scheduler's signature, the strongest first; none of an unswept one."""
    found = next((each for each in _recorded() if each["name"] == SIGNATURE + scheduler), None)
    return [control["path"] for control in found["controls"]] if found else []


@functools.cache
def _recorded() -> list[dict[str, Any]]:
    path = settings.FIXTURES_DIR / "controls.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return found
