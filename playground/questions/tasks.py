"""The Celery task of questions: takes a run's id for the log (or nothing), a kind and a question's name."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from playground.questions.answering import answer_question
from playground.questions.asking import TASK


# Each message brings its kind's time limits.
@shared_task(bind=True, max_retries=None, name=TASK, ignore_result=True)
def answer_task(self: Task[..., Any], run_id: str, kind: str, name: str) -> None:
    answer_question(task=self, kind_name=kind, name=name)
