"""Phones of a class simulate by themselves: the shared start, what a phone tells, and what is refused."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
from pathlib import Path
from typing import Any

import msgpack
import numba
import pytest
from asgiref.sync import async_to_sync
from channels.testing import WebsocketCommunicator
from pytest_django import Settings

from playground.classes import forks, starts
from playground.classes.consumer import ClassConsumer
from playground.classes.exploring import MEASURES
from playground.models import ClassFork, Classroom
from playground.previews import newest
from playground.questions.answering import answer_question
from playground.shell import retention
from scheduler_core import Experiment, run_preview, start_file
from scheduler_core.engine.wasm import packed
from scheduler_core.experiment import effective_queues
from scheduler_core.studies.results import measured_numbers
from tests.contracts import unpacked
from tests.node import node
from tests.support import PATIENCE_S, PROJECT
from tests.web.conftest import JsonClient
from tests.web.test_classes import (
    HEARTBEAT,
    Room,
    _bare,
    ask_for,
    done,
    explored,
    new_browser,
    preview,
    speaks,
    try_out,
)

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

DIGEST = "ab" * 32
FIGURES: dict[str, Any] = dict.fromkeys(MEASURES, 0.5)
MADE: starts.Made = {
    "digest": "cd" * 32,
    "module": "megha.wasm",
    "memory_bytes": 5_000_000,
    "turns": [HEARTBEAT],
    "shares": [1.0],
    "warmup_s": 0.0,
}
WRONG: list[tuple[dict[str, Any], int, str, str]] = [
    ({"start": DIGEST}, 409, "start", MADE["digest"]),
    ({"digest": "AB" * 32}, 422, "digest", "64 digits"),
    ({"figures": {**FIGURES, "makespan_s": -1}}, 422, "figures.makespan_s", "from 0 to 1e+15"),
    ({"figures": {**FIGURES, "makespan_s": 1e300}}, 422, "figures.makespan_s", "from 0 to 1e+15"),
    ({"figures": {**FIGURES, "makespan_s": True}}, 422, "figures.makespan_s", "or null"),
    ({"figures": {**FIGURES, "makespan_s": "1"}}, 422, "figures.makespan_s", "or null"),
    ({"figures": {**FIGURES, "makespan_s": [1]}}, 422, "figures.makespan_s", "or null"),
    ({"figures": {**FIGURES, "utilisation.cpus": 1.5}}, 422, "figures.utilisation.cpus", "from 0 to 1,"),
    ({"figures": {"makespan_s": 1}}, 422, "figures.allocation_delay_s.p50", "or null"),
    ({"figures": {**FIGURES, "mood": 1}}, 422, "figures.mood", "makespan_s"),
    ({"values": {HEARTBEAT: 21}}, 422, HEARTBEAT, "from 1 to 20"),
    ({"values": {"seed": 2}}, 422, "seed", HEARTBEAT),
    ({"name": "x"}, 422, "name", "values, start, digest, figures"),
]
"""What no phone can have told: the change of a record, the status, and the place and what is allowed of the problem."""
FAULTY: dict[str, Any] = {
    "queues": [{"name": "a", "share": 0.7}, {"name": "b", "share": 0.3}],
    "events": [{"at_s": 4, "kind": "fail", "target": {"machine": 2}, "duration_s": 9}],
    "warmup_s": 3,
}


def with_start(room: Room, made: starts.Made | None = MADE) -> Room:
    """Let a class explore from a start, as if a worker had packed it."""
    explored(room)
    classroom = Classroom.objects.get()
    assert classroom.explore is not None
    classroom.explore["start"] = {"question": "", "made": made}
    classroom.save()
    return room


def told(**changes: Any) -> dict[str, Any]:
    return {"values": {HEARTBEAT: 2}, "start": MADE["digest"], "digest": DIGEST, "figures": FIGURES} | changes


def tell(room: Room, student: JsonClient, record: dict[str, Any]) -> Any:
    return ask_for(student, "PUT", f"{room.path}/fork/computed", record)


def on_socket(room: Room, browser: JsonClient, *records: Any, spoken: str = "en") -> list[dict[str, Any]]:
    """Tell records on the socket of a browser, one after the other; return the answers, without the news."""

    async def talk() -> list[dict[str, Any]]:
        cookies = "; ".join(f"{name}={one.value}" for name, one in browser.cookies.items())
        headers = [(b"cookie", cookies.encode())] if cookies else []
        socket = WebsocketCommunicator(ClassConsumer.as_asgi(), f"/ws/classes/x?lang={spoken}", headers)
        socket.scope |= {"url_route": {"kwargs": {"class_id": room.made["id"]}}, "client": ["127.0.0.1", 1]}
        assert (await socket.connect(timeout=PATIENCE_S))[0]
        answers = []
        for record in records:
            await socket.send_to(bytes_data=msgpack.packb({"fork": record}))
            while "mode" in (heard := unpacked("class-socket", await socket.receive_from(timeout=PATIENCE_S))):
                pass
            answers.append(heard)
        await socket.disconnect(timeout=PATIENCE_S)
        return answers

    return async_to_sync(talk)()


def test_a_fork_that_a_phone_computed_is_on_the_wall_with_its_label(small_experiment: dict[str, Any]) -> None:
    room = with_start(Room(small_experiment, students=2))
    news = room.read(room.students[0])["news"]["explore"]["start"]
    assert (news["digest"], news["url"]) == (MADE["digest"], f"/api/v1/starts/{MADE['digest']}")
    before = done(try_out(room, room.students[0], {HEARTBEAT: 3}))
    fork = done(tell(room, room.students[0], told()))
    assert (fork["by_phone"], fork["digest"], fork["values"]) == (True, DIGEST, {HEARTBEAT: 2})
    # The answer to what the phone has replaced meanwhile is nobody's.
    late = {"preview": before["preview"], "state": "done", "summary": {"makespan_s": 1.0}, "reduced": None}
    newest.tell(forks._place_of(Classroom.objects.get(), 1), late, over=True)
    _bare(room.made["id"])._load()
    done(try_out(room, room.students[1], {HEARTBEAT: 3}))
    preview(room, 2, 40)
    wall = done(ask_for(room.teacher, "GET", f"{room.path}/wall"))["forks"]
    assert [(one["by_phone"], one["figures"]["makespan_s"]) for one in wall] == [(True, 0.5), (False, 40)]
    assert room.read(room.students[0])["student"]["fork"]["by_phone"]
    done(try_out(room, room.students[0], {HEARTBEAT: 4}))
    asked = ClassFork.objects.get(student__number=1)
    assert (asked.by_phone, asked.digest, asked.figures) == (False, "", None), "the server computes the next one"


@pytest.mark.parametrize(("wrong", "status", "path", "allowed"), WRONG)
def test_a_record_that_no_phone_can_have_is_refused_with_its_place(
    small_experiment: dict[str, Any], wrong: dict[str, Any], status: int, path: str, allowed: str
) -> None:
    room = with_start(Room(small_experiment, students=1))
    refused = done(tell(room, room.students[0], told(**wrong)), status)
    first = refused["problems"][0]
    assert first["path"] == path
    assert allowed in first["allowed"]
    assert not ClassFork.objects.exclude(student=None).exists()


def test_a_socket_stores_a_fork_and_refuses_what_a_request_does(small_experiment: dict[str, Any]) -> None:
    room = with_start(Room(small_experiment, students=2))
    first, second = room.students
    # A socket says ten messages in a second at most.
    for some in (WRONG[:7], WRONG[7:]):
        records = [told(**wrong) for wrong, *_ in some]
        assert on_socket(room, first, *records) == [{"refused": tell(room, first, one).json()} for one in records]
    for odd in (None, 5, [told()], {**told(), "values": {HEARTBEAT: math.nan}}):
        (answer,) = on_socket(room, first, odd)
        assert answer["refused"]["status"] == 422, odd
    assert not ClassFork.objects.exclude(student=None).exists()
    assert on_socket(room, first, told(), told(digest="cd" * 32)) == [{"stored": DIGEST}, {"stored": "cd" * 32}]
    assert on_socket(room, second, told()) == [{"stored": DIGEST}]
    wall = done(ask_for(room.teacher, "GET", f"{room.path}/wall"))["forks"]
    assert [(one["number"], one["by_phone"], one["digest"]) for one in wall] == [
        (1, True, "cd" * 32),
        (2, True, DIGEST),
    ]
    assert on_socket(room, room.teacher, told())[0]["refused"]["type"] == "not-in-class"
    assert on_socket(room, new_browser(), told())[0]["error"] == "bad_message"


def _bare_socket(room: Room) -> ClassConsumer:
    socket = ClassConsumer()
    socket.scope = {"query_string": b"", "client": ["127.0.0.1", 1], "headers": []}
    socket._class_id, socket._viewer = room.made["id"], "Bearer x"
    return socket


def test_a_removed_student_tells_nothing_more_before_the_socket_ends(small_experiment: dict[str, Any]) -> None:
    room = with_start(Room(small_experiment, students=1))
    socket = _bare_socket(room)
    assert socket._taken(told(), 1) == {"stored": DIGEST}
    done(ask_for(room.teacher, "DELETE", f"{room.path}/students/1"), 204)
    removed: Any = socket._taken(told(), 1)
    assert removed["refused"]["type"] == "removed"
    assert not ClassFork.objects.exclude(student=None).exists()


def test_forks_on_the_socket_count_with_the_requests_that_write(
    small_experiment: dict[str, Any], settings: Settings
) -> None:
    room = with_start(Room(small_experiment, students=1))
    settings.LIMIT_WRITES_PER_VIEWER = 2
    student = room.students[0]
    done(tell(room, student, told()))
    stored, refused = on_socket(room, student, told(), told())
    assert stored == {"stored": DIGEST}
    assert refused["refused"]["type"] == "too-many-requests"
    assert tell(room, student, told()).status_code == 429


def test_refusals_of_forks_are_german_where_the_page_is(small_experiment: dict[str, Any]) -> None:
    room = with_start(Room(small_experiment, students=1), {**MADE, "turns": []})
    student = room.students[0]
    records = [told(), *(told(**wrong) for wrong, *_ in WRONG if "name" not in wrong)]
    for some in (records[:7], records[7:]):
        pairs = zip(on_socket(room, student, *some), on_socket(room, student, *some, spoken="de"), strict=True)
        for english, german in ((one["refused"], two["refused"]) for one, two in pairs):
            assert english["title"] != german["title"]
            for one, two in zip(english["problems"], german["problems"], strict=True):
                assert one["path"] == two["path"]
                assert one["message"] != two["message"]
                assert one["remedy"] == "" or one["remedy"] != two["remedy"]
                assert not one["allowed"].startswith(("a ", "64 ")) or one["allowed"] != two["allowed"]
    speaks(student, "de")
    refused = done(try_out(room, student, {HEARTBEAT: 21}), 422)
    assert refused["title"] == "Das kann nicht ausprobiert werden"
    assert (refused["problems"][0]["message"], refused["problems"][0]["allowed"]) == (
        "ist nicht erlaubt",
        "eine Zahl von 1 bis 20",
    )


def test_only_students_tell_and_only_what_a_phone_can_change(small_experiment: dict[str, Any]) -> None:
    room = with_start(Room(small_experiment, students=1), {**MADE, "turns": []})
    assert room.read(room.students[0])["news"]["explore"]["start"] is None, "it would help with nothing"
    refused = done(tell(room, room.students[0], told()), 422)
    assert refused["problems"][0]["path"] == f"values.{HEARTBEAT}"
    assert tell(room, new_browser(), told()).status_code == 403
    done(ask_for(room.teacher, "PATCH", room.path, {"mode": "follow"}))
    assert tell(room, room.students[0], told()).json()["type"] == "not-exploring"


@compiled
def test_a_class_shares_one_start_that_a_browser_keeps_for_good(
    small_experiment: dict[str, Any], browser: JsonClient
) -> None:
    room = Room(small_experiment, students=1)
    explored(room)
    classroom = Classroom.objects.get()
    assert classroom.explore is not None
    assert room.read(room.students[0])["news"]["explore"]["start"] is None, "the server computes meanwhile"
    question = classroom.explore["start"]["question"]
    assert answer_question(task=None, kind_name="class-start", name=question) == "done"
    _bare(room.made["id"])._load()
    news = room.read(room.students[0])["news"]["explore"]["start"]
    answer = browser.get(news["url"])
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/gzip")
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Vary" not in answer, "another cookie would fetch it again"
    assert not answer.cookies
    assert hashlib.sha256(answer.content).hexdigest() == news["digest"]
    assert starts.known_files() == {f"starts/{news['digest']}"}
    retention._remove_starts_of_classes()
    assert browser.get(news["url"]).status_code == 200, "a class names it"
    for odd in ("0" * 64, "A" * 64, "..", "x"):
        assert browser.get(f"/api/v1/starts/{odd}").status_code == 404, odd


@compiled
@pytest.mark.parametrize(
    ("scheduler", "changes", "tries"),
    [
        ("megha", {}, [{}, {HEARTBEAT: 20}, {HEARTBEAT: 1.5}, {}]),
        ("megha", FAULTY, [{HEARTBEAT: 20}, {}]),
        ("sparrow", {"warmup_s": 3}, [{"scheduler.params.probe_ratio": 4}, {}]),
    ],
)
def test_a_phone_has_the_servers_outcome_and_numbers(
    small_experiment: dict[str, Any],
    tmp_path: Path,
    scheduler: str,
    changes: dict[str, Any],
    tries: list[dict[str, Any]],
) -> None:
    experiment = Experiment.parse(small_experiment | {"scheduler": {"name": scheduler}} | changes)
    start = start_file(experiment, touchable=True)
    files = {built.file: built for built in packed.manifest().values()}
    (tmp_path / "run.start").write_bytes(start.content)
    (tmp_path / start.module).write_bytes(packed.module_bytes(files[start.module]))
    shares = [queue.share for queue in effective_queues(experiment)]
    for tasks in (60, 20_000):
        how = {"tasks": tasks, "shares": shares, "warmup_s": experiment.warmup_s}
        (tmp_path / "forks.json").write_text(json.dumps({"how": how, "forks": tries}))
        command = [node(), str(PROJECT / "tests" / "data" / "run_forked.mjs"), str(tmp_path)]
        ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
        assert ran.returncode == 0, ran.stderr
        for values, line in zip(tries, ran.stdout.splitlines(), strict=True):
            summary = run_preview(experiment.with_(values) if values else experiment, tasks=tasks)["summary"]
            phone, numbers = json.loads(line), measured_numbers(summary)
            assert phone["digest"] == summary["outcome_digest"], (tasks, values)
            assert set(phone["figures"]) == set(MEASURES)
            for name in MEASURES:
                expected = numbers.get(name)
                close = expected if expected is None else pytest.approx(expected, rel=1e-9)
                assert phone["figures"][name] == close, (name, tasks, values)
