"""What a small request may hold, and how much an answer tells of one that is wrong from end to end."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from playground.arena import challenges
from playground.classes.asked import parse_asked
from playground.classes.exploring import parse_exploration
from playground.errors import MOST_PROBLEMS, PlaygroundError
from playground.ground import checking_apart
from playground.ground.simulator import uploaded_trace, web_limits
from playground.ground.values import values_in
from playground.lab.service import draft_limits
from playground.models import Challenge, Experiment
from playground.runs.results import starts
from playground.web.session_store import SessionStore
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]


def test_values_are_counted_at_every_level_and_no_further_than_asked() -> None:
    assert values_in({}) == values_in([]) == 0
    assert values_in({"a": 1, "b": [True, None, "text"], "c": {"d": [[], {}]}}) == 3 + 3 + 1 + 2
    endless: list[Any] = []
    endless.extend([endless] * 10)
    assert values_in(endless, most=100) == 110, "it ends with the list in which it passes the bound"
    assert values_in([0] * 100, most=100) == 100


def test_a_request_with_very_many_values_is_refused_before_any_is_checked(browser: JsonClient) -> None:
    room = browser.send("classes", {}).json()
    browser.send("classes/join", {"code": room["code"]})
    wrong: Any
    for verb, path, wrong in (
        ("PUT", f"classes/{room['id']}/questions/1/answer", {"value": [[]] * 6_000}),
        ("PUT", f"classes/{room['id']}/fork", {"values": {str(number): [] for number in range(6_000)}}),
        ("POST", "experiments/x/studies", {str(number): 1 for number in range(6_000)}),
        ("POST", "experiments/x/asks", {str(number): 1 for number in range(6_000)}),
        ("POST", "challenges", {str(number): 1 for number in range(60_000)}),
    ):
        answer = browser.generic(verb, f"/api/v1/{path}", json.dumps(wrong), content_type="application/json")
        assert (answer.status_code, answer.json()["type"]) == (413, "too-large"), path
        assert len(answer.content) < 1_000


def test_an_answer_tells_no_more_problems_than_a_person_reads(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    odd = {f"odd{number}": 1 for number in range(3_000)}
    made = browser.make(small_experiment)["id"]
    for path, body in (
        ("experiments", small_experiment | odd),
        (f"experiments/{made}/fork", odd),
        ("classes", odd),
        (f"experiments/{made}/studies", odd),
    ):
        told = browser.send(path, body).json()["problems"]
        assert len(told) == MOST_PROBLEMS + 1, path
        assert told[-1]["message"] == "has more problems than these"


def test_no_more_problems_are_made_than_an_answer_tells(
    browser: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    told = PlaygroundError.to_dict
    monkeypatch.setattr(PlaygroundError, "to_dict", lambda self: made.append(len(self.problems)) or told(self))  # type: ignore[func-returns-value]
    odd = {f"odd{number}": 1 for number in range(3_000)}
    stored = browser.make(small_experiment)["id"]
    for path in (f"experiments/{stored}/fork", "classes"):
        assert browser.send(path, odd).status_code == 422, path
    early = {"at_s": 10, "events": [{"at_s": 1}] * 3_000}
    assert browser.send(f"experiments/{stored}/fork", early).status_code == 422
    with pytest.raises(PlaygroundError) as refused:
        parse_exploration({"parameters": [{"path": "seed"} | odd]})
    assert [*made, len(refused.value.problems)] == [MOST_PROBLEMS + 1] * 4


def test_the_process_that_checks_a_large_experiment_tells_few_problems(small_experiment: dict[str, Any]) -> None:
    text = json.dumps(small_experiment | {"events": [[]] * 8_000})
    told = checking_apart.answer({"text": text, "limits": asdict(web_limits()), "trace": None, "graphs": False})
    assert len(told["problems"]) == MOST_PROBLEMS + 1


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e309", "-1e309"])
def test_numbers_of_a_small_request_are_finite(browser: JsonClient, number: str) -> None:
    room = browser.send("classes", {}).json()["id"]
    raw = f'{{"parameters": [{{"path": "seed", "choices": [1, {number}]}}]}}'
    answer = browser.generic("PUT", f"/api/v1/classes/{room}/explore", raw, content_type="application/json")
    assert (answer.status_code, answer.json()["type"]) == (400, "not-json")


@pytest.mark.parametrize("odd", ["a\x00b", "\ud800"])
def test_a_text_that_no_database_stores_is_named_by_its_place(browser: JsonClient, odd: str) -> None:
    room = browser.send("classes", {}).json()["id"]
    for body, place in (
        ({"parameters": [{"path": "seed", "choices": ["a", odd]}]}, "parameters.0.choices.1"),
        ({"parameters": [{odd: 1}]}, "parameters.0."),
    ):
        raw = json.dumps(body)
        answer = browser.generic("PUT", f"/api/v1/classes/{room}/explore", raw, content_type="application/json")
        assert answer.status_code == 422
        assert answer.json()["problems"][0]["path"].startswith(place)
    literal = json.dumps({"parameters": [{"path": "seed", "choices": ["\\u0000", "\N{GRINNING FACE}"]}]})
    answer = browser.generic("PUT", f"/api/v1/classes/{room}/explore", literal, content_type="application/json")
    assert (answer.status_code, answer.json()["type"]) == (409, "nothing-shown"), "a backslash is a character"


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), 10**299, "x" * 201])
def test_choices_of_students_are_values_that_are_stored_and_sent(odd: Any) -> None:
    """A lesson's file reaches them, too, and YAML has `.nan`."""
    with pytest.raises(PlaygroundError):
        parse_exploration({"parameters": [{"path": "seed", "choices": [1, odd]}]})
    assert parse_exploration({"parameters": [{"path": "seed", "choices": [1, 2.5, True, "a"]}]})
    asked = {"kind": "choice", "text": "Which?", "path": "seed"}
    with pytest.raises(PlaygroundError):
        parse_asked(asked | {"values": [1, odd]})
    assert parse_asked(asked | {"values": [1, 2.5, True, "a"]})


