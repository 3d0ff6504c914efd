"""Celery tasks: an id in, one service called."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from playground.services import artifacts, errands, execution, lab, previews, traces


@shared_task(name="playground.tasks.run_task")
def run_task(run_id: str) -> bool:
    return execution.execute_run(run_id=run_id)


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
def explain_task(self: Task[..., Any], run_id: str, task: int) -> dict[str, Any]:
    return errands.do_errand(self, lambda: artifacts.compute_explanation(run_id=run_id, task=task))


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
