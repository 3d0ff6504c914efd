"""Celery tasks of runs: an id in, one service called."""

from __future__ import annotations

from celery import shared_task

from playground.runs import execution


@shared_task(name="playground.tasks.run_task")
def run_task(run_id: str) -> bool:
    return execution.execute_run(run_id=run_id)
