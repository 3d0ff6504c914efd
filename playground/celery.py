"""The Celery application; its settings are the CELERY_* names of `playground.settings`."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

app = Celery("playground")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.imports = (
    "playground.lab.tasks",
    "playground.previews.tasks",
    "playground.questions.tasks",
    "playground.runs.tasks",
    "playground.studies.tasks",
    "playground.shell.worker",
)