def test_no_odd_name_reaches_the_database(browser: JsonClient) -> None:
    """PostgreSQL refuses a NUL with a fault; these names come from addresses, bodies and cookies."""
    with CaptureQueriesContext(connection) as asked:
        assert uploaded_trace("a\x00b") is None
        assert SessionStore("\x00" + "a" * 31).get("since") is None
        assert SessionStore("a" * 31 + "\N{LATIN SMALL LETTER E WITH ACUTE}").get("since") is None
    assert len(asked) == 0
    odd: list[str] = []

    def looking(execute: Any, sql: str, params: Any, *more: Any) -> Any:
        odd.extend(sql for each in params or () if isinstance(each, str) and "\x00" in each)
        return execute(sql, params, *more)

    with connection.execute_wrapper(looking):
        Experiment.objects.filter(name="a\x00b").exists()
        assert len(odd) == 1, "it sees one"
        for verb, address in (
            ("GET", "/screen?code=AB%00CDEFGHJK"),
            ("GET", "/traces/a%00b"),
            ("GET", "/api/v1/traces/a%00b"),
            ("GET", "/api/v1/traces/a%00b/statistics"),
            ("POST", "/api/v1/traces/a%00b/fit"),
            ("DELETE", "/api/v1/traces/a%00b"),
            ("DELETE", "/api/v1/traces/a%00b/everything"),
        ):
            answer = browser.generic(verb, address, content_type="application/json")
            assert (answer.status_code, len(odd)) == (404, 1), address


def test_a_session_that_was_drawn_is_found_again() -> None:
    made = SessionStore()
    made["since"] = 1
    made.save()
    assert made.session_key is not None
    assert SessionStore(made.session_key).get("since") == 1


def challenge_of(experiment: dict[str, Any], schedulers: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "title": "Wait less", "experiment": experiment, "seeds": 4,
        "change": {"schedulers": [{"name": "megha"}] * schedulers},
        "objective": {"says": "wait", "value": "run.allocation_delay_s.p99", "unit": "s", "better": "less"},
    } | more  # fmt: skip


def test_a_challenge_checks_an_experiment_no_more_often_than_its_size_allows(
    browser: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: list[int] = []
    check = challenges.start_of
    monkeypatch.setattr(challenges, "start_of", lambda *given: checks.append(1) or check(*given))  # type: ignore[func-returns-value]
    groups = {"clusters": [{"machines": [{"count": 1}] * 500} for _ in range(8)]}
    asked = challenge_of(small_experiment | {"topology": groups}, schedulers=40)
    answer = browser.send("challenges", asked)
    assert answer.status_code == 422
    assert [one["path"] for one in answer.json()["problems"]] == ["experiment"]
    assert not checks


def test_a_challenge_counts_what_its_own_row_holds(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    for story in ("x", "x" * 2_000):
        assert browser.send("challenges", challenge_of(small_experiment, story=story)).status_code == 201
    short, long = Experiment.objects.order_by("pk").values_list("stored_bytes", flat=True)
    assert long - short == 1_999, "the story is in the challenge's row alone"
    row = len(json.dumps(Challenge.objects.order_by("pk")[1].spec))
    # A row counts 2,000 bytes more than its text. The experiment alone has room.
    settings.LIMIT_STORED_BYTES_PER_ADDRESS = short + long + row + 1_999
    again = challenge_of(small_experiment, story="x" * 2_000)
    assert browser.send("challenges", again).status_code == 429
    choices = {"values": [{"path": "topology.global_masters", "choices": ["x" * 400_000]}]}
    assert browser.send("challenges", challenge_of(small_experiment, change=choices)).status_code == 422


def test_a_configuration_is_read_within_bounds_of_its_own(browser: JsonClient) -> None:
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    for more in ({"profiles": [{}] * 20_000}, {"percentageOfNodesToScore": "x" * 300_000}):
        answer = browser.send("kube-configurations", {"configuration": head | more})
        assert answer.status_code == 422
        assert len(answer.content) < 1_000
    for path, right, most in (
        ("kube-configurations", {"configuration": head}, 200_000), ("policy-checks", {"policy": "score: 1"}, 64_000),
    ):  # fmt: skip
        text = json.dumps(right).encode()
        statuses = [browser.send(path, raw=text.ljust(size)).status_code for size in (most, most + 1)]
        assert statuses == [200, 422], path


def test_a_draft_holds_no_more_values_than_a_right_one_of_its_size(settings: Settings) -> None:
    settings.LIMIT_DRAFT_BYTES = 50_000
    assert draft_limits().json_values == 5_000


def test_redis_keeps_no_start_of_a_run_for_long() -> None:
    """It has megabytes, and everyone may ask for those of many runs; a browser that has one asks by its tag."""
    assert starts.KIND.kept_s <= 120
