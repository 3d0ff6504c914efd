"""A playground on several hosts: two web hosts and three of workers share no disk, and people notice nothing of it.

`make test-hosts` runs it. It needs PostgreSQL, because SQLite is a file of one host.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import msgpack
import pytest
from websockets.sync.client import connect

from playground.client import Client
from scheduler_core import Experiment, RecordingReader, ask_question, simulate
from tests import postgres
from tests.hosts import Hosts, several_hosts
from tests.integration.following import Follower, saw_everything_once
from tests.integration.test_asks import begin as begin_question
from tests.integration.test_classes import computed
from tests.integration.test_classes import hear as hear_class
from tests.integration.test_networks import answered
from tests.integration.test_presentations import VIEW, say
from tests.integration.test_presentations import hear as hear_presentation
from tests.integration.test_trace_imports import TABLE, begin, finished, piece
from tests.s3 import BUCKET, client
from tests.support import PATIENCE_S, chatty_experiment, wait_until
from tests.support_api import Api
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, wide, pytest.mark.xdist_group("hosts")]


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    if postgres.programs() is None:
        pytest.skip(postgres.MISSING)
    with several_hosts(
        tmp_path_factory.mktemp("hosts"), PLAYGROUND_WORKERS_MOST="2", PLAYGROUND_LOG_LEVEL="INFO"
    ) as started:
        yield started
        print(started.logs())


@pytest.fixture
def apis(hosts: Hosts) -> list[Api]:
    return [Api(url) for url in hosts.webs]


def on(url: str, address: str) -> str:
    """Return a socket's address on another web host, as a proxy would choose one."""
    parts = urlsplit(address)
    return parts._replace(netloc=urlsplit(url).netloc).geturl()


def test_a_run_is_watched_on_either_web_host_and_its_files_are_read_there(
    hosts: Hosts, apis: list[Api], small_experiment: dict[str, Any]
) -> None:
    small_experiment["workload"]["jobs"] = 3_000
    run = apis[0].start(small_experiment)
    viewers = [Follower(on(url, run["socket_url"])) for url in hosts.webs]
    for viewer in viewers:
        assert saw_everything_once(viewer.wait())
    alone = simulate(Experiment.parse(small_experiment | {"seed": 1})).summary["outcome_digest"]
    for api in apis:
        assert api.run(run["id"])["outcome_digest"] == alone
        recording = api.call("GET", f"/api/v1/runs/{run['id']}/recording").body
        part = api.call("GET", f"/api/v1/runs/{run['id']}/recording", headers={"Range": "bytes=1000-1999"})
        assert (part.status, part.body) == (206, recording[1000:2000])
        with RecordingReader(io.BytesIO(recording)) as reader:
            assert reader.summary["outcome_digest"] == alone
        assert api.call("GET", f"/api/v1/runs/{run['id']}/tasks.csv").body.count(b"\n") > 3_000
    # Who comes when the run is over reads its file, from the middle on.
    late = Follower(on(hosts.webs[1], run["socket_url"]), after=300).wait()
    assert saw_everything_once(late, first=301), late.covered()


def test_an_upload_goes_on_at_another_web_host_and_becomes_a_trace_that_any_worker_runs(
    hosts: Hosts, apis: list[Api], small_experiment: dict[str, Any]
) -> None:
    data = TABLE.encode()
    path = begin(apis[0], len(data))
    apis[1].token = apis[0].token
    third = len(data) // 3
    for number, (start, end) in enumerate(((0, third), (third, 2 * third), (2 * third, len(data)))):
        sent = piece(apis[number % 2], path, start, data[start:end])
        assert (sent.status, sent.headers.get("Upload-Offset")) == (204, str(end)), sent.body
    upload = path.rsplit("/", 1)[1]
    looked = apis[1].call("GET", f"/api/v1/uploads/{upload}/rows")
    assert looked.json["columns"] == ["submit_ms", "run_s", "app"], looked.body
    done = finished(apis[1], {"upload": upload, "columns": looked.json["guess"]})
    assert done["state"] == "done", done
    trace = done["trace"]["id"]
    runs = [api.start(small_experiment | {"workload": {"kind": "trace", "trace": trace}}) for api in apis]
    ended = [api.wait(run["id"]) for api, run in zip(apis, runs, strict=True)]
    assert [one["state"] for one in ended] == ["done", "done"]
    assert len({one["outcome_digest"] for one in ended}) == 1
    left = client(hosts.store.address).list_objects_v2(Bucket=BUCKET, Prefix="test/uploads/")
    assert left["KeyCount"] == 0


def test_a_study_is_computed_by_all_hosts_and_told_by_each(hosts: Hosts, small_experiment: dict[str, Any]) -> None:
    """Each host starts a second process, because runs wait (PLAYGROUND_WORKERS_MOST)."""
    with Client(hosts.webs[0]) as one, Client(hosts.webs[1]) as other:
        axis = {"path": "workload.jobs", "values": [100, 200, 300]}
        study = one.study(small_experiment, axes=[axis], repeats=4)
        with connect(on(hosts.webs[1], study.told["socket_url"])) as socket:
            while msgpack.unpackb(socket.recv(timeout=PATIENCE_S))["state"] != "done":
                pass
        assert len(other.open_study(study.id).wait(10).table()) == 12
        assert study.refresh().state == "done"
    for host in ("runs-1", "runs-2"):
        assert hosts.says(host, f"run {study.id}.")
        # It stays for half a minute without work.
        wait_until(lambda host=host: hosts.processes_of(host) == 2, seconds=60, what=f"{host} has two processes")


