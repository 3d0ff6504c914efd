"""Everything that the API's own description lists, asked at random: no fault, and no answer that is not described."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import msgpack
import pytest
import schemathesis
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.sync.client import connect

from playground.classes.exploring import MEASURES
from scheduler_core.engine.wasm.packed import manifest
from tests.support import PATIENCE_S, Playground, endless_experiment, small_experiment, wait_until
from tests.support_api import Api
from tests.tiers import examples, sampled

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
DRAFTS = ("/constraint-previews", "/workload-previews", "/policy-checks")
EXAMPLES = examples(12, few=1).max_examples
TRACE = b"0.0 2 1.0 1.0 1.0\n1.5 1 3.0 3.0\n"

# JSON has neither NaN nor infinities: no client can send them.
numbers = st.floats(allow_nan=False, allow_infinity=False)
odd: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), numbers, st.text(max_size=5), st.just([]), st.just({})
)


#: For each parameter's name ids that exist, and the token of their owner.
Aims = tuple[dict[str, list[str]], str]


@dataclass(frozen=True)
class World:
    """What there is to ask about, and which statuses each operation answered with."""

    url: str
    there: Aims
    doomed: Aims
    doomed_trace: Aims
    endless: Aims
    graphs: Aims
    networks: Aims
    policies: Aims
    recorded: Aims
    classes: dict[str, Aims]
    challenges: dict[str, Aims]
    statuses: dict[str, set[int]] = field(default_factory=dict)

    def aims(self, operation: Any) -> Aims:
        what = operation.path.rsplit("/", 1)[1]
        if "/graphs/" in operation.path:
            return self.graphs
        if "/classes/{class_id}" in operation.path:
            if operation.method == "delete":
                what = "remove" if "students" in operation.path else "delete"
            if "/wall" in operation.path:
                what = "wall"
            if "/challenges/" in operation.path:
                what = "close-board"
            return self.classes.get(what, self.classes["read"])
        if "/homework" in operation.path:
            return self.classes["homework"]
        if "/challenges" in operation.path:
            if operation.method == "delete":
                what = "withdraw" if "entries" in operation.path else "delete"
            return self.challenges.get(what, self.challenges["read"])
        if "/network" in operation.path:
            return self.networks
        if what in {"policy-decision", "policy-words"}:
            return self.policies
        if what in {"recorded-starts", "starts.csv", "starts.parquet"}:
            return self.recorded
        if "/starts/" in operation.path:
            return self.classes["computed"]
        if operation.path.endswith("/everything"):
            return self.doomed_trace
        if operation.method == "delete" or what == "restore":
            return self.doomed
        return self.endless if what in {"pause", "resume"} else self.there


@pytest.fixture(scope="module")
def world(playground: Playground) -> Iterator[World]:
    """Make an experiment with runs in many states, one that never ends, one that is to be deleted, and a trace."""
    owner, api, patient, drawer, solver, teacher = (Api(playground.url) for _ in range(6))
    doomed = owner.create(small_experiment())
    trace, with_all = (
        owner.call("POST", "/api/v1/traces", raw=TRACE, headers={"Content-Type": "application/octet-stream"}).json["id"]
        for _ in range(2)
    )
    # Kernels are compiled first, which may take a while on a new machine.
    wait_until(
        lambda: api.call("POST", "/api/v1/workload-previews", {"experiment": small_experiment()}).status == 200,
        seconds=300,
        what="drafts are previewed",
    )
    done = api.start(small_experiment())
    sent = {"Upload-Length": str(len(TRACE))}
    upload = api.call("POST", "/api/v1/uploads", raw=b"", headers=sent).headers["Location"].rsplit("/", 1)[1]
    pieces = {"Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"}
    assert api.call("PATCH", f"/api/v1/uploads/{upload}", raw=TRACE, headers=pieces).status == 204
    lasting = api.call("POST", "/api/v1/traces", raw=TRACE, headers={"Content-Type": "application/octet-stream"}).json
    imported = api.call("POST", "/api/v1/traces/imports", {"trace": lasting["id"]}).json["id"]
    assert api.wait(done["id"])["state"] == "done"
    runs = f"/api/v1/experiments/{done['experiment_id']}/runs"
    cancelled, later = (api.call("POST", runs, {}).json["id"] for _ in range(2))
    api.call("POST", f"/api/v1/runs/{cancelled}/cancel")
    study, gone, lasting_study = (
        user.call("POST", f"/api/v1/experiments/{made}/studies", {"repeats": 2}).json["id"]
        for user, made in ((api, done["experiment_id"]), (owner, doomed["id"]), (api, done["experiment_id"]))
    )
    graphs = drawer.start(small_experiment() | {"scheduler": {"name": "drf"}})
    assert drawer.wait(graphs["id"])["state"] == "done"
    judged = solver.start(small_experiment() | {"scheduler": {"name": "own"}})
    assert solver.wait(judged["id"])["state"] == "done"
    recorded = solver.start(RECORDED)
    assert solver.wait(recorded["id"])["state"] == "done"
    flowing = solver.start(small_experiment() | {"scheduler": {"name": "quincy"}})
    assert solver.wait(flowing["id"])["state"] == "done"
    race = solver.call("POST", f"/api/v1/runs/{flowing['id']}/network/races").json["id"]
    classes = classes_of(teacher, done["experiment_id"])
    ask = api.call("POST", f"/api/v1/experiments/{done['experiment_id']}/asks", QUESTION).json["id"]
    # From here on the only worker has its hands full.
    begun = patient.start(endless_experiment())
    endless = begun["id"]
    long = patient.call("POST", f"/api/v1/experiments/{begun['experiment_id']}/studies", {"repeats": 2}).json["id"]
    yield World(
        playground.url,
        there=(
            {
                "experiment_id": [done["experiment_id"]],
                "run_id": [done["id"], cancelled, later],
                "other_id": [done["id"], cancelled],
                "study_id": [study, lasting_study],
                "trace_id": [lasting["id"]],
                "upload_id": [upload],
                "import_id": [imported],
                "ask_id": [ask],
                "claim_id": ["megha-f3-4-tail"],
                "setup": ["sparrow"],
                "name": ["meta", "frame"],
                "lesson": ["stale-view"],
                "module": [next(iter(manifest().values())).file],
            },
            api.token,
        ),
        doomed=({"experiment_id": [doomed["id"]], "trace_id": [trace], "study_id": [gone]}, owner.token),
        doomed_trace=({"trace_id": [with_all]}, owner.token),
        endless=({"run_id": [endless, done["id"]], "study_id": [long, study]}, patient.token),
        graphs=({"run_id": [graphs["id"], done["id"], endless]}, drawer.token),
        networks=({"run_id": [flowing["id"], done["id"], endless], "race_id": [race]}, solver.token),
        policies=({"run_id": [judged["id"], done["id"]]}, solver.token),
        recorded=({"run_id": [recorded["id"], done["id"]]}, solver.token),
        classes=classes,
        challenges=challenges_of(Api(playground.url)),
    )
    patient.call("POST", f"/api/v1/runs/{endless}/cancel")
    patient.call("POST", f"/api/v1/studies/{long}/cancel")


#: A job with a recorded start, as an imported cluster has it.
RECORDED = {
    "schema_version": 1,
    "topology": {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 2}]}]},
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "started_s": 1, "durations_s": [4, 5, 6]}]},
    "scheduler": {"name": "fifo"},
}
LESSON = "title: x\nsteps: [{text: hello}]"
#: Within the days that a homework may last, whenever the test runs.
END = {"ends_at": (datetime.now(UTC) + timedelta(days=7)).isoformat(timespec="seconds")}
HOMEWORK = {"file": LESSON, **END}
CHOICE = {"kind": "choice", "text": "Which?", "schedulers": ["megha", "sparrow"]}
EXPLORED = {"parameters": [{"path": "scheduler.params.heartbeat_s", "least": 1, "most": 20}]}


def classes_of(teacher: Api, experiment: str) -> dict[str, Aims]:
    """Open a class with students and questions in each state, and one to delete: what there is, by the operation."""
    rooms = [teacher.call("POST", "/api/v1/classes", {"experiment": experiment}).json for _ in range(6)]
    teacher.token = rooms[0]["owner_token"]
    here = f"/api/v1/classes/{rooms[0]['id']}"
    student, _ = (teacher.call("POST", "/api/v1/classes/join", {"code": rooms[0]["code"]}).json for _ in range(2))
    for number in range(1, 4):
        assert teacher.call("POST", f"{here}/questions", CHOICE).status == 201
        assert teacher.call("POST", f"{here}/questions/{number}/open").status == 200
    assert teacher.call("POST", f"{here}/lesson", {"file": LESSON}).status == 200
    wait_until(
        lambda: teacher.call("POST", f"{here}/questions/1/reveal").status == 200,
        seconds=120,
        what="an answer is computed",
    )

    def about(number: int, token: str = teacher.token) -> Aims:
        return {"class_id": [rooms[0]["id"]], "number": [str(number)], "step": ["0"], "code": [rooms[0]["code"]]}, token

    doomed: Aims = {"class_id": [rooms[1]["id"]]}, rooms[1]["owner_token"]
    found = {"read": about(1), "reveal": about(1), "open": about(2), "close": about(2), "{number}": about(1)}
    modes = exploring_and_competing(teacher, *rooms[2:5]) | {"computed": simulated_on_phones(teacher, rooms[5])}
    teacher.token, token = "", teacher.token
    given = teacher.call("POST", "/api/v1/homework", HOMEWORK).json
    teacher.token = token
    homework: Aims = {"homework_id": [given["id"]]}, given["owner_token"]
    own = {"answer": about(3, student["token"]), "remove": about(2), "delete": doomed, "homework": homework}
    return {**found, **modes, **own}


def exploring_and_competing(
    teacher: Api, explores: dict[str, Any], competes: dict[str, Any], ends: dict[str, Any]
) -> dict[str, Aims]:
    """Let one class explore and two play a challenge, each but the last with a student; the last one's is closed."""
    token, teacher.token = teacher.token, ""
    seats = [teacher.call("POST", "/api/v1/classes/join", {"code": room["code"]}).json for room in (explores, competes)]
    for room, method, path, body in (
        (explores, "PUT", "/explore", EXPLORED),
        *((room, "PATCH", "", {"challenge": "tame-the-tail"}) for room in (competes, ends)),
    ):  # fmt: skip
        teacher.token = room["owner_token"]
        assert teacher.call(method, f"/api/v1/classes/{room['id']}{path}", body).status == 200
    teacher.token = token
    told = {name: ({"class_id": [explores["id"]]}, explores["owner_token"]) for name in ("explore", "wall")}
    own = ({"class_id": [competes["id"]]}, seats[1]["token"])
    return {
        **told,
        "fork": ({"class_id": [explores["id"]]}, seats[0]["token"]),
        "board": own,
        "board.csv": own,
        "entries": own,
        "close-board": ({"class_id": [ends["id"]], "challenge_id": ["tame-the-tail"]}, ends["owner_token"]),
    }


