"""Celery tasks of the lab: an id in, one service called."""

from __future__ import annotations

from celery import shared_task

from playground.lab import service as lab


@shared_task(name=lab.COMPILE_TASK, soft_time_limit=280, time_limit=300)
def compile_lab_task() -> None:
    lab.compile_kernels()
