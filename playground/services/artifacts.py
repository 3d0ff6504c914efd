"""What a run leaves behind: summary, tables, recording, and reasons."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from celery import current_app
from celery.exceptions import TimeoutError as CeleryTimeout
from django.db.models.fields.files import FieldFile
from django.utils.text import slugify

from playground.errors import PlaygroundError, problem
from playground.models import FINAL_STATES, Run, RunState
from playground.services.core import invalid_experiment, resolve_trace, stored_experiment, web_limits
from scheduler_core import ExperimentError, describe

EXPLAIN_TASK = "playground.tasks.explain_task"
_EXPLAIN_WAIT_S = 25.0
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
    require_done(run)
    return _open(run, "recording")


def open_frames(*, run: Run) -> IO[bytes] | None:
    """Open what holds a run's frames: its recording, or while it is paused what it goes on from (None: none yet)."""
    if run.state != RunState.PAUSED:
        return open_recording(run=run)
    with suppress(OSError):  # not there: it is made again when the run goes on
        return _opened(run.snapshot)
    return None


def _opened(field: FieldFile) -> IO[bytes]:
    """Open a file anew: the field's own `open` gives one file to all who share the row. Raises OSError."""
    if not field.name:
        raise FileNotFoundError
    file: IO[bytes] = field.storage.open(field.name, "rb")
    return file


def _open(run: Run, field: str) -> IO[bytes]:
    try:
        file = _opened(getattr(run, field))
    except OSError:
        item = problem(
            "", "the file is no longer kept", remedy="run the experiment again: the same seed gives the same"
        )
        raise PlaygroundError(410, "gone", "The run's file is gone", (item,)) from None
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
                pa_csv.write_csv(pa.Table.from_batches([batch]), out, options)
                with_header = False
                yield out.getvalue()

    return rows(open_tasks_table(run=run))


def meta_of(*, run: Run) -> dict[str, Any]:
    """Return what a viewer needs once, before any frame."""
    experiment = stored_experiment(run.experiment.data, seed=run.seed)
    try:
        return dict(describe(experiment, resolve_trace=resolve_trace))
    except ExperimentError as error:
        raise invalid_experiment(error.problems) from None


def explain(*, run: Run, task: int, at_s: float | None = None) -> dict[str, Any]:
    """Ask a worker for one task's reasons: it may have to simulate again, which is no work for a web process."""
    require_done(run)
    total = int((run.summary or {})["tasks"]["total"])
    if not 0 <= task < total:
        item = problem("task", f"there is no task {task}", allowed=f"0 to {total - 1}")
        raise PlaygroundError(404, "not-found", "There is no such task", (item,))
    pending = current_app.send_task(EXPLAIN_TASK, args=[run.public_id, task, at_s], queue="previews", expires=60)
    try:
        answer = pending.get(timeout=_EXPLAIN_WAIT_S)
    except CeleryTimeout:
        item = problem("", "no worker answered in time", remedy="ask again in a moment")
        raise PlaygroundError(503, "busy", "The explanation is not ready", (item,)) from None
    if "error" in answer:
        raise PlaygroundError(422, "unexplained", "The task cannot be explained", (problem("task", answer["error"]),))
    return dict(answer["explanation"])


def compute_explanation(*, run_id: str, task: int, at_s: float | None = None) -> dict[str, Any]:
    """Simulate to where the reasons are in hand (in a worker, which alone loads compiled code)."""
    from playground.services.previews import kept_moments
    from scheduler_core import explain as core_explain

    run = Run.objects.select_related("experiment").get(public_id=run_id)
    try:
        experiment = stored_experiment(run.experiment.data, seed=run.seed)
        options: dict[str, Any] = {"resolve_trace": resolve_trace, "limits": web_limits(), "moments": kept_moments()}
        return {"explanation": core_explain(experiment, task, at_s, **options)}
    except (ExperimentError, PlaygroundError, LookupError) as error:
        return {"error": str(error)}
