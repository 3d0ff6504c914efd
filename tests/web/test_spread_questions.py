"""Runs of a question are spread over workers: the answer stays the same, a lost run is taken again, turns are fair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.asks import carrying
from playground.models import Experiment as StoredExperiment
from playground.models import Study, StudyRun
from playground.questions import helping, spread
from playground.questions.spread import Spread
from playground.runs.turns import group_of, owner_of
from playground.storage import draining, leases, turns, workers
from playground.storage.connections import client
from playground.storage.keys import SPREAD_KEY
from playground.studies.turns import due_run
from scheduler_core import Cancelled, Experiment, KeptBuilds, ask_question, library_digest
from scheduler_core.ask.answers import frame
from scheduler_core.ask.asking import prepared
from scheduler_core.ask.question import Ran, Run
from scheduler_core.errors import Problem
from tests.support import small_experiment
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker")]

PROMISE = "allocation_delay_s.p99 <= 2"
Tick = Callable[[], None]


@pytest.fixture(autouse=True)
def a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say that a worker of runs is alive, and spread also short runs."""
    workers.mark_worker_alive("runs@test", 1)
    monkeypatch.setattr(carrying, "_WORTH_S", 0.0)
    monkeypatch.setattr(carrying, "_LOOK_EVERY_S", 0.0)
    # A helper here computes in the middle of the asking worker's run, which no process does.
    monkeypatch.setattr(helping, "kept_builds", KeptBuilds)


def tiny() -> dict[str, Any]:
    small = small_experiment()
    small["workload"]["jobs"] = 60
    return small


def answered(tick: Tick, *, question: str = "machines", seeds: int = 3) -> tuple[dict[str, Any], int]:
    """Answer as the server does, with a tick between slices; return the answer and the asking worker's own runs."""
    asks, asked = prepared(Experiment.parse(tiny()), question, PROMISE, seeds=seeds)
    with carrying.carrier(name="a1", owner="me", group="me", tick=tick) as runs:
        found = runs.answer(asks, asked)
    return frame(asked, asks.name, found, runs.done), runs._own_runs


def of_the_library(question: str = "machines", seeds: int = 3) -> dict[str, Any]:
    return ask_question(Experiment.parse(tiny()), question, PROMISE, seeds=seeds)


