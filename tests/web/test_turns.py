"""Owners take turns: many runs or a long study of one owner do not hold up those of another."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from playground.models import Experiment, Run, RunState, Study, StudyRun
from playground.runs import queue
from playground.storage import turns as served
from playground.storage.connections import client
from playground.storage.keys import turns_key
from playground.studies import turns
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture(autouse=True)
def nobody_was_served() -> None:
    client().delete(turns_key("runs"), turns_key("studies"))


def start_runs(visitor: JsonClient, experiment: dict[str, Any], *seeds: int) -> list[Run]:
    made = visitor.make(experiment)
    answers = [visitor.send(f"experiments/{made['id']}/runs", {"seed": seed}) for seed in seeds]
    return [Run.objects.select_related("experiment").get(public_id=each.json()["id"]) for each in answers]


def serve() -> str:
    """Take the run that is due from its start to its end; return its id."""
    due = queue.due_run(background=False)
    run = Run.objects.select_related("experiment").get(public_id=due)
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE)
    for name in (run.experiment.owner_session, run.experiment.counts_under):
        served.note_served("runs", name)
    return run.public_id


def test_one_worker_takes_a_run_of_each_owner_in_turn(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    many = start_runs(browser, small_experiment, 1, 2, 3)
    few = start_runs(stranger, small_experiment, 4, 5)
    order = [many[0], few[0], many[1], few[1], many[2]]
    assert [queue.place_of(run).position for run in order] == [1, 2, 3, 4, 5]
    assert [serve() for _ in order] == [run.public_id for run in order]
    assert queue.due_run(background=False) is None


def test_an_owner_whose_run_is_under_way_lets_others_go_first(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    first, second = start_runs(browser, small_experiment, 1, 2)
    (other,) = start_runs(stranger, small_experiment, 3)
    Run.objects.filter(pk=first.pk).update(state=RunState.RUNNING)
    assert queue.due_run(background=False) == other.public_id
    assert [queue.place_of(run).position for run in (other, second)] == [1, 2]


def test_newcomers_do_not_hold_up_who_has_waited_longer(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    start_runs(browser, small_experiment, 1)
    serve()
    (waiting,) = start_runs(browser, small_experiment, 2)
    (newcomer,) = start_runs(stranger, small_experiment, 3)
    assert [serve(), serve()] == [waiting.public_id, newcomer.public_id]


def test_a_group_with_many_rows_hides_no_row_of_another(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (queue, turns):
        monkeypatch.setattr(module, "_LOOKED_AT", 2)
    many = start_runs(browser, small_experiment, 1, 2, 3, 4)
    (other,) = start_runs(stranger, small_experiment, 5)
    Experiment.objects.filter(pk=other.experiment.pk).update(counts_under="another")
    row: dict[str, Any] = {"plan": {}, "runs": 1, "sent_at": timezone.now()}
    studies = [Study.objects.create(experiment=run.experiment, **row) for run in [*many[:3], other]]
    StudyRun.objects.bulk_create([StudyRun(study=study, number=0) for study in studies])
    assert serve() == many[0].public_id
    assert serve() == other.public_id
    assert turns.due_run("", 0) == (studies[0].public_id, 0)
    StudyRun.objects.filter(study=studies[0]).update(state=RunState.RUNNING)
    assert turns.due_run("", 0) == (studies[3].public_id, 0)


def test_workers_share_their_turns_among_the_studies_of_owners(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    def start_study(visitor: JsonClient, repeats: int) -> str:
        made = visitor.make(small_experiment)
        answer = visitor.send(f"experiments/{made['id']}/studies", {"repeats": repeats})
        assert answer.status_code == 202, answer.content
        return str(answer.json()["id"])

    large, small = start_study(browser, 50), start_study(stranger, 2)

    def take(number: int) -> tuple[str, int]:
        """Take the turn of a message of the large study, and keep what is due in a worker's hands."""
        due = turns.due_run(large, number)
        assert isinstance(due, tuple)
        StudyRun.objects.filter(study__public_id=due[0], number=due[1]).update(state=RunState.RUNNING)
        return due

    assert [take(number) for number in range(4)] == [(large, 0), (small, 0), (large, 2), (small, 1)]
    assert [take(number) for number in (4, 5)] == [(large, 4), (large, 5)]
    assert turns.due_run(small, 0) == (large, 1), "a turn of the small study is not lost"
    Study.objects.filter(public_id=large).update(state=RunState.PAUSED)
    assert turns.due_run(large, 6) is None
