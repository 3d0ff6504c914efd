"""Celery tasks of questions why: an id in, one service called."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from playground.questions import errands, looking
from playground.why import explanation, networks
from playground.why import service as whys


@shared_task(
    bind=True,
    max_retries=None,
    name="playground.tasks.explain_task",
    ignore_result=False,
    soft_time_limit=60,
    time_limit=70,
)
def explain_task(self: Task[..., Any], run_id: str, task: int, at_s: float | None = None) -> dict[str, Any]:
    return errands.do_errand(self, lambda: explanation.compute_explanation(run_id=run_id, task=task, at_s=at_s))


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
