"""A run's files: summary, tables, recording, and reasons."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from django.db.models.fields.files import FieldFile
from django.utils.text import slugify

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import invalid_experiment, resolve_trace, stored_experiment
from playground.models import FINAL_STATES, Run, RunState
from playground.runs.starting import fill_in
from scheduler_core import ExperimentError, describe
from scheduler_core.spreadsheet import safe_table

logger = logging.getLogger(__name__)

_CSV_BATCH_ROWS = 50_000


def file_name(*, run: Run, what: str) -> str:
    """Name a file after its experiment, as the browser names those that it makes: several lie in one folder."""
    return f"{slugify(run.experiment.name)[:60].strip('-') or 'experiment'}-{what}"


def require_done(run: Run) -> None:
    """Refuse what only a finished run has."""
    if run.state == RunState.DONE:
        return
    ended = run.state in FINAL_STATES
    remedy = "start a run again" if ended else "ask again when the state is 'done', or watch the run's socket"
    item = problem("", f"the run is {run.state}", allowed="a run that is done", remedy=remedy)
    raise PlaygroundError(409, "not-done", "The run has no result" if ended else "The run has no result yet", (item,))


def summary_of(*, run: Run) -> dict[str, Any]:
    require_done(run)
    return dict(run.summary or {})


def open_tasks_table(*, run: Run) -> IO[bytes]:
    require_done(run)
    return _open(run, "tasks_table")


def open_recording(*, run: Run) -> IO[bytes]:
    """Open the recording of a finished run. Raises PlaygroundError if the run is not done or the file is gone."""
    require_done(run)
    return _open(run, "recording")


def open_frames(*, run: Run) -> IO[bytes] | None:
    """Open what holds a run's frames: its recording, or while it is paused what it goes on from (None: none yet)."""
    if run.state != RunState.PAUSED:
        return open_recording(run=run)
    with suppress(OSError):  # not there: the next attempt makes it again
        return _opened(run.snapshot)
    return None


def _opened(field: FieldFile) -> IO[bytes]:
    """Open a file again: the field's own `open` gives one file to all who share the row. Raises OSError."""
    if not field.name:
        raise FileNotFoundError
    file: IO[bytes] = field.storage.open(field.name, "rb")
    return file


def _open(run: Run, field: str) -> IO[bytes]:
    if run.brief:
        fill_in(run)
    if run.brief and field == "tasks_table":
        item = problem("", "the shipped recording of this run has no table of tasks", remedy="ask again in a minute")
        raise PlaygroundError(409, "not-complete", "The complete result is being computed", (item,))
    try:
        file = _opened(getattr(run, field))
    except FileNotFoundError:
        item = problem(
            "", "the file is no longer kept", remedy="run the experiment again: the same seed gives the same"
        )
        raise PlaygroundError(410, "gone", "The run's file is gone", (item,)) from None
    except OSError as error:
        logger.warning("the files of run %s cannot be read now: %s", run.public_id, error)
        item = problem("", "the server cannot reach its files right now", remedy="ask again in a moment")
        raise PlaygroundError(503, "no-files", "The run's file cannot be read now", (item,), retry_after_s=5) from None
    return file


def tasks_as_csv(*, run: Run) -> Iterator[bytes]:
    """Yield the task table as CSV, some rows at a time."""
    import pyarrow as pa
    import pyarrow.csv as pa_csv
    import pyarrow.parquet as pq

    def rows(file: IO[bytes]) -> Iterator[bytes]:
        with file:
            table = pq.ParquetFile(file)
            with_header = True
            for batch in table.iter_batches(batch_size=_CSV_BATCH_ROWS):
                out = io.BytesIO()
                options = pa_csv.WriteOptions(include_header=with_header)
                pa_csv.write_csv(safe_table(pa.Table.from_batches([batch])), out, options)
                with_header = False
                yield out.getvalue()

    return rows(open_tasks_table(run=run))


def meta_of(*, run: Run) -> dict[str, Any]:
    """Return what a viewer needs once, before any frame."""
    experiment = stored_experiment(run.experiment, seed=run.seed)
    try:
        return dict(describe(experiment, resolve_trace=resolve_trace))
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None
