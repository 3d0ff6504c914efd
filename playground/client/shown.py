"""A run in a notebook: the page that plays and simulates it, as the output of a cell."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: What the page may do in a notebook: run its own script, save files and open the playground. It has no origin.
_SANDBOX = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"
Settings = Mapping[str, Sequence[Any]]
"""Values of settings that a reader may change, by path: `{"scheduler.params.heartbeat_s": [1, 10, 60]}`."""


@dataclass(frozen=True)
class Shown:
    """The page of a finished run. A notebook shows it in a frame; it needs no server any more.

    `height` is the frame's in pixels; its width is that of the cell.
    """

    page: str = field(repr=False)
    height: int = 640

    def _repr_html_(self) -> str:
        """Return the frame for a notebook."""
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" sandbox="{_SANDBOX}" title="Scheduler Playground" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )

    def save(self, to: str | Path) -> Path:
        """Write the page, and return its path."""
        target = Path(to)
        target.write_text(self.page, encoding="utf-8")
        return target


def as_query(settings: Settings | None) -> str | None:
    """Return settings as the API takes them; None without any."""
    return json.dumps({path: list(values) for path, values in settings.items()}) if settings else None
