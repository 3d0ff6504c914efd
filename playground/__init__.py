"""The web half: people, experiments, runs, links and sockets on top of `scheduler_core`."""

from __future__ import annotations

from playground.celery import app as celery_app

__all__ = ["celery_app"]