def simulated_on_phones(teacher: Api, room: dict[str, Any]) -> Aims:
    """Let a class of one student explore, and wait for the start from which phones simulate."""
    token, teacher.token = teacher.token, ""
    student = teacher.call("POST", "/api/v1/classes/join", {"code": room["code"]}).json
    teacher.token, here = room["owner_token"], f"/api/v1/classes/{room['id']}"
    assert teacher.call("PUT", f"{here}/explore", EXPLORED).status == 200
    # A class takes in what workers made of it while somebody listens.
    with connect(f"{teacher.url.replace('http', 'ws')}/ws/classes/{room['id']}") as socket:
        socket.send(msgpack.packb({"token": student["token"]}))
        start = wait_until(
            lambda: teacher.call("GET", here).json["news"]["explore"]["start"],
            seconds=120,
            what="the start that phones share is packed",
        )
    teacher.token = token
    return {"class_id": [room["id"]], "digest": [start["digest"]]}, student["token"]


CHALLENGE = {
    "title": "Wait less",
    "experiment": small_experiment(),
    "objective": {"says": "p99 wait", "value": "run.allocation_delay_s.p99", "unit": "s", "better": "less"},
    "change": {"schedulers": [{"name": "megha"}, {"name": "sparrow"}]},
    "seeds": 4,
}
QUESTION = {"question": "machines", "promise": "allocation_delay_s.p99 <= 5", "seeds": 1}
ENTRY = {"author": "Ada", "part": {"scheduler": {"name": "sparrow"}}}


