"""Notebooks that repeat a run: valid, and they come to the same."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from django.utils import timezone

from playground.models import Experiment, Run, RunState
from scheduler_core import Experiment as CoreExperiment
from scheduler_core import simulate
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def test_a_notebook_repeats_the_run(
    browser: JsonClient, small_experiment: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    made = browser.make({**small_experiment, "name": "It's '''quoted'''\\", "question": "Does it?"})
    digest = simulate(CoreExperiment.parse({**small_experiment, "seed": 9})).summary["outcome_digest"]
    run = Run.objects.create(
        experiment=Experiment.objects.get(public_id=made["id"]), seed=9, state=RunState.DONE,
        queued_at=timezone.now(), outcome_digest=digest,
    )  # fmt: skip
    answer = browser.read(f"runs/{run.public_id}/notebook.ipynb")
    assert answer["Content-Disposition"] == 'attachment; filename="its-quoted-run.ipynb"'
    notebook = nbformat.reads(answer.content.decode(), as_version=4)
    nbformat.validate(notebook)
    scope: dict[str, Any] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, "cell", "exec"), scope)
    assert scope["experiment"].seed == 9
    assert "the very same run" in capsys.readouterr().out
