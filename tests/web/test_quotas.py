"""Whose quota counts: strangers without cookies share their address's, a class has one of its size."""

from __future__ import annotations

import asyncio
import errno
import json
import threading
from collections import deque
from contextlib import suppress
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone
from pytest_django import Settings

from playground.classes import rooms
from playground.errors import PlaygroundError
from playground.experiments import service as experiments
from playground.ground.quotas import Quota
from playground.ground.shared_places import Places, asker
from playground.ground.viewers import Viewer
from playground.models import Challenge, ChallengeState, Classroom, Experiment, Run, RunState, Upload
from playground.previews import service as previews
from playground.previews import turns
from playground.questions.several import refuse_several
from playground.runs import queue
from playground.storage import connections
from playground.storage.keys import question_key, turns_key
from playground.traces.service import keep_trace
from playground.web import admission
from playground.web.rates import network_of
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

HERE, ELSEWHERE = "192.0.2.1", "203.0.113.9"


def visitor(address: str = HERE) -> JsonClient:
    """Give a browser without a cookie."""
    return JsonClient(headers={"host": "localhost"}, raise_request_exception=False, REMOTE_ADDR=address)


def refused_by(answer: Any, setting: str) -> None:
    assert answer.status_code == 429, answer.content
    assert f"PLAYGROUND_{setting}" in answer.json()["problems"][0]["allowed"]


def class_of(people: int, experiment: dict[str, Any], address: str = HERE) -> tuple[dict[str, Any], list[JsonClient]]:
    teacher = visitor(address)
    made = teacher.send("classes", {"experiment": teacher.make(experiment)["id"]})
    assert made.status_code == 201, made.content
    students = [visitor(address) for _ in range(people)]
    for student in students:
        assert student.send("classes/join", {"code": made.json()["code"]}).status_code == 200
    return made.json(), students