def challenges_of(author: Api) -> dict[str, Aims]:
    """Make a challenge to read and to enter, one to close, one to delete, and one whose entry is withdrawn."""

    def made() -> Aims:
        author.token = ""
        challenge = author.call("POST", "/api/v1/challenges", CHALLENGE).json
        author.token = challenge["owner_token"]
        entry = author.call("POST", f"/api/v1/challenges/{challenge['id']}/entries", ENTRY).json
        return {"challenge_id": [challenge["id"]], "entry_id": [entry["id"]]}, author.token

    return {what: made() for what in ("read", "close", "delete", "withdraw")}


@st.composite
def altered(draw: Any, good: dict[str, Any]) -> Any:
    """Draw a good experiment with one value, somewhere, replaced by an odd one."""
    made = copy.deepcopy(good)
    here: Any = made
    while True:
        key = draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or not here[key] or draw(st.booleans()):
            here[key] = draw(odd)
            return made
        here = here[key]


def good_body(case: Any) -> Any:
    """Return a body that is right for an operation, None where nothing has to be sent."""
    if "/classes" in case.path:
        return good_body_of_class(case.path)
    if "/homework" in case.path:
        return {"name": "Ada"} if case.path.endswith("/join") else HOMEWORK if case.path.endswith("/homework") else END
    if "/lessons" in case.path:
        return (
            {"file": LESSON} if case.path.endswith("/read") else {"lesson": {"title": "x", "steps": [{"text": "hi"}]}}
        )
    if "/challenges" in case.path:
        return CHALLENGE if case.path.endswith("/challenges") else ENTRY if case.path.endswith("/entries") else {}
    if case.path.endswith("/studies/{study_id}/fork"):
        return {"run": 1}
    if case.path.endswith("/studies"):
        return {"name": "Beats", "axes": [{"path": "scheduler.params.heartbeat_s", "values": [1, 2]}], "repeats": 1}
    if case.path.endswith("/asks"):
        return QUESTION
    if case.path.endswith("/asks/{ask_id}/fork"):
        return {"tried": 0, "name": "One of them"}
    if case.path.endswith("/fork"):
        return {"at_s": 1, "events": [], "scheduler": {"name": "sparrow"}, "name": "fork", "seed": 1}
    if case.path.endswith("/kube-configurations"):
        return {"scheduler": {"name": "kubernetes"}}
    if case.path.endswith(DRAFTS) or case.path == "/api/v1/runs":
        return {"experiment": small_experiment()}
    if case.path.endswith("/traces/imports"):
        return {"trace": "{trace_id}", "cut": {"tasks": 2}}
    if case.path.endswith("/fit"):
        return {"cutoff_s": 2}
    if case.path.endswith("/traces"):
        return {"file": TRACE} if "form" in str(case.media_type) else TRACE
    return small_experiment() if case.path.endswith(("/experiments", "/previews", "/former-rules")) else {}


