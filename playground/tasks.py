"""Celery tasks: an id in, one service called."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from playground.services import artifacts, execution, traces


@shared_task(name="playground.tasks.run_task")
def run_task(run_id: str) -> bool:
    return execution.execute_run(run_id=run_id)


@shared_task(name="playground.tasks.explain_task", ignore_result=False, soft_time_limit=60, time_limit=70)
def explain_task(run_id: str, task: int) -> dict[str, Any]:
    return artifacts.compute_explanation(run_id=run_id, task=task)


@shared_task(name="playground.tasks.check_trace_task", ignore_result=False, soft_time_limit=80, time_limit=85)
def check_trace_task(stored: str) -> dict[str, Any]:
    return traces.check_stored_trace(stored=stored)