class Helper:
    """Takes turns between the slices of the asking worker."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self) -> None:
        for question in spread.waiting():
            self.runs += helping.help_question(question)


def nothing_is_left() -> bool:
    return not client().exists(SPREAD_KEY) and not list(client().scan_iter(match="question-spread:*"))


@pytest.mark.parametrize("question", ["machines", "off"])
def test_the_answer_is_the_same_and_both_workers_took_runs(question: str) -> None:
    helper = Helper()
    found, own = answered(helper, question=question)
    assert found == of_the_library(question)
    assert helper.runs > 0
    assert own > 0
    assert own + helper.runs == found["runs"]
    assert workers.waiting_in_queue(turns.STUDIES) >= helper.runs
    assert nothing_is_left()


def test_without_a_worker_of_runs_the_asking_worker_computes_everything() -> None:
    client().delete("worker:alive:runs@test")
    found, own = answered(lambda: None)
    assert found == of_the_library()
    assert own == found["runs"]
    assert workers.waiting_in_queue(turns.STUDIES) == 0


def test_a_run_of_a_lost_worker_is_taken_again(settings: Settings) -> None:
    settings.LEASE_SECONDS = 2
    lost: set[str] = set()

    def lose() -> None:
        """Take each run of the first batch that was offered, and die."""
        for question in () if lost else spread.waiting():
            for number in question.free():
                assert leases.take_lease(question.run_name(number), "dead")
                lost.add(question.run_name(number))

    found, own = answered(lose)
    assert lost
    assert found == of_the_library()
    assert own == found["runs"]


def test_a_run_that_kills_its_workers_is_left_to_the_asking_one(settings: Settings) -> None:
    question = Spread("a1", "t", "me", "me", 1.0, library_digest())
    leases.take_lease("a1", "t")
    question.offer({0: spread.pack_run(Run(tiny()), 0.1)})
    assert spread.waiting() == [question]
    for _ in range(settings.LIMIT_RUN_ATTEMPTS):
        question.count_try(0, 1)
    assert spread.waiting() == []
    assert question.free() == [0]
    assert not helping.help_question(question)


def test_a_cancelled_question_leaves_nothing_and_its_helper_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Spread] = []

    def cancel() -> None:
        seen.extend(spread.waiting())
        if seen:
            raise Cancelled

    with pytest.raises(Cancelled):
        answered(cancel)
    assert nothing_is_left()
    assert not helping.help_question(seen[0])

    question = seen[0]
    leases.take_lease(question.name, question.token)
    question.offer({7: spread.pack_run(Run(tiny()), 0.1)})

    def end_and_look(*given: Any) -> None:
        question.end()
        given[-1]()
        pytest.fail("it goes on")

    monkeypatch.setattr(helping, "carry_out", end_and_look)
    assert helping.help_question(question)
    assert nothing_is_left()


def test_a_drained_worker_returns_its_run() -> None:
    question = Spread("a1", "t", "me", "me", 1.0, library_digest())
    leases.take_lease("a1", "t")
    question.offer({0: spread.pack_run(Run(tiny()), 0.1)})
    draining.begin()
    try:
        assert helping.help_question(question)
    finally:
        draining.end()
    assert question.free(most_tries=1) == [0]
    assert workers.waiting_in_queue(turns.STUDIES) == 2, "another worker gets a turn for it"


def test_a_worker_of_another_library_does_not_help() -> None:
    question = Spread("a1", "t", "me", "me", 1.0, "another")
    leases.take_lease("a1", "t")
    question.offer({0: spread.pack_run(Run(tiny()), 0.1)})
    assert spread.waiting() == []


def test_results_arrive_as_they_were() -> None:
    rows = np.arange(3)
    said = {"template": "No machine has room{told}", "arguments": {"told": "."}}
    ran = Ran({"a": 0.1, "b": None, "c": 3}, "drained", rows - 1, rows * 7, rows * 9, rows > 1, 2, "It waits.", 1, said)
    packed = spread.pack_ran(ran)
    assert packed is not None
    back = spread.unpack_ran(packed)
    for name in ("numbers", "finished", "stranded", "stranded_why", "stranded_task", "stranded_said"):
        assert getattr(back, name) == getattr(ran, name)
    for name in ("machines", "ran_ns", "end_ns", "goes_on"):
        assert np.array_equal(getattr(back, name), getattr(ran, name))
        assert getattr(back, name).dtype == getattr(ran, name).dtype
    assert spread.pack_ran(Ran({}, "refused", problems=(Problem("a", "is wrong"),))) is None


@pytest.mark.django_db
def test_a_question_and_a_study_take_turns(browser: JsonClient) -> None:
    made = browser.make(small_experiment())
    row = StoredExperiment.objects.get(public_id=made["id"])
    study = Study.objects.create(experiment=row, plan={}, runs=9, sent_at=timezone.now())
    StudyRun.objects.bulk_create([StudyRun(study=study, number=number) for number in range(9)])
    assert due_run(study.public_id, 0) == (study.public_id, 0)

    began = study.created_at.timestamp()
    question = Spread("a1", "t", "me", "me", began + 1e-6, library_digest())
    leases.take_lease("a1", "t")
    question.offer({number: spread.pack_run(Run(tiny()), 0.1) for number in range(3)})
    # The study began first; then its owner has a run in a worker's hands.
    assert due_run("a1", 0) == (study.public_id, 0)
    turns.note_served(turns.STUDIES, owner_of(row), group_of(row))
    assert due_run(study.public_id, 1) == question
    # The runs that the asking worker computes itself take no worker.
    leases.take_lease(question.run_name(2), question.token)
    assert due_run(study.public_id, 1) == question
    leases.take_lease(question.run_name(0), "a worker")
    assert question.held() == 1
    assert due_run("a1", 1) == (study.public_id, 0)
