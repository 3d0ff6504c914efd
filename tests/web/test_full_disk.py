"""A full disk is told on every route that stores; every operation of the API that writes is in one table below."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings

from playground.asks.service import find_ask
from playground.models import Challenge, ClassQuestion, Classroom, Experiment, Run, RunState, Study
from playground.questions import store
from playground.shell.api import api
from tests.web.conftest import JsonClient
from tests.web.test_class_phones import MADE, told

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

CHOICE = {"kind": "choice", "text": "Which?", "schedulers": ["megha", "sparrow"]}
HEARTBEAT = "scheduler.params.heartbeat_s"
LESSON = {"file": "title: x\nsteps: [{text: hello}, {text: again}]"}
END = {"ends_at": (datetime.now(UTC) + timedelta(days=7)).isoformat(timespec="seconds")}
HOMEWORK = LESSON | END
TRACE = b"0.0 2 1.0 1.0 1.0\n"
PART = {"scheduler": {"name": "sparrow"}}
OBJECTIVE = {"says": "p99 wait", "value": "run.allocation_delay_s.p99", "unit": "s", "better": "less"}

#: Operations that store something, with a body that is right.
STORING: dict[str, Any] = {
    "post /experiments": "experiment",
    "post /experiments/{experiment_id}/fork": {},
    "post /experiments/{experiment_id}/runs": {},
    "post /experiments/{experiment_id}/studies": {"repeats": 2},
    "post /experiments/{experiment_id}/restore": None,
    "post /runs": "run",
    "post /runs/{run_id}/resume": None,
    "post /studies/{study_id}/fork": {"run": 0},
    "post /studies/{study_id}/resume": None,
    "post /challenges": "challenge",
    "post /challenges/{challenge_id}/entries": {"author": "Ada", "part": PART},
    "post /challenges/{challenge_id}/entries/{entry_id}/open": {},
    "post /classes": {},
    "post /classes/{class_id}/questions": CHOICE,
    "post /classes/{class_id}/lesson": LESSON,
    "post /classes/{class_id}/lesson/steps/{step}": {},
    "post /homework": HOMEWORK,
    "patch /homework/{homework_id}": END,
    "put /classes/{class_id}/explore": {"parameters": [{"path": HEARTBEAT, "least": 1, "most": 20}]},
    "put /classes/{class_id}/fork": {"values": {HEARTBEAT: 5}},
    "put /classes/{class_id}/fork/computed": "phone",
    "post /classes/{class_id}/challenge/entries": {"part": PART},
}
#: Rows of a class under way: they may use the reserve of the disk, and are refused by a database that is full.
SMALL: dict[str, Any] = {
    "post /classes/join": "code",
    "patch /classes/{class_id}": {"challenge": "tame-the-tail"},
    "patch /classes/{class_id}/students/{number}": {"name": "Grace"},
    "post /classes/{class_id}/questions/{number}/open": {},
    "post /classes/{class_id}/questions/{number}/close": {},
    "put /classes/{class_id}/questions/{number}/answer": {"value": 1},
    "post /challenges/{challenge_id}/close": None,
    "post /homework/{homework_id}/join": {"name": "Ada"},
}
#: Nothing of them lies on the disk or in the database, or they only stop something.
FREE = {
    "post /previews", "post /constraint-previews", "post /workload-previews", "post /policy-checks",
    "post /kube-configurations", "post /former-rules", "post /lessons/read", "post /lessons/write",
    "post /traces/{trace_id}/fit",
    "post /classes/{class_id}/wall/open", "post /network-races/{race_id}/cancel", "post /asks/{ask_id}/cancel",
    "post /traces/imports/{import_id}/cancel", "post /runs/{run_id}/cancel", "post /runs/{run_id}/pause",
    "post /studies/{study_id}/cancel", "post /studies/{study_id}/pause",
    "post /classes/{class_id}/questions/{number}/reveal", "post /classes/{class_id}/challenges/{challenge_id}/close",
}  # fmt: skip
#: They wait in Redis for a worker, and nothing of them begins while the disk is full.
WAITING: dict[str, Any] = {
    "post /traces": TRACE,
    "post /traces/imports": "import",
    "post /papers/claims/{claim_id}/run": None,
    "post /experiments/{experiment_id}/asks": {"question": "machines", "promise": "makespan_s <= 5"},
    "post /asks/{ask_id}/fork": {"tried": 0},
    "post /runs/{run_id}/network/races": None,
}


@dataclass
class World:
    """One browser that owns all there is, students' ones, ids by name, and bodies that name them."""

    owner: JsonClient
    students: dict[str, JsonClient] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, Any] = field(default_factory=dict)

    def send(self, operation: str, body: Any, **other_ids: str) -> Any:
        method, path = operation.split()
        browser = self.students.get(path, self.owner)
        other_ids = {"class_id": self.classes[path]} if path in self.classes else other_ids
        for name, value in (self.ids | other_ids).items():
            path = path.replace("{" + name + "}", value)
        body = self.bodies.get(body, body) if isinstance(body, str) else body
        if isinstance(body, bytes):
            return browser.send(path[1:], raw=body, Content_Type="application/octet-stream")
        data = b"" if body is None else json.dumps(body).encode()
        return browser.generic(method.upper(), f"/api/v1{path}", data, content_type="application/json")

    def statuses(self, table: dict[str, Any]) -> dict[str, int]:
        return {operation: self.send(operation, body).status_code for operation, body in table.items()}


