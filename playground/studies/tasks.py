"""Celery tasks of studies: an id in, one service called."""

from __future__ import annotations

from celery import shared_task

from playground.studies import execution
from playground.studies import service as studies


@shared_task(name=studies.STUDY_RUN_TASK)
def study_run_task(study_id: str, number: int) -> bool:
    return execution.execute_study_run(study_id=study_id, number=number)