def test_a_presentation_is_followed_from_the_other_web_host(
    hosts: Hosts, apis: list[Api], small_experiment: dict[str, Any]
) -> None:
    made = apis[0].create(small_experiment)
    sockets = [f"{url.replace('http', 'ws')}/ws/presentations/{made['slug']}" for url in hosts.webs]
    with connect(sockets[0]) as presenter, connect(sockets[1]) as viewer:
        say(presenter, {"present": True, "token": made["owner_token"]})
        hear_presentation(presenter, {"presenting": True, "watching": 1})
        say(presenter, {"state": VIEW})
        hear_presentation(viewer, {"state": VIEW, "presenting": True})


def test_a_class_is_in_on_both_web_hosts(hosts: Hosts, small_experiment: dict[str, Any]) -> None:
    with Client(hosts.webs[0]) as teacher, Client(hosts.webs[1]) as student:
        room = teacher.open_class(experiment=teacher.create(small_experiment)["id"])
        seat = student.join_class(room.code, "Ada")
        with connect(f"{hosts.webs[1].replace('http', 'ws')}/ws/classes/{room.id}") as socket:
            socket.send(msgpack.packb({"token": seat.token}))
            number = room.ask(kind="number", text="How long?", metric="makespan_s", low=0, high=1000)
            room.open(number)
            hear_class(socket, lambda told: told.get("question"))
            seat.answer(number, 10)
            wait_until(lambda: computed(room.read()), seconds=60, what="the answer is computed")
            room.reveal(number)
            told = hear_class(socket, lambda told: told["question"] and told["question"]["result"])
            assert sum(told["question"]["result"]["counts"]) == 1
        room.delete()


def test_a_preview_is_asked_on_one_web_host_and_told_on_the_other(
    hosts: Hosts, apis: list[Api], small_experiment: dict[str, Any]
) -> None:
    apis[0].token = "a viewer of previews"
    asked = apis[0].call("POST", "/api/v1/previews", small_experiment)
    assert asked.status == 202, asked.body
    with connect(on(hosts.webs[1], asked.json["socket_url"]), max_size=2**24) as socket:
        told: dict[str, Any] = {}
        while "summary" not in told and "error" not in told and "problems" not in told:
            told = msgpack.unpackb(socket.recv(timeout=PATIENCE_S))
        assert told["preview"] == asked.json["preview"]
        assert "problems" not in told


def test_both_hosts_of_runs_help_with_a_question(
    hosts: Hosts, apis: list[Api], small_experiment: dict[str, Any]
) -> None:
    # Ten runs of it take some seconds: a batch of less than one is not worth the messages, and stays with its worker.
    small_experiment["workload"]["jobs"] = 50_000
    promise = "allocation_delay_s.p99 <= 2"
    asked = begin_question(apis[0], {"question": "machines", "promise": promise, "seeds": 10}, small_experiment)
    found = answered(apis[1], f"/api/v1/asks/{asked['id']}")
    assert found["answer"] == ask_question(Experiment.parse(small_experiment), "machines", promise, seeds=10)
    assert all(hosts.says(host, f"run {asked['id']}-") for host in ("runs-1", "runs-2")), hosts.logs()


def test_a_host_dies_with_a_run_and_a_web_host_with_its_viewer(hosts: Hosts, apis: list[Api]) -> None:
    """The other host computes the run to the same outcome; the viewer goes on at the other web host."""
    experiment = chatty_experiment(20_000)
    run = apis[0].start(experiment)
    wait_until(lambda: apis[0].run(run["id"])["progress"] > 0.1, seconds=90, what="the run is under way")
    viewer = Follower(on(hosts.webs[1], run["socket_url"]))
    wait_until(lambda: viewer.frames, seconds=30, what="the viewer sees frames")
    for host in ("runs-1", "web-2"):
        hosts.kill(host)
    viewer.socket_url = on(hosts.webs[0], run["socket_url"])
    ended = apis[0].wait(run["id"], seconds=150)
    assert ended["state"] == "done", hosts.logs()
    assert saw_everything_once(viewer.wait())
    assert ended["outcome_digest"] == simulate(Experiment.parse(experiment | {"seed": 1})).summary["outcome_digest"]


def test_a_store_that_hangs_for_a_while_costs_no_result(
    hosts: Hosts, apis: list[Api], small_experiment: dict[str, Any]
) -> None:
    with hosts.store.hanging():
        run = apis[0].start(small_experiment, seed=3)
        viewer = Follower(run["socket_url"])
        wait_until(lambda: viewer.frames, seconds=60, what="frames arrive without the store")
        assert apis[0].run(run["id"])["state"] != "failed"
    assert apis[0].wait(run["id"], seconds=90)["state"] == "done"
    assert saw_everything_once(viewer.wait())
    assert apis[0].call("GET", f"/api/v1/runs/{run['id']}/recording").status == 200


def test_no_host_kept_a_file_that_another_one_needs(hosts: Hosts) -> None:
    """Only copies of traces lie on hosts; everything else is in the store, and opens."""
    for host in ("web-1", "web-2", "runs-1", "runs-2", "previews-1"):
        assert [name for name in hosts.files_of(host) if not name.startswith(("copies/", "tmp/"))] == []
    found = client(hosts.store.address).list_objects_v2(Bucket=BUCKET, Prefix="test/runs/")["Contents"]
    recordings = [each["Key"] for each in found if each["Key"].endswith(".zip")]
    assert len(recordings) >= 4
    for key in recordings:
        body = client(hosts.store.address).get_object(Bucket=BUCKET, Key=key)["Body"].read()
        assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None