def new_browser() -> JsonClient:
    return JsonClient(headers={"host": "localhost"}, raise_request_exception=False)


def made(answer: Any) -> Any:
    assert answer.status_code < 300, answer.content
    return answer.json()


@pytest.fixture
def world(small_experiment: dict[str, Any]) -> Iterator[World]:
    owner = new_browser()
    it = World(owner)
    change = {"schedulers": [{"name": "megha"}, {"name": "sparrow"}]}
    it.bodies = {
        "experiment": small_experiment, "run": {"experiment": small_experiment},
        "import": {"trace": owner.read("traces").json()[-1]["id"], "cut": {"tasks": 2}},
        "challenge": {
            "title": "Wait less", "experiment": small_experiment, "objective": OBJECTIVE, "change": change, "seeds": 4,
        },
    }  # fmt: skip
    one = it.ids["experiment_id"] = owner.make(small_experiment)["id"]
    it.ids |= {"claim_id": "megha-f3-4-tail", "number": "1", "step": "1"}
    it.ids["run_id"] = made(it.send("post /experiments/{experiment_id}/runs", {}))["id"]
    it.ids["study_id"] = made(it.send("post /experiments/{experiment_id}/studies", {"repeats": 2}))["id"]
    it.ids["challenge_id"] = made(it.send("post /challenges", "challenge"))["id"]
    entry = STORING["post /challenges/{challenge_id}/entries"]
    it.ids["entry_id"] = made(it.send("post /challenges/{challenge_id}/entries", entry))["id"]
    rooms = [made(it.send("post /classes", {"experiment": one})) for _ in range(3)]
    it.ids["class_id"], it.bodies["code"] = rooms[0]["id"], {"code": rooms[0]["code"]}
    made(it.send("post /classes/{class_id}/questions", CHOICE))
    made(it.send("post /classes/{class_id}/questions/{number}/open", {}))
    made(it.send("post /classes/{class_id}/lesson", LESSON))
    it.ids["homework_id"] = made(it.send("post /homework", HOMEWORK))["id"]
    asked = made(it.send("post /experiments/{experiment_id}/asks", WAITING["post /experiments/{experiment_id}/asks"]))
    it.ids["ask_id"] = asked["id"]
    answered = {"state": "done", "progress": 1.0, "problems": [], "answer": {"tried": [{"value": 4}]}}
    store.put(asked["id"], find_ask(asked["id"]).facts | answered, 60)
    it.students["/homework/{homework_id}/join"] = new_browser()
    seats = zip(("questions/{number}/answer", "fork", "challenge/entries"), rooms, strict=True)
    for path, room in ((f"/classes/{{class_id}}/{what}", room) for what, room in seats):
        it.classes[path], it.students[path] = room["id"], new_browser()
        made(it.students[path].send("classes/join", {"code": room["code"]}))
    for path in ("/classes/join", "/challenges/{challenge_id}/entries"):
        it.students[path] = new_browser()
    explored = STORING["put /classes/{class_id}/explore"]
    made(it.send("put /classes/{class_id}/explore", explored, class_id=rooms[1]["id"]))
    phone, fork = "/classes/{class_id}/fork/computed", "/classes/{class_id}/fork"
    it.classes[phone], it.students[phone], it.bodies["phone"] = rooms[1]["id"], it.students[fork], told()
    exploring = Classroom.objects.get(public_id=rooms[1]["id"])
    exploring.explore = {**(exploring.explore or {}), "start": {"question": "", "made": MADE}}
    exploring.save()
    made(it.send("patch /classes/{class_id}", {"challenge": "tame-the-tail"}, class_id=rooms[2]["id"]))
    return it


def operations() -> set[str]:
    paths = api.get_openapi_schema()["paths"]
    return {
        f"{method} {path.removeprefix('/api/v1')}"
        for path, found in paths.items()
        for method in found
        if method in ("post", "put", "patch")
    }


def test_every_operation_that_writes_is_in_one_table() -> None:
    tables = [set(STORING), set(SMALL), set(WAITING), FREE]
    assert set().union(*tables) == operations()
    assert sum(map(len, tables)) == len(operations())


def rows() -> list[int]:
    return [model.objects.count() for model in (Experiment, Run, Study, Challenge, Classroom, ClassQuestion)]


def test_a_disk_without_reserve_is_told_wherever_something_begins(world: World, settings: Settings) -> None:
    before = rows()
    settings.KEEP_FREE_BYTES = 10**18
    found = world.statuses(STORING | WAITING)
    assert {name: status for name, status in found.items() if status != 507} == {}
    assert rows() == before
    ready = world.owner.get("/readyz")
    assert (ready.status_code, ready.json()["disk"]) == (503, False)
    assert {name: status for name, status in world.statuses(SMALL).items() if status >= 500} == {}, "a class goes on"


def test_a_database_without_room_is_told_wherever_something_is_stored(world: World) -> None:
    Run.objects.update(state=RunState.PAUSED)
    Study.objects.update(state=RunState.PAUSED)
    before = rows()

    def full(execute: Any, sql: str, *more: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE")):
            raise OperationalError("database or disk is full")
        return execute(sql, *more)

    with connection.execute_wrapper(full):
        found = world.statuses(STORING | SMALL)
        answers = [world.owner.read(f"experiments/{world.ids['experiment_id']}"), world.owner.get("/gallery")]
    assert {name: status for name, status in found.items() if status not in (503, 507)} == {}
    assert [each.status_code for each in answers] == [200, 200], "reading goes on"
    assert rows() == before
