"""Celery tasks: an id in, one service called."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from playground.services import (
    artifacts,
    errands,
    execution,
    imports,
    lab,
    looking,
    networks,
    previews,
    studies,
    study_runs,
    trace_facts,
    traces,
    whys,
)


@shared_task(name="playground.tasks.run_task")
def run_task(run_id: str) -> bool:
    return execution.execute_run(run_id=run_id)


@shared_task(name=studies.STUDY_RUN_TASK)
def study_run_task(study_id: str, number: int) -> bool:
    return study_runs.execute_study_run(study_id=study_id, number=number)


# Compiling a kernel may be part of it; a preview itself looks at the clock.
@shared_task(name=previews.PREVIEW_TASK, soft_time_limit=90, time_limit=100)
def preview_task(place: str) -> bool:
    return previews.answer_preview(place=place)


@shared_task(name=lab.COMPILE_TASK, soft_time_limit=280, time_limit=300)
def compile_lab_task() -> None:
    lab.compile_kernels()


@shared_task(
    bind=True,
    max_retries=None,
    name="playground.tasks.explain_task",
    ignore_result=False,
    soft_time_limit=60,
    time_limit=70,
)
def explain_task(self: Task[..., Any], run_id: str, task: int, at_s: float | None = None) -> dict[str, Any]:
    return errands.do_errand(self, lambda: artifacts.compute_explanation(run_id=run_id, task=task, at_s=at_s))


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


@shared_task(
    bind=True, max_retries=None, name=trace_facts.FACTS_TASK, ignore_result=False, soft_time_limit=80, time_limit=85
)
def trace_facts_task(self: Task[..., Any], trace_id: str) -> dict[str, Any]:
    return errands.do_errand(self, lambda: trace_facts.measure_trace(trace_id=trace_id))


@shared_task(
    bind=True, max_retries=None, name=trace_facts.FIT_TASK, ignore_result=False, soft_time_limit=80, time_limit=85
)
def fit_trace_task(self: Task[..., Any], trace_id: str, cutoff_s: float) -> dict[str, Any]:
    return errands.do_errand(self, lambda: trace_facts.fit_stored_trace(trace_id=trace_id, cutoff_s=cutoff_s))


@shared_task(bind=True, max_retries=None, name=networks.LOOK_TASK, soft_time_limit=120, time_limit=135)
def look_at_network_task(self: Task[..., Any], run_id: str, look: str) -> None:
    if looking.is_over(look=look):
        return
    errands.do_errand(self, lambda: {"state": networks.answer_look(run_id=run_id, look=look)})


@shared_task(bind=True, max_retries=None, name=networks.RACE_TASK, soft_time_limit=120, time_limit=135)
def race_solvers_task(self: Task[..., Any], run_id: str, race: str) -> None:
    if looking.is_over(look=race):
        return
    errands.do_errand(self, lambda: {"state": networks.run_race(run_id=run_id, race=race)})


@shared_task(bind=True, max_retries=None, name=whys.WHY_TASK, soft_time_limit=60, time_limit=70)
def answer_why_task(self: Task[..., Any], run_id: str, look: str) -> None:
    if looking.is_over(look=look):
        return
    errands.do_errand(self, lambda: {"state": whys.answer_why(run_id=run_id, look=look)})