def test_strangers_of_one_address_share_a_quota_of_runs_and_studies(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_RUNS_PER_ADDRESS, settings.LIMIT_STUDIES_PER_ADDRESS = 2, 1
    asked = {"experiment": small_experiment}
    assert [visitor().send("runs", asked | {"seed": seed}).status_code for seed in (1, 2)] == [202, 202]
    refused_by(visitor().send("runs", asked | {"seed": 3}), "LIMIT_RUNS_PER_ADDRESS")
    assert visitor(ELSEWHERE).send("runs", asked).status_code == 202
    statuses = []
    for _ in range(2):
        stranger = visitor()
        answer = stranger.send(f"experiments/{stranger.make(small_experiment)['id']}/studies", {"repeats": 2})
        statuses.append(answer.status_code)
    assert statuses == [202, 429]
    refused_by(answer, "LIMIT_STUDIES_PER_ADDRESS")


def test_strangers_of_one_address_share_a_quota_of_stored_bytes(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    first = visitor().make(small_experiment)
    size = Experiment.objects.get(public_id=first["id"]).stored_bytes
    settings.LIMIT_STORED_BYTES_PER_ADDRESS = 3 * size
    assert [visitor().send("experiments", small_experiment).status_code for _ in range(3)] == [201, 201, 429]
    refused_by(visitor().send(f"experiments/{first['id']}/fork", {}), "LIMIT_STORED_BYTES_PER_ADDRESS")
    assert visitor(ELSEWHERE).send("experiments", small_experiment).status_code == 201


def test_strangers_of_one_address_share_a_quota_of_classes(settings: Settings) -> None:
    settings.LIMIT_CLASSES_PER_ADDRESS = 2
    assert [visitor().send("classes", {}).status_code for _ in range(3)] == [201, 201, 429]
    refused_by(visitor().send("classes", {}), "LIMIT_CLASSES_PER_ADDRESS")
    assert visitor(ELSEWHERE).send("classes", {}).status_code == 201
    assert Classroom.objects.count() == 3


def challenge_of(experiment: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": "Wait less", "experiment": experiment, "seeds": 4,
        "change": {"schedulers": [{"name": "megha"}, {"name": "sparrow"}]},
        "objective": {"says": "wait", "value": "run.allocation_delay_s.p99", "unit": "s", "better": "less"},
    }  # fmt: skip


def test_strangers_of_one_address_share_a_quota_of_challenges(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_CHALLENGES_PER_ADDRESS = 1
    asked = challenge_of(small_experiment)
    made = visitor().send("challenges", asked)
    assert made.status_code == 201, made.content
    refused_by(visitor().send("challenges", asked), "LIMIT_CHALLENGES_PER_ADDRESS")
    assert visitor(ELSEWHERE).send("challenges", asked).status_code == 201
    Challenge.objects.filter(public_id=made.json()["id"]).update(state=ChallengeState.CLOSED)
    assert visitor().send("challenges", asked).status_code == 201, "one that is closed counts no more"


def test_strangers_of_one_address_share_a_quota_of_paused_runs(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_PAUSED_RUNS_PER_ADDRESS = 1

    def pause_one(address: str = HERE) -> Any:
        stranger = visitor(address)
        run = stranger.send("runs", {"experiment": small_experiment}).json()["id"]
        return stranger.send(f"runs/{run}/pause")

    assert pause_one().json()["state"] == "paused"
    refused_by(pause_one(), "LIMIT_PAUSED_RUNS_PER_ADDRESS")
    assert pause_one(ELSEWHERE).json()["state"] == "paused"


def test_strangers_of_one_address_share_a_quota_of_traces_and_announced_bytes(settings: Settings) -> None:
    found = {
        "format": "csv", "file": "traces/x", "jobs": 1, "tasks": 1, "span_s": 1.0, "work_s": 1.0, "details": {},
    }  # fmt: skip

    def announced(length: int, address: str = HERE) -> Any:
        headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(length)}
        return visitor(address).generic("POST", "/api/v1/uploads", b"", headers=headers)

    settings.LIMIT_TRACE_BYTES_PER_ADDRESS = 1000
    assert [announced(400).status_code for _ in range(3)] == [201, 201, 429]
    refused_by(announced(400), "LIMIT_TRACE_BYTES_PER_ADDRESS")
    assert announced(400, ELSEWHERE).status_code == 201
    key = Upload.objects.order_by("pk")[0].counts_under
    settings.LIMIT_TRACES_PER_ADDRESS = 1
    keep_trace(found, name="x", size=10, session="", token_hash="", counts_under=key)
    refused_by(announced(1), "LIMIT_TRACES_PER_ADDRESS")


def test_a_request_of_100_bytes_starts_no_more_imports_than_an_address_may(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_IMPORTS_PER_ADDRESS = 2
    trace = visitor().read("traces").json()[-1]["id"]
    asked = {"trace": trace, "cut": {"sample": 0.5}}
    begun = [visitor().send("traces/imports", asked) for _ in range(3)]
    assert [each.status_code for each in begun] == [202, 202, 429], begun[0].content
    refused_by(begun[2], "LIMIT_IMPORTS_PER_ADDRESS")
    assert visitor(ELSEWHERE).send("traces/imports", asked).status_code == 202
    token = {"token": begun[0].json()["owner_token"]}
    assert visitor().send(f"traces/imports/{begun[0].json()['id']}/cancel", **token).status_code == 200
    assert visitor().send("traces/imports", asked).status_code == 202, "one that is over counts no more"


def test_strangers_of_one_address_share_a_quota_of_searches(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_SEARCHES_PER_ADDRESS = 2
    made = visitor().make(small_experiment)["id"]
    asked = {"question": "machines", "promise": "makespan_s <= 5"}
    begun = [visitor().send(f"experiments/{made}/asks", asked) for _ in range(3)]
    assert [each.status_code for each in begun] == [202, 202, 429], begun[0].content
    refused_by(begun[2], "LIMIT_SEARCHES_PER_ADDRESS")
    claim = "papers/claims/megha-f3-4-tail/run"
    refused_by(visitor().send(claim), "LIMIT_SEARCHES_PER_ADDRESS")
    assert visitor(ELSEWHERE).send(claim).status_code == 202
    token = {"token": begun[0].json()["owner_token"]}
    assert visitor().send(f"asks/{begun[0].json()['id']}/cancel", **token).status_code == 200
    assert visitor().send(claim).status_code == 202, "a search that is over counts no more"
    assert visitor(ELSEWHERE).send(claim).status_code == 202, "who joins one starts none"


def test_classes_that_open_at_the_same_moment_count_each_other(settings: Settings) -> None:
    settings.LIMIT_CLASSES_PER_ADDRESS = 2
    opened = [rooms.new_room(Viewer(counts_under="a-place")).classroom for _ in range(4)]
    for room in opened:  # all of them were counted before the first one is stored
        room.used_at = timezone.now()
        with suppress(PlaygroundError):
            rooms.store_room(room)
    assert Classroom.objects.count() == 2


def test_searches_that_begin_at_the_same_moment_count_each_other(redis_url: str) -> None:
    together, passed = threading.Barrier(8), []

    def begin(number: int) -> None:
        together.wait()
        with suppress(PlaygroundError):
            refuse_several(Quota("a-place"), f"a{number}", setting="LIMIT_SEARCHES_PER_ADDRESS", what="searches")
            passed.append(number)

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(passed) <= 4, "nobody asked yet: each noted itself before it counted the others"


def test_a_question_with_much_text_does_not_fill_redis(small_experiment: dict[str, Any]) -> None:
    made = visitor().make(small_experiment)["id"]
    asked = {"question": "machines", "promise": "makespan_s <= 5"}
    deep: Any = {}
    for _ in range(900):
        deep = {"a": deep}
    for options in ({"x": "y" * 10_000}, deep):
        answer = visitor().send(f"experiments/{made}/asks", asked | {"options": options})
        assert (answer.status_code, answer.json()["type"]) in ((413, "too-large"), (400, "not-json")), answer.content
    stored = [key for key in connections.client().scan_iter() if b"question" in key and b"wanted" not in key]
    assert not stored
    begun = visitor().send(f"experiments/{made}/asks", asked).json()
    visitor().send(f"asks/{begun['id']}/cancel", token=begun["owner_token"])
    assert connections.client().ttl(question_key(begun["id"])) <= 60, "one that is cancelled is soon forgotten"


def test_entries_of_strangers_count_against_their_address(small_experiment: dict[str, Any], settings: Settings) -> None:
    challenge = visitor(ELSEWHERE).send("challenges", challenge_of(small_experiment)).json()["id"]
    entry = {"author": "Ada", "part": {"scheduler": {"name": "sparrow"}}}
    assert visitor().send(f"challenges/{challenge}/entries", entry).status_code == 202
    stored = Experiment.objects.exclude(challenge_entries=None).order_by("pk").last()
    assert stored is not None
    assert stored.counts_under
    settings.LIMIT_STORED_BYTES_PER_ADDRESS = 2 * stored.stored_bytes - 1
    refused_by(visitor().send(f"challenges/{challenge}/entries", entry), "LIMIT_STORED_BYTES_PER_ADDRESS")


def test_a_class_of_one_address_joins_previews_and_forks_beside_strangers_who_used_it_up(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_RUNS_PER_ADDRESS = settings.LIMIT_PREVIEWS_PER_ADDRESS = 3
    people = 12
    made, students = class_of(people, small_experiment)
    size = Experiment.objects.first().stored_bytes  # type: ignore[union-attr]
    settings.LIMIT_STORED_BYTES_PER_ADDRESS, settings.LIMIT_STORED_BYTES_PER_STUDENT = 4 * size, 2 * size
    flood = [visitor().send("runs", {"experiment": small_experiment, "seed": seed}) for seed in range(5)]
    assert {202, 429} == {each.status_code for each in flood}
    for seed in range(3, 9):
        visitor().send("previews", small_experiment | {"seed": seed})
    refused_by(visitor().send("previews", small_experiment | {"seed": 9}), "LIMIT_PREVIEWS_PER_ADDRESS")
    shown = Classroom.objects.get(public_id=made["id"]).experiment
    assert shown is not None
    for number, student in enumerate(students):
        assert student.send("previews", small_experiment | {"seed": 100 + number}).status_code == 202
        forked = student.send(f"experiments/{shown.public_id}/fork", {"seed": 100 + number})
        assert forked.status_code == 201, forked.content
        started = student.send(f"experiments/{forked.json()['id']}/runs")
        assert started.status_code == 202, started.content
    keys = set(Experiment.objects.filter(forked_from=shown).values_list("counts_under", flat=True))
    assert keys == {f"c{Classroom.objects.get().pk}"}


def test_a_copy_that_computes_a_classs_answer_counts_against_the_class(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    made, _ = class_of(1, small_experiment)
    token = {"token": made["owner_token"]}
    question = {"kind": "choice", "text": "Which?", "schedulers": ["megha", "sparrow"]}
    shown = Classroom.objects.get().experiment
    assert shown is not None
    asked = visitor().send(f"classes/{made['id']}/questions", question, **token)
    assert asked.status_code == 201, asked.content
    copy = Experiment.objects.exclude(pk=shown.pk).get()
    assert copy.counts_under == f"c{Classroom.objects.get().pk}"
    settings.LIMIT_STORED_BYTES_PER_ADDRESS = settings.LIMIT_STORED_BYTES_PER_STUDENT = copy.stored_bytes // 3
    refused_by(visitor().send(f"classes/{made['id']}/questions", question, **token), "LIMIT_STORED_BYTES_PER_ADDRESS")
    assert Experiment.objects.count() == 2


def test_runs_of_another_address_wait_for_one_turn_not_for_all_strangers(small_experiment: dict[str, Any]) -> None:
    connections.client().delete(turns_key("runs"))
    asked = {"experiment": small_experiment}
    many = [visitor().send("runs", asked | {"seed": seed}).json()["id"] for seed in range(5)]
    other = visitor(ELSEWHERE).send("runs", asked | {"seed": 9}).json()["id"]
    assert queue.due_run(background=False) == many[0]
    Run.objects.filter(public_id=many[0]).update(state=RunState.RUNNING)
    assert queue.due_run(background=False) == other


def asked_at(address: str, experiment: dict[str, Any], count: int) -> list[str]:
    answers = [visitor(address).send("previews", experiment | {"seed": 10 + seed}) for seed in range(count)]
    return [each.json()["socket_url"].rsplit("/", 1)[1] for each in answers]


def test_a_preview_of_another_address_is_computed_next_whatever_waits(
    small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "_processes", lambda: 2)
    many = asked_at(HERE, small_experiment, 5)
    (other,) = asked_at(ELSEWHERE, small_experiment | {"name": "other"}, 1)
    first, second, third = (turns.Turn(name) for name in ("m1", "m2", "m3"))
    taken = [turn.take() or ("", "") for turn in (first, second)]
    assert {place for place, _ in taken} == {many[0], other}, "one address has one process of two"
    assert third.take() is None
    ended, kept = (first, second) if taken[0][0] == many[0] else (second, first)
    assert ended.end(), "the message that found no place is sent again"
    assert (ended.take() or ("", ""))[0] == many[1]
    assert not kept.end()


def test_a_message_that_comes_again_takes_up_what_its_dead_worker_left(small_experiment: dict[str, Any]) -> None:
    places = asked_at(HERE, small_experiment, 2)
    taken = [turns.Turn("the same message").take() for _ in range(2)]
    assert [each and each[0] for each in taken] == [places[0], places[0]]


def test_every_waiting_preview_is_answered_once(small_experiment: dict[str, Any]) -> None:
    asked_at(HERE, small_experiment, 3)
    assert [previews.answer_due(f"m{number}") for number in range(4)] == [True, True, True, False]


def test_costly_work_of_another_address_is_next_whatever_waits() -> None:
    places, order, begun = Places(1), [], threading.Event()
    over = {name: threading.Event() for name in "xyz"}

    def work(address: str, name: str) -> None:
        asker.set(address)
        with places.place(60):
            order.append(name)
            begun.set()
            over[name[0]].wait()

    def start(address: str, name: str, waiting: int) -> threading.Thread:
        thread = threading.Thread(target=work, args=(address, name))
        thread.start()
        while places.waiting() < waiting:
            begun.wait(0.001)
        return thread

    threads = [start(HERE, "x", 0)]
    begun.wait()
    threads += [start(HERE, f"y{number}", number) for number in range(1, 6)]
    threads.append(start(ELSEWHERE, "z", 6))
    for name in "xyz":
        over[name].set()
    for thread in threads:
        thread.join()
    assert order == ["x", "y1", "z", "y2", "y3", "y4", "y5"]


def test_costly_work_waits_in_the_turn_of_the_address_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    take = Places._take
    monkeypatch.setattr(Places, "_take", lambda self, address, wait: taken.append(address) or take(self, address, wait))  # type: ignore[func-returns-value]
    lesson = {"file": "title: x\nsteps: [{text: hello}]"}
    for address in (HERE, ELSEWHERE):
        teacher = visitor(address)
        room = teacher.send("classes", {}).json()["id"]
        assert teacher.send(f"classes/{room}/lesson", lesson).status_code == 200
        asker.set("")
        assert teacher.get(f"/classes/{room}/handout").status_code == 200
    assert taken == [HERE, HERE, ELSEWHERE, ELSEWHERE]


def test_an_address_has_few_costly_requests_that_wait() -> None:
    places = Places(0)
    asker.set(HERE)
    with pytest.raises(TimeoutError, match="other work"), places.place(0):
        pass
    assert places.waiting() == 0
    waiting = [threading.Event() for _ in range(20)]
    places._waiting[HERE] = deque(waiting)
    with pytest.raises(TimeoutError, match="too many"), places.place(60):
        pass


def test_requests_for_previews_of_another_address_pass_those_that_wait() -> None:
    here: list[str] = []

    async def ask() -> None:
        gates = [asyncio.Event() for _ in range(40)]

        async def held(scope: dict[str, Any], receive: Any, send: Any) -> None:
            here.append(scope["client"][0])
            await gates[len(here) - 1].wait()

        application = admission.in_turn(held)
        sent = [
            asyncio.create_task(
                application({"method": "POST", "path": "/api/v1/previews", "client": (address, 1)}, None, None)
            )
            for address in [HERE] * 30 + [ELSEWHERE]
        ]
        for _ in range(20):
            await asyncio.sleep(0)
        gates[0].set()
        gates[1].set()
        for _ in range(20):
            await asyncio.sleep(0)
        for gate in gates:
            gate.set()
        await asyncio.gather(*sent)

    asyncio.run(ask())
    assert here.index(ELSEWHERE) <= 5
    assert len(here) == 31


@pytest.mark.parametrize(
    ("direct", "forwarded", "proxies", "network"),
    [
        ("192.0.2.1", "", 0, "192.0.2.1"), ("192.0.2.1", "203.0.113.9", 0, "192.0.2.1"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9", 1, "203.0.113.9"),
        ("::ffff:192.0.2.1", "", 0, "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "", 0, "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "", 0, "2001:db8:1:2::/64"), ("fe80::1%eth0", "", 0, "fe80::/64"), ("", "", 0, "unknown"),
    ],
)  # fmt: skip
def test_an_address_of_ipv6_is_the_network_of_a_household(
    settings: Settings, direct: str, forwarded: str, proxies: int, network: str
) -> None:
    settings.PROXIES = proxies
    assert network_of(direct, forwarded) == network


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), OperationalError("database or disk is full")], ids=str
)
def test_a_disk_that_fills_up_meanwhile_is_no_fault_of_the_server(
    small_experiment: dict[str, Any], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: Any, **named: Any) -> Any:
        raise error

    monkeypatch.setattr(experiments, "origin_of", full)
    answer = visitor().send("experiments", small_experiment)
    assert answer.status_code == 507
    assert json.loads(answer.content)["type"] == "no-room"
