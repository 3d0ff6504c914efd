"""A finished run as one HTML file that plays without a server, with the experiment that repeats it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.metadata
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
from playground.runs.results.pictures import STILL_SIZE, seconds, still_of
from playground.runs.results.starts import Parts
from playground.web.built import file_of
from playground.web.reasons import numbers
from playground.web.setting_words import parameter, value_and_unit
from playground.web.words import gettext, told
from scheduler_core import __version__, excerpt, scheduler_by_name

#: The whole page; the recording in it is a third larger as text.
MOST_BYTES = 8_000_000
STYLES = (
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
#: The third-party files of the page; a test derives them from what its scripts import.
CARRIED = ("fflate", "lit-html", "msgpack", "signals", "source-sans", "uplot")
_URL = re.compile(r"""url\(["']?(?!data:|#)([^"')]+)["']?\)""")


def page_of(*, run: Run, request: HttpRequest, address: str, parts: Parts) -> str:
    """Return the page. Raises PlaygroundError where the run has no recording, or the page's script was never built.

    With a start and a module in `parts`, the page simulates the run again.
    """
    built, thread = file_of("run_page"), file_of("engine_worker")
    if built is None or thread is None:
        item = problem("", "the pages' scripts are not built here", remedy="run 'manage.py bundle', then ask again")
        raise PlaygroundError(409, "not-built", "This server cannot make pages that stand alone", (item,))
    script = _without_map((_static() / built).read_text(encoding="utf-8"))
    style = _style()
    engine, modules, still = _engine(parts, thread), _modules(parts), _still(run)
    rest = sum(map(len, (script.encode(), style.encode(), still["picture"], *engine.values(), *modules.values())))
    room = (MOST_BYTES - rest - 100_000) * 3 // 4
    with open_recording(run=run) as file:
        try:
            part = excerpt(file, room)  # type: ignore[arg-type]  # an IO[bytes] is read as a BinaryIO
        except ValueError as error:
            remedy = "leave out values of settings, or run the experiment on fewer machines or for a shorter time"
            item = problem("", str(error), remedy=remedy)
            raise PlaygroundError(409, "too-large", "This run is too large for one page", (item,)) from None
    experiment = stored_experiment(run.experiment, seed=run.seed)
    context: dict[str, Any] = {
        "name": run.experiment.name or gettext("Untitled experiment"),
        "facts": _facts(run, part.frames, part.frames_recorded, part.has_track),
        "caption": run.experiment.question,
        "citation": _citation(run, address),
        "still": still,
        "notices": _notices(with_modules=bool(modules)),
        "link": address,
        "boot": {
            "experiment": experiment.to_dict(),
            "name": "experiment",
            "cited": str((run.summary or {}).get("outcome_digest", "")),
            "why_not": parts.why_not,
            "studio": address.partition("/e/")[0] + "/studio",
            "version": __version__,
            "touchable": parts.touchable,
            "settings": [_setting(each, experiment.scheduler.name) for each in parts.settings],
        },
        "engine": engine,
        "modules": modules,
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


def _engine(parts: Parts, thread: str) -> dict[str, str]:
    """Return what the page simulates with, in base64: the packed start and the thread's script."""
    if not parts.start:
        return {}
    script = _without_map((_static() / thread).read_text(encoding="utf-8"))
    return {
        "start": base64.b64encode(parts.start).decode("ascii"),
        "thread": base64.b64encode(script.encode()).decode("ascii"),
    }


def _modules(parts: Parts) -> dict[str, str]:
    """Return the modules by name, packed and in base64."""
    packed = {name: gzip.compress(module, mtime=0) for name, module in parts.modules.items()}
    return {name: base64.b64encode(module).decode("ascii") for name, module in packed.items()}


def _still(run: Run) -> dict[str, Any]:
    """Return the picture that stands in the page where scripts are forbidden, with its size and its words."""
    picture, t_ns = still_of(run)
    name, time = run.experiment.name or gettext("Untitled experiment"), numbers(seconds(t_ns / 1e9))
    return {
        "picture": base64.b64encode(picture).decode("ascii"),
        "size": STILL_SIZE,
        "alt": gettext("Map of the machines in the middle of a run of {title}", title=name),
        "caption": gettext("The machines at {time}. A darker cell is busier.", time=time),
    }


def _setting(setting: dict[str, Any], scheduler: str) -> dict[str, Any]:
    """Return a setting that a reader may change, with its label and its values in words."""
    path, values = setting["path"], setting["values"]
    words = [value_and_unit(path, value, [scheduler]) for value in values]
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in values)
    kind = "number" if numbers else "choice"
    return {**setting, "label": parameter(path, [scheduler]), "words": words, "kind": kind}


def _citation(run: Run, address: str) -> str:
    """Return how to cite the run: enough to make it again."""
    summary = run.summary or {}
    return gettext(
        "The Scheduler Playground authors ({year}). {name}. One run, seed {seed}, by Scheduler Playground {version}. "
        "Experiment {experiment}, outcome {outcome}. {link}",
        year=run.created_at.year,
        name=run.experiment.name or gettext("Untitled experiment"),
        seed=run.seed,
        version=summary.get("core_version", ""),
        experiment=run.experiment.digest[:12],
        outcome=str(summary.get("outcome_digest", ""))[:12],
        link=address,
    )


def _notices(*, with_modules: bool) -> list[tuple[str, str]]:
    """Return the licenses of the third-party files that the page carries, by name.

    Modules are compiled by Numba, which has its own functions linked in.
    """
    folders = [_static() / "vendor" / name for name in CARRIED]
    found = [(folder.name, (folder / "LICENSE").read_text(encoding="utf-8").strip()) for folder in folders]
    return [*found, ("numba", _license_of("numba"))] if with_modules else found


def _license_of(package: str) -> str:
    """Return the license that an installed package comes with."""
    found = next(each for each in importlib.metadata.files(package) or [] if each.name == "LICENSE")
    return found.read_text(encoding="utf-8").strip()


def _static() -> Path:
    return Path(settings.FILES_DIR) / "static"


def _without_map(script: str) -> str:
    """Return a built script for use inside a page: without its source map, and nothing in it ends the element."""
    return re.sub(r"\n?//# sourceMappingURL=\S*\s*$", "", script).replace("</script", r"<\/script")


def _style() -> str:
    """Return all style files as one, with fonts and pictures in it."""
    return "\n".join(_URL.sub(_inlined(_static() / name), (_static() / name).read_text("utf-8")) for name in STYLES)


def _inlined(sheet: Path) -> Any:
    def data_of(found: re.Match[str]) -> str:
        path = (sheet.parent / found[1].split("?")[0].split("#")[0]).resolve()
        if not path.is_relative_to(_static().resolve()) or not path.is_file():
            return "none"
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return f"url(data:{kind};base64,{base64.b64encode(path.read_bytes()).decode('ascii')})"

    return data_of
