"""The web application: people, experiments, runs, links and sockets on top of `scheduler_core`."""

from __future__ import annotations

import sys
from pathlib import Path

#: `manage.py play` and the installed command only start the other processes. They load neither tasks nor the API, which
#: take a second, before which nothing else can start.
STARTS_OTHERS = sys.argv[1:2] == ["play"] or Path(sys.argv[0]).stem == "scheduler-playground"

if not STARTS_OTHERS:
    from playground.celery import app as celery_app

    __all__ = ["celery_app"]
