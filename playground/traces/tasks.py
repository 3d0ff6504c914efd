"""Celery tasks of traces: an id in, one service called."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from playground.questions import errands
from playground.traces import facts, imports
from playground.traces import service as traces


@shared_task(
    bind=True,
    max_retries=None,
    name="playground.tasks.check_trace_task",
    ignore_result=False,
    soft_time_limit=80,
    time_limit=85,
)
def check_trace_task(self: Task[..., Any], stored: str) -> dict[str, Any]:
    return errands.do_errand(self, lambda: traces.check_stored_trace(stored=stored))


# A file of the largest size that may be sent takes less than a minute; one of PLAYGROUND_TRACE_DIR may be larger.
@shared_task(bind=True, max_retries=None, name=imports.IMPORT_TASK, soft_time_limit=600, time_limit=630)
def import_trace_task(self: Task[..., Any], import_id: str) -> dict[str, Any]:
    return errands.do_errand(self, lambda: {"state": imports.run_import(import_id=import_id)})


@shared_task(name=imports.ROWS_TASK, ignore_result=False, soft_time_limit=30, time_limit=35)
def first_rows_task(stored: str) -> dict[str, Any]:
    return imports.look_at_upload(stored=stored)


@shared_task(bind=True, max_retries=None, name=facts.FACTS_TASK, ignore_result=False, soft_time_limit=80, time_limit=85)
def trace_facts_task(self: Task[..., Any], trace_id: str) -> dict[str, Any]:
    return errands.do_errand(self, lambda: facts.measure_trace(trace_id=trace_id))


@shared_task(bind=True, max_retries=None, name=facts.FIT_TASK, ignore_result=False, soft_time_limit=80, time_limit=85)
def fit_trace_task(self: Task[..., Any], trace_id: str, cutoff_s: float) -> dict[str, Any]:
    return errands.do_errand(self, lambda: facts.fit_stored_trace(trace_id=trace_id, cutoff_s=cutoff_s))
