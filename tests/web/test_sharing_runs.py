"""Two who ask for the same at the same moment share one computation, the worker's part done in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playground.models import Run, RunState
from playground.runs import attempt, execution, queue, recovery, sharing
from playground.runs.live import store
from playground.storage import connections
from scheduler_core import RecordingReader
from tests.tiers import wide
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture(autouse=True)
def known_runs(settings: Settings, tmp_path: Path) -> None:
    settings.KNOWN_RUNS, settings.MEDIA_ROOT = True, tmp_path


@pytest.fixture
def asked(browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]) -> tuple[Run, Run]:
    """Give two queued runs of the same, of two who do not know each other."""
    small_experiment["workload"]["jobs"] = 20_000

    def ask(who: JsonClient, name: str) -> Run:
        answer = who.send("runs", {"experiment": small_experiment | {"name": name}})
        assert answer.status_code == 202, answer.content
        return Run.objects.select_related("experiment").get(public_id=answer.json()["id"])

    return ask(browser, "mine"), ask(stranger, "theirs")


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Give what has something done once, while a worker computes: after the 20th frame."""
    monkeypatch.setattr(attempt, "_KEEP_CLAIM_EVERY_S", 0.0)
    monkeypatch.setattr(attempt, "_LISTEN_EVERY_S", 0.0)
    listen = attempt.Attempt._listen
    waiting: list[Callable[[], object]] = []

    def listen_and_act(self: attempt.Attempt, simulation: Any) -> None:
        if waiting and self.frames > 20:
            waiting.pop()()
        listen(self, simulation)

    monkeypatch.setattr(attempt.Attempt, "_listen", listen_and_act)
    yield waiting.append
    assert not waiting, "it came to its turn"


def name_of(run: Run) -> str:
    with run.recording.open("rb") as file, RecordingReader(file) as reader:  # type: ignore[arg-type]
        return str(reader.meta["experiment"]["name"])


def test_one_computation_serves_both_and_each_has_files_of_its_own(asked: tuple[Run, Run]) -> None:
    mine, theirs = asked
    assert queue.place_of(theirs).position == 1, "it waits for nobody: both are computed at once"
    assert execution.execute_run(run_id=mine.public_id) is True
    for run, name in ((mine, "mine"), (theirs, "theirs")):
        run.refresh_from_db()
        assert (run.state, run.known, run.attempts) == (RunState.DONE, False, 1)
        assert name_of(run) == name
        assert run.tasks_table.size > 0
        progress = store.read_progress(run.public_id)
        assert progress is not None
        assert progress.state == "done"
    assert mine.outcome_digest == theirs.outcome_digest
    assert {mine.recording.name, mine.tasks_table.name}.isdisjoint({theirs.recording.name, theirs.tasks_table.name})
    # Whoever watches the other one reads the same stream, from its beginning.
    assert store.stream_of(theirs.public_id) == mine.public_id
    assert connections.client().xlen(f"run:{mine.public_id}:frames") == mine.frames == theirs.frames
    assert execution.execute_run(run_id=theirs.public_id) is False, "its own message finds nothing to do"


def test_whoever_cancels_takes_out_only_their_own_run(
    asked: tuple[Run, Run], browser: JsonClient, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    mine, theirs = asked
    meanwhile(lambda: browser.send(f"runs/{mine.public_id}/cancel"))
    execution.execute_run(run_id=mine.public_id)
    mine.refresh_from_db()
    theirs.refresh_from_db()
    assert (mine.state, theirs.state) == (RunState.CANCELLED, RunState.DONE)
    assert not mine.recording
    assert name_of(theirs) == "theirs", "nobody learns who asked before"
    assert connections.client().xlen(f"run:{mine.public_id}:frames") == theirs.frames, "no frame expired meanwhile"


@wide
def test_whoever_pauses_goes_on_later_with_the_same_outcome(
    asked: tuple[Run, Run], browser: JsonClient, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    mine, theirs = asked
    meanwhile(lambda: browser.send(f"runs/{mine.public_id}/pause"))
    execution.execute_run(run_id=mine.public_id)
    mine.refresh_from_db()
    theirs.refresh_from_db()
    assert (mine.state, theirs.state) == (RunState.PAUSED, RunState.DONE)
    assert store.stream_of(mine.public_id) != store.stream_of(theirs.public_id), "it stands still for its viewers"
    assert browser.send(f"runs/{mine.public_id}/resume").json()["state"] == "queued"
    assert execution.execute_run(run_id=mine.public_id)
    mine.refresh_from_db()
    assert (mine.state, mine.outcome_digest) == (RunState.DONE, theirs.outcome_digest)
    assert connections.client().xlen(f"run:{store.stream_of(mine.public_id)}:frames") == mine.frames


def test_who_asks_while_it_is_computed_joins_at_once_and_whose_worker_died_is_computed_anew(
    asked: tuple[Run, Run], meanwhile: Callable[[Callable[[], object]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = asked
    seen: list[Any] = []
    monkeypatch.setattr(sharing.Together, "take_in", lambda *_: [])

    def second_message() -> None:
        # Another worker gets the message of a run that came a moment ago.
        seen.append(execution.execute_run(run_id=theirs.public_id))
        theirs.refresh_from_db()
        seen.append((theirs.state, theirs.claim == Run.objects.get(pk=mine.pk).claim, recovery.recover_runs()))

    meanwhile(second_message)
    execution.execute_run(run_id=mine.public_id)
    assert seen == [False, (RunState.RUNNING, True, 0)], "the worker that computes has it, and is alive"
    # That worker ended before it knew of it.
    monkeypatch.undo()
    assert recovery.recover_runs() == 1
    assert execution.execute_run(run_id=theirs.public_id)
    theirs.refresh_from_db()
    assert theirs.state == RunState.DONE


def test_a_run_that_is_to_be_fresh_shares_nothing(
    asked: tuple[Run, Run], browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    mine, theirs = asked
    Run.objects.filter(pk=theirs.pk).update(fresh=True)
    execution.execute_run(run_id=mine.public_id)
    theirs.refresh_from_db()
    assert theirs.state == RunState.QUEUED
    assert execution.execute_run(run_id=theirs.public_id)
    theirs.refresh_from_db()
    assert (theirs.state, theirs.agrees) == (RunState.DONE, True)
