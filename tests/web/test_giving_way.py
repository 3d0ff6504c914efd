"""Runs that nobody wants let others pass: pages that were left, not programs, and never for long."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from playground.models import Run, RunState
from playground.runs import queue
from playground.runs.giving_way import put_back
from playground.runs.live import store
from playground.storage.connections import client
from playground.storage.keys import wanted_key
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def asked(visitor: JsonClient, experiment: dict[str, Any], seed: int, **headers: str) -> Run:
    answer = visitor.send("runs", {"experiment": experiment, "seed": seed}, **headers)
    assert answer.status_code == 202, answer.content
    return Run.objects.select_related("experiment").get(public_id=answer.json()["id"])


def left(run: Run) -> None:
    """Let so much time pass that nobody is known to wait."""
    client().delete(wanted_key(run.public_id))


def test_a_run_whose_page_was_left_lets_others_pass(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    of_page = asked(browser, small_experiment, 1, Origin="http://localhost")
    second = asked(stranger, small_experiment, 2, Origin="http://localhost")
    assert not queue.gives_way(of_page)
    assert queue.place_of(second).position == 2
    left(of_page)
    assert queue.gives_way(of_page)
    assert queue.somebody_waits(but=of_page)
    assert not queue.somebody_waits(but=second)
    assert queue.place_of(second).position == 1, "the place is true"
    browser.read(f"runs/{of_page.public_id}")
    assert not queue.gives_way(of_page), "somebody asked after it"
    left(of_page)
    Run.objects.filter(pk=of_page.pk).update(created_at=timezone.now() - queue.LONGEST_PASSED - timedelta(seconds=1))
    of_page.refresh_from_db()
    assert not queue.gives_way(of_page), "it has let others pass for long enough"


def test_what_a_program_asked_for_is_wanted(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    run = asked(browser, small_experiment, 1)
    left(run)
    assert run.by_program
    assert not queue.gives_way(run)


def test_a_run_that_gives_way_waits_again_behind_the_others(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    first, second = (asked(each, small_experiment, 1, Origin="http://localhost") for each in (browser, stranger))
    Run.objects.filter(pk=first.pk).update(state=RunState.RUNNING, claim="a worker", attempts=1)
    first.refresh_from_db()
    put_back(first)
    first.refresh_from_db()
    assert (first.state, first.claim, first.attempts) == (RunState.QUEUED, "", 0)
    store.want(first.public_id)
    assert [queue.place_of(run).position for run in (second, first)] == [1, 2]
