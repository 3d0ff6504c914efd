"""The controls that move each swept experiment most, as `manage.py record_controls` wrote them."""

from __future__ import annotations

import functools
import json
from typing import Any

from django.conf import settings


@functools.cache
def swept_controls() -> list[dict[str, Any]]:
    """Return a list of {name, scheduler, controls: [{path, moves}]}, the strongest control first."""
    path = settings.FIXTURES_DIR / "controls.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return found
