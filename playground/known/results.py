"""Find a known result, from this server's runs or else from shipped recordings, and give it to a run.

Nobody learns who asked before. A run gets its own files, which name its own experiment, and the experiment belongs to
its creator.
"""

from __future__ import annotations

import io
import json
import logging
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.core.files.base import ContentFile
from django.db.models import QuerySet
from django.utils import timezone

from playground.ground.simulator import resolve_trace
from playground.known.shipped import code_of, find_shipped, quick_code_of, this_library
from playground.models import Run, RunState
from playground.storage.files import keep, scratch, second_name
from scheduler_core import Experiment, RecordingReader, copy_recording, describe

logger = logging.getLogger(__name__)

TASKS = "tasks.parquet"
_LOOK_AT = 5


@dataclass(frozen=True)
class Known:
    """A result: its summary, and the function that writes its files for a run of the same experiment."""

    summary: dict[str, Any]
    frames: int
    code: str
    brief: bool
    write_files: Callable[[Run, Experiment], None]

    @property
    def outcome_digest(self) -> str:
        return str(self.summary["outcome_digest"])


def find_known(*, question: str, scheduler: str, but: Run | None = None) -> Known | None:
    """Return the result of an experiment (by its digest, seed included); None if it is not known."""
    if not settings.KNOWN_RUNS:
        return None
    return find_computed(question=question, scheduler=scheduler, but=but) or _shipped(question)


def find_computed(*, question: str, scheduler: str, but: Run | None = None) -> Known | None:
    """Return a result that this server computed with today's code and whose files still exist."""
    runs = computed_runs(question)
    if but is not None:
        runs = runs.exclude(pk=but.pk)
    rows = list(runs.select_related("experiment").order_by("-ended_at")[:_LOOK_AT])
    return next((_of_run(run) for run in rows if _is_todays(run.code_digest, scheduler) and _has_files(run)), None)


def _is_todays(code: str, scheduler: str) -> bool:
    return code in (this_library(), quick_code_of(scheduler)) or code == code_of(scheduler)


def computed_runs(question: str) -> QuerySet[Run]:
    done = Run.objects.filter(question_digest=question, state=RunState.DONE, brief=False, experiment__deleted_at=None)
    return done.exclude(code_digest="").exclude(recording="").exclude(tasks_table="").exclude(agrees=False)


def _has_files(run: Run) -> bool:
    return all(file.storage.exists(str(file.name)) for file in (run.recording, run.tasks_table) if file.name)


def settle(run: Run, scheduler: str) -> None:
    """Record which code computed a run, for later requests, and compare the run with the known result."""
    run.code_digest = quick_code_of(scheduler)
    known = find_known(question=run.question_digest, scheduler=scheduler, but=run) if run.fresh else None
    if known is not None:
        run.agrees = known.outcome_digest == run.outcome_digest
        if not run.agrees:
            logger.error("run %s has another outcome than was known: the same code must give the same", run.public_id)
    Run.objects.filter(pk=run.pk).update(code_digest=run.code_digest, agrees=run.agrees)


def give(run: Run, known: Known, core: Experiment) -> None:
    """Fill a run with a result; the run is not stored yet, or is brief. Raises OSError; the run's files stay whole."""
    known.write_files(run, core)
    run.state, run.known, run.brief = RunState.DONE, True, known.brief
    run.summary, run.outcome_digest = known.summary, known.outcome_digest
    run.frames, run.code_digest = known.frames, known.code
    run.ended_at = run.ended_at or timezone.now()


def _of_run(row: Run) -> Known:
    def write_files(run: Run, core: Experiment) -> None:
        asked = row.experiment
        storage, name = run.recording.storage, f"runs/{run.public_id}-known"
        if (asked.name, asked.question) == (core.name, core.question):
            run.recording.name = second_name(str(row.recording.name), f"{name}.zip")
        else:
            with storage.open(str(row.recording.name), "rb") as file:
                meta = {"experiment": core.to_dict()}
                run.recording.name = _told_again(cast(BinaryIO, file), meta, f"{name}.zip")
        run.tasks_table.name = second_name(str(row.tasks_table.name), f"{name}.parquet")

    return Known(dict(row.summary or {}), row.frames, row.code_digest, False, write_files)


def _shipped(question: str) -> Known | None:
    found = find_shipped(question)
    if found is None:
        return None
    shipped, content = found

    def write_files(run: Run, core: Experiment) -> None:
        name = f"runs/{run.public_id}-shipped"
        # Labels and sentences are today's; the frames do not depend on them.
        meta = dict(describe(core, resolve_trace=resolve_trace))
        run.recording.name = _told_again(io.BytesIO(content), meta, f"{name}.zip")
        if not shipped.brief:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                table = ContentFile(archive.read(TASKS))
            run.tasks_table.name = run.tasks_table.storage.save(f"{name}.parquet", table)

    with RecordingReader(io.BytesIO(content)) as reader:
        return Known(reader.summary, reader.count, shipped.code, shipped.brief, write_files)


def _told_again(source: BinaryIO, meta: dict[str, Any], name: str) -> str:
    """Store a copy of a recording that has another description; return its name."""
    with scratch() as path:
        with path.open("wb") as target:
            copy_recording(source, target, json.loads(json.dumps(meta)))
        return keep(path, name)