def good_body_of_class(path: str) -> Any:
    """Return a body that is right for an operation about classes."""
    bodies = {
        "join": {"code": "{code}"},
        "questions": CHOICE,
        "answer": {"value": 1},
        "{number}": {"name": "Ada"},
        "lesson": {"file": LESSON},
        "explore": EXPLORED,
        "fork": {"values": {"scheduler.params.heartbeat_s": 5}},
        "computed": {
            "values": {"scheduler.params.heartbeat_s": 5},
            "start": "{digest}",
            "digest": "ab" * 32,
            "figures": dict.fromkeys(MEASURES, 0.5),
        },
        "entries": {"part": ENTRY["part"]},
        "open": {"number": 0} if "/wall/" in path else {},
    }
    return bodies.get(path.rsplit("/", 1)[1], {})


@st.composite
def cases(draw: Any, operation: Any, world: World, right: bool | None = None) -> Any:
    """Draw a request of an operation: a right one, or one as described or against it, mostly about what exists."""
    right = draw(st.booleans()) if right is None else right
    wrong = not right and negatable(operation) and draw(st.booleans())
    case = draw(operation.as_strategy(generation_mode=GenerationMode.NEGATIVE if wrong else GenerationMode.POSITIVE))
    known, token = world.aims(operation)
    for name in case.path_parameters or {}:
        if known.get(name) and (right or draw(st.integers(0, 4))):
            case.path_parameters[name] = known[name][0] if right else draw(st.sampled_from(known[name]))
    if right and case.media_type:
        case.body = good_body(case)
        if isinstance(case.body, dict) and case.body.get("trace"):
            case.body["trace"] = known["trace_id"][0]
        if isinstance(case.body, dict) and case.body.get("code"):
            case.body["code"] = world.classes["read"][0]["code"][0]
        if isinstance(case.body, dict) and case.body.get("start") == "{digest}":
            case.body["start"] = known["digest"][0]
    elif "json" in str(case.media_type) and good_body(case) and draw(st.booleans()):
        case.body = draw(altered(good_body(case)))
    if right and "task" in (case.query or {}):
        case.query["task"] = 0
    if right and operation.path.endswith("/network"):
        case.query = {"round": 1}
    if right and "/comparisons/" in operation.path:
        case.query = {"runs": known["run_id"][0]}
    if operation.path == "/api/v1/runs":
        (case.query or {}).pop("wait", None)  # the only worker has its hands full
    if right and operation.path.endswith("/decisions"):
        (case.query or {}).pop("reason", None)  # which reasons there are, its run knows
    if right or draw(st.booleans()):
        case.headers["Authorization"] = f"Bearer {token}"
    return case


