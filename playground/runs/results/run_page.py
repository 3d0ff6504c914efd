"""A finished run as one HTML file that plays without a server, with the experiment that repeats it."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import stored_experiment
from playground.models import Run
from playground.runs.results.files import open_recording
from playground.web.built import file_of
from playground.web.words import gettext, told
from scheduler_core import excerpt, scheduler_by_name

#: The whole page; the recording in it is a third larger as text.
MOST_BYTES = 8_000_000
_STYLES = (
    "css/tokens.css",
    "css/base.css",
    "vendor/uplot/uPlot.min.css",
    "css/charts.css",
    "css/studio.css",
    "css/map.css",
    "css/tasks.css",
    "css/playbar.css",
    "css/embed.css",
)
_URL = re.compile(r"""url\(["']?(?!data:|#)([^"')]+)["']?\)""")


def page_of(*, run: Run, request: HttpRequest, address: str) -> str:
    """Return the page. Raises PlaygroundError where the run has no recording, or the page's script was never built."""
    built = file_of("run_page")
    if built is None:
        item = problem("", "the pages' scripts are not built here", remedy="run 'manage.py bundle', then ask again")
        raise PlaygroundError(409, "not-built", "This server cannot make pages that stand alone", (item,))
    script = _without_map((_static() / built).read_text(encoding="utf-8"))
    style = _style()
    room = (MOST_BYTES - len(script.encode()) - len(style.encode()) - 100_000) * 3 // 4
    with open_recording(run=run) as file:
        try:
            part = excerpt(file, room)  # type: ignore[arg-type]  # an IO[bytes] is read as a BinaryIO
        except ValueError as error:
            item = problem("", str(error), remedy="run the experiment on fewer machines, or for a shorter time")
            raise PlaygroundError(409, "too-large", "This run is too large for one page", (item,)) from None
    experiment = stored_experiment(run.experiment, seed=run.seed)
    context: dict[str, Any] = {
        "name": run.experiment.name or gettext("Untitled experiment"),
        "facts": _facts(run, part.frames, part.frames_recorded, part.has_track),
        "link": address,
        "boot": {"experiment": experiment.to_dict(), "name": "experiment"},
        "recording": base64.b64encode(part.content).decode("ascii"),
        "script": mark_safe(script),  # noqa: S308 - our own script
        "style": mark_safe(style),  # noqa: S308 - our own style
        "script_hash": f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode('ascii')}",
    }
    return render_to_string("run_page.html", context, request=request)


def _facts(run: Run, frames: int, recorded: int, has_track: bool) -> list[tuple[str, str]]:
    summary = run.summary or {}
    kept = gettext("{frames} of {recorded}", frames=frames, recorded=recorded) if frames < recorded else told(frames)
    return [
        (gettext("Scheduler"), scheduler_by_name(run.experiment.data["scheduler"]["name"]).label),
        (gettext("Seed"), str(run.seed)),
        (gettext("Version"), str(summary.get("core_version", ""))),
        (gettext("Digest of the outcome"), str(summary.get("outcome_digest", ""))),
        (gettext("Pictures in this file"), kept),
        (
            gettext("Tasks are drawn"),
            gettext("yes") if has_track else gettext("no: not recorded, or too large"),
        ),
    ]


def _static() -> Path:
    return Path(settings.FILES_DIR) / "static"


def _without_map(script: str) -> str:
    """Return a built script for use inside a page: without its source map, and nothing in it ends the element."""
    return re.sub(r"\n?//# sourceMappingURL=\S*\s*$", "", script).replace("</script", r"<\/script")


def _style() -> str:
    """Return all style files as one, with fonts and pictures in it."""
    return "\n".join(_URL.sub(_inlined(_static() / name), (_static() / name).read_text("utf-8")) for name in _STYLES)


def _inlined(sheet: Path) -> Any:
    def data_of(found: re.Match[str]) -> str:
        path = (sheet.parent / found[1].split("?")[0].split("#")[0]).resolve()
        if not path.is_relative_to(_static().resolve()) or not path.is_file():
            return "none"
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return f"url(data:{kind};base64,{base64.b64encode(path.read_bytes()).decode('ascii')})"

    return data_of
