"""Asking for previews, without workers: who asks, what is refused, and that nothing queues up."""

from __future__ import annotations

import json
from typing import Any, cast

import msgpack
import pytest
from pytest_django import Settings

import scheduler_core
from playground.ground.simulator import parse_experiment
from playground.previews import newest, shared
from playground.previews import service as previews
from playground.storage import connections, workers
from playground.storage.keys import preview_holder_key
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db]


def place(answer: Any) -> str:
    address: str = answer.json()["socket_url"]
    assert address.startswith("ws://localhost/ws/previews/")
    return address.rsplit("/", 1)[1]


def told(where: str) -> dict[str, Any]:
    message = newest.last_told(where)
    assert message is not None
    return cast("dict[str, Any]", msgpack.unpackb(message))


def test_the_newest_question_takes_the_place_of_the_one_before(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    numbers = []
    for seed in range(5):
        answer = browser.send("previews", small_experiment | {"seed": seed})
        assert answer.status_code == 202, answer.content
        numbers.append(answer.json()["preview"])
    assert numbers == [1, 2, 3, 4, 5]
    assert workers.waiting_in_queue("previews") == 1
    question = newest.take_question(place(answer))
    assert question is not None
    assert question.number == 5
    assert json.loads(question.experiment)["seed"] == 4


def test_each_viewer_asks_in_a_place_of_its_own(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    asked = [browser.send("previews", small_experiment) for _ in range(2)]
    other = stranger.send("previews", small_experiment | {"seed": 2})
    assert place(asked[0]) == place(asked[1]) != place(other)
    assert workers.waiting_in_queue("previews") == 2
    # The place says nothing of the cookie that it comes from.
    assert browser.cookies["playground_session"].value not in asked[0].content.decode()


def test_a_worker_answers_the_newest_and_finds_nothing_afterwards(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    browser.send("previews", small_experiment)
    where = place(browser.send("previews", small_experiment | {"name": "newest"}))
    assert previews.answer_preview(place=where)
    answer = told(where)
    assert (answer["preview"], answer["state"], answer["reduced"]) == (2, "done", None)
    assert answer["summary"]["tasks"]["completed"] == 300
    assert sum(answer["hist"]["allocation_delay"]["val"]) == 300
    assert [share["deserved"] for share in answer["shares"]] == [0.5, 0.5]
    assert not previews.answer_preview(place=where)


def test_a_long_run_is_simulated_as_far_as_the_setting_says(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_PREVIEW_TASKS = 100
    where = place(browser.send("previews", small_experiment))
    assert previews.answer_preview(place=where)
    answer = told(where)
    assert answer["reduced"]["tasks"] == 100
    assert answer["reduced"]["of_tasks"] == 300
    assert answer["summary"]["tasks"]["completed"] == 100


def test_one_that_is_outdated_is_given_up_and_leaves_no_answer(
    browser: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newer question comes while the first is computed, as by a viewer who goes on dragging."""
    small_experiment["workload"]["jobs"] = 50_000
    where = place(browser.send("previews", small_experiment))
    compute = scheduler_core.run_preview

    def ask_meanwhile(*args: Any, **kwargs: Any) -> Any:
        browser.send("previews", small_experiment | {"seed": 2})
        return compute(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(scheduler_core, "run_preview", ask_meanwhile)
        assert not previews.answer_preview(place=where)
    assert newest.last_told(where) is None
    # The newer one has a message of its own beside the first.
    assert workers.waiting_in_queue("previews") == 2
    assert previews.answer_preview(place=where)
    assert (told(where)["preview"], told(where)["summary"]["seed"]) == (2, 2)


def test_who_asks_the_same_at_the_same_moment_or_later_shares_one_computation(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = place(browser.send("previews", small_experiment))
    places, compute, computed = [first], scheduler_core.run_preview, []

    def joined_meanwhile(experiment: Any, **options: Any) -> Any:
        """The second viewer joins, and then the first one asks for something else."""
        computed.append(experiment.seed)
        places.append(place(stranger.send("previews", small_experiment | {"name": "mine"})))
        assert previews.answer_preview(place=places[1])
        assert newest.last_told(places[1]) is None
        browser.send("previews", small_experiment | {"seed": 2})
        return compute(experiment, **options)

    with monkeypatch.context() as patched:
        patched.setattr(scheduler_core, "run_preview", joined_meanwhile)
        assert previews.answer_preview(place=first)
    assert (told(places[1])["state"], told(places[1])["summary"]["seed"]) == ("done", 1)
    assert previews.answer_preview(place=first)
    assert told(first)["summary"]["seed"] == 2
    # Who comes later is told at once, without a worker; what the first one asked for is as well.
    waiting = workers.waiting_in_queue("previews")
    assert told(place(browser.send("previews", small_experiment)))["preview"] == 3
    assert told(first) == told(places[1]) | {"preview": 3}
    assert workers.waiting_in_queue("previews") == waiting
    assert computed == [1]


def test_who_asks_for_what_a_worker_computes_waits_for_it_without_a_message(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    computing = shared.Shared(shared.name_of(parse_experiment(json.dumps(small_experiment).encode())), "worker")
    assert computing.join("somebody", 1) is True
    where = place(browser.send("previews", small_experiment))
    assert workers.waiting_in_queue("previews") == 0
    assert computing.end({"state": "done"}) == {"somebody": 1, where: 1}


def test_who_asks_for_what_waits_for_a_worker_waits_with_it(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    """One message is enough for both, also where the first one asks for something else before a worker comes."""
    name = shared.name_of(parse_experiment(json.dumps(small_experiment).encode()))
    first, second = (place(one.send("previews", small_experiment)) for one in (browser, stranger))
    assert workers.waiting_in_queue("previews") == 1
    browser.send("previews", small_experiment | {"seed": 2})
    assert previews.answer_preview(place=first, name=name)
    assert (told(first)["summary"]["seed"], newest.last_told(second)) == (2, None)
    assert workers.waiting_in_queue("previews") == 2, "the second one has a message now"
    assert previews.answer_preview(place=second, name=name)
    assert told(second)["summary"]["seed"] == 1
    assert shared.take_left(name) == {}


def test_who_waited_for_a_worker_that_died_is_answered_with_the_next(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    name = shared.name_of(parse_experiment(json.dumps(small_experiment).encode()))
    dead = shared.Shared(name, "dead")
    assert dead.join("somebody", 1) is True
    first = place(browser.send("previews", small_experiment))
    assert previews.answer_preview(place=first)
    assert newest.last_told(first) is None
    connections.client().delete(preview_holder_key(name))  # it has expired
    second = place(stranger.send("previews", small_experiment))
    assert previews.answer_preview(place=second)
    assert [told(where)["state"] for where in (first, second)] == ["done", "done"]


def test_answers_are_kept_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_MOST_KEPT", 2)
    for name in ("a", "b", "c"):
        shared.Shared(name, "worker").end({"of": name})
    assert [shared.kept(name) for name in ("a", "b", "c")] == [None, {"of": "b"}, {"of": "c"}]


def test_one_that_takes_too_long_says_which_setting_bounds_it(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_PREVIEW_SECONDS = 0
    where = place(browser.send("previews", small_experiment))
    assert previews.answer_preview(place=where)
    error = told(where)["error"]
    assert told(where)["state"] == "failed"
    assert "PLAYGROUND_LIMIT_PREVIEW_SECONDS" in error["problems"][0]["allowed"]


def test_one_whose_workers_die_is_not_tried_for_ever(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    where = place(browser.send("previews", small_experiment))
    for _ in range(2):
        newest.begin_answer(where, 1)  # and then the worker was gone
    assert previews.answer_preview(place=where)
    assert "died" in told(where)["error"]["problems"][0]["message"]


def test_an_older_answer_never_comes_after_a_newer_one(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    where = place(browser.send("previews", small_experiment))
    newest.tell(where, {"preview": 2, "state": "done"}, over=True)
    newest.tell(where, {"preview": 1, "state": "done"}, over=True)
    newest.tell(where, {"preview": 2, "state": "compiling"}, over=False)
    assert told(where) == {"preview": 2, "state": "done"}


def test_asking_too_often_names_the_setting(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_PREVIEWS_PER_SECOND = 3
    answers = [browser.send("previews", small_experiment) for _ in range(40)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert "at most 3 a second (setting PLAYGROUND_LIMIT_PREVIEWS_PER_SECOND)" in refused[0].content.decode()
    assert refused[0]["Retry-After"] == "1"
    assert stranger.send("previews", small_experiment).status_code == 202


def test_what_is_wrong_is_said_at_once_with_its_path(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    small_experiment["scheduler"] = {"name": "sparrow"}
    small_experiment["events"] = [{"at_s": 1, "kind": "fail", "target": {"global_master": 0}}]
    answer = browser.send("previews", small_experiment)
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["path"] == "events[0]"
    settings.LIMIT_MACHINES = 39
    del small_experiment["events"]
    answer = browser.send("previews", small_experiment)
    assert answer.status_code == 422
    assert "PLAYGROUND_LIMIT_MACHINES" in answer.content.decode()
    assert workers.waiting_in_queue("previews") == 0


def test_when_too_many_viewers_wait_nobody_is_kept_waiting(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    connections.client().rpush("previews", *(["waiting"] * previews.MOST_WAITING))
    answer = browser.send("previews", small_experiment)
    assert answer.status_code == 503
    assert answer.json()["type"] == "busy"
