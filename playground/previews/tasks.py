"""Celery tasks of previews: an id in, one service called."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from playground.previews import service as previews


# Compiling a kernel may be part of it, and takes minutes on a busy machine; a preview itself looks at the clock.
@shared_task(bind=True, name=previews.PREVIEW_TASK, soft_time_limit=300, time_limit=330)
def preview_task(self: Task[..., Any]) -> bool:
    return previews.answer_due(str(self.request.id))