def negatable(operation: Any) -> bool:
    return bool(operation.body or operation.query)


@pytest.fixture(scope="module")
def operations(world: World) -> list[Any]:
    schema = schemathesis.openapi.from_url(f"{world.url}/api/v1/openapi.json", timeout=PATIENCE_S)
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    assert len(found) == sum(len(path) for path in schema.raw_schema["paths"].values()) >= 23
    return sampled(found, every=20)


def test_no_request_finds_a_fault_or_an_answer_that_is_not_described(operations: list[Any], world: World) -> None:
    for operation in operations:
        ask(operation, world)
    assert {name for name, found in world.statuses.items() if 429 in found} == set()
    # The requests got somewhere: nearly everything was answered with success at least once.
    fruitless = {name: found for name, found in world.statuses.items() if not any(status < 300 for status in found)}
    assert fruitless == {}


def ask(operation: Any, world: World) -> None:
    found = world.statuses.setdefault(f"{operation.method.upper()} {operation.path}", set())

    def check(case: Any) -> None:
        answer = case.call(timeout=PATIENCE_S)
        found.add(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    for count, right in ((1, True), (EXAMPLES, None)):
        tried = settings(max_examples=count, database=None, phases=[Phase.generate])
        seed(20261121)(tried(given(cases(operation, world, right))(check)))()
