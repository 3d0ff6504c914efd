"""Keep the experiments of runs whose figure or citation a user gets."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from playground.errors import PlaygroundError
from playground.experiments.service import keep_shown
from playground.runs.service import get_run

MOST_RUNS = 8
"""Runs of one comparison."""


def keep_runs(run_ids: Iterable[str]) -> None:
    """Keep the experiments of runs as shared ones; ids that name no run are ignored."""
    for run_id in run_ids:
        with suppress(PlaygroundError):
            keep_shown([get_run(public_id=run_id).experiment])
