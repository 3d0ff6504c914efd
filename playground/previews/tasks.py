"""Celery tasks of previews: an id in, one service called."""

from __future__ import annotations

from celery import shared_task

from playground.previews import service as previews


# Compiling a kernel may be part of it, and takes minutes on a busy machine; a preview itself looks at the clock.
@shared_task(name=previews.PREVIEW_TASK, soft_time_limit=300, time_limit=330)
def preview_task(place: str, name: str = "") -> bool:
    return previews.answer_preview(place=place, name=name)
