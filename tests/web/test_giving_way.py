"""Runs that nobody wants let others pass: pages that were left, not programs, and never for long."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from numba.core import event
from pytest_django import Settings

from playground.models import Run, RunState
from playground.runs import attempt, execution, giving_way, queue
from playground.runs.giving_way import put_back
from playground.runs.live import store
from playground.runs.live.outbox import Outbox
from playground.runs.live.pump import Listener, Pumps
from playground.storage.connections import client
from playground.storage.keys import wanted_key
from scheduler_core import Cancelled, RecordingReader, Simulation
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
    assert queue.somebody_waits(but=[of_page])
    assert not queue.somebody_waits(but=[second])
    assert queue.place_of(second).position == 1, "the place is true"
    browser.read(f"runs/{of_page.public_id}")
    assert not queue.gives_way(of_page), "somebody asked after it"
    left(of_page)
    Run.objects.filter(pk=of_page.pk).update(created_at=timezone.now() - queue.LONGEST_PASSED - timedelta(seconds=1))
    of_page.refresh_from_db()
    assert not queue.gives_way(of_page), "it has let others pass for long enough"


def test_a_place_behind_many_runs_takes_no_more_queries_than_behind_few(
    browser: JsonClient, small_experiment: dict[str, Any], django_assert_num_queries: Any
) -> None:
    first = asked(browser, small_experiment, 1)
    alike = {"experiment": first.experiment, "by_program": True}
    for seed in range(2, 30):
        Run.objects.create(**alike, seed=seed, question_digest=str(seed), queued_at=timezone.now())
    last = Run.objects.select_related("experiment").order_by("pk")[28]
    # The runs ahead; those that workers hold; what has taken how long: alike, recently, or under way.
    with django_assert_num_queries(5):
        assert queue.place_of(last).position == 29


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


def test_a_run_that_gave_way_goes_on_where_it_was(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any], settings: Settings, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    settings.MEDIA_ROOT = tmp_path
    small_experiment["workload"]["jobs"] = 20_000
    run = asked(browser, small_experiment, 1, Origin="http://localhost")
    other = asked(stranger, small_experiment, 2, Origin="http://localhost")
    monkeypatch.setattr(giving_way, "WORTH_SAVING_S", 0.0)
    monkeypatch.setattr(attempt, "_KEEP_CLAIM_EVERY_S", 0.0)
    # The page is left when the run is under way, and a message of the other run waits.
    listen = attempt.Attempt._listen

    def leave(self: attempt.Attempt, simulation: Simulation) -> None:
        if self.frames > 20:
            left(run)
            client().lpush("runs", b"a message")
        listen(self, simulation)

    monkeypatch.setattr(attempt.Attempt, "_listen", leave)
    assert execution.execute_run(run_id=run.public_id)
    run.refresh_from_db()
    assert (run.state, run.attempts, run.claim) == (RunState.QUEUED, 0, "")
    assert run.snapshot.size > 0
    assert 0 < run.paused_fraction < 1
    client().delete("runs")
    monkeypatch.undo()
    loaded: list[Simulation] = []
    load = attempt.load_simulation
    monkeypatch.setattr(attempt, "load_simulation", lambda *given: (load(*given), loaded.append(given[0])))
    assert [execution.execute_run(run_id=run.public_id) for _ in range(2)] == [True, True]
    assert other.state == RunState.QUEUED
    other.refresh_from_db()
    run.refresh_from_db()
    assert other.state == RunState.DONE
    assert other.ended_at < run.ended_at, "it was let pass"
    assert (run.state, len(loaded), run.snapshot.name) == (RunState.DONE, 1, "")
    recording = tmp_path / str(run.recording.name)
    with recording.open("rb") as file, RecordingReader(file) as reader:
        assert [frame.seq for frame in reader.frames()] == list(range(run.frames))


def test_a_page_that_was_left_is_noticed_within_seconds() -> None:
    async def look_and_leave() -> list[int]:
        async with Pumps().listen("a-run", Listener(Outbox(-1))):
            while (there := client().ttl(wanted_key("a-run"))) < 0:
                await asyncio.sleep(0.05)
        return [there, client().ttl(wanted_key("a-run"))]

    client().delete(wanted_key("a-run"))
    there, left = asyncio.run(asyncio.wait_for(look_and_leave(), 20))
    assert there > store.WANTED_S / 2
    assert 0 < left < store.WANTED_S / 2


@pytest.mark.parametrize("another_waits", [True, False])
def test_compiling_for_a_run_that_was_cancelled_stops_where_another_run_waits(
    browser: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch, another_waits: bool
) -> None:
    run = asked(browser, small_experiment, 1, Origin="http://localhost")
    client().delete("runs")
    compiled: list[str] = []

    def compile_two_functions(self: Simulation) -> None:
        """Cancel the run in the middle, as the page of a viewer does who has picked another scheduler."""
        for name in ("first", "second"):
            with event.trigger_event("numba:compile", data={"dispatcher": SimpleNamespace(py_func=asked)}):
                compiled.append(name)
            store.ask_to_cancel(run.public_id)
            Run.objects.filter(pk=run.pk).update(state=RunState.CANCELLED, claim="")
        raise Cancelled

    monkeypatch.setattr(Simulation, "prepare", compile_two_functions)
    monkeypatch.setattr(attempt, "_LISTEN_EVERY_S", 0.0)
    if another_waits:
        client().lpush("runs", b"a message")
    assert execution.execute_run(run_id=run.public_id)
    run.refresh_from_db()
    assert (run.state, run.claim) == (RunState.CANCELLED, "")
    assert compiled == (["first"] if another_waits else ["first", "second"])
