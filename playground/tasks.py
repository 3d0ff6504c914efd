"""Celery tasks: an id in, one service called."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from playground.services import artifacts, execution


@shared_task(name="playground.tasks.run_task")
def run_task(run_id: str) -> bool:
    return execution.execute_run(run_id=run_id)


@shared_task(name="playground.tasks.explain_task", ignore_result=False, soft_time_limit=60, time_limit=70)
def explain_task(run_id: str, task: int) -> dict[str, Any]:
    return artifacts.compute_explanation(run_id=run_id, task=task)
