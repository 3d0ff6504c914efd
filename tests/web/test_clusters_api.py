"""A cluster that a user sends: what is kept of it, what a page gets, and that it can be deleted with all made of it."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from playground.asks import opening
from playground.errors import PlaygroundError
from playground.ground.simulator import problems_in, resolve_trace
from playground.ground.viewers import Viewer, hash_token
from playground.models import Classroom, Experiment, Run, RunState, Trace
from playground.questions import asking, store
from playground.traces import service as traces
from playground.traces import statistics, uploads
from playground.traces.checking import FOLDER, check_stored_trace
from playground.traces.first_rows import look_at_upload
from playground.traces.reading import convert
from scheduler_core import Experiment as Core
from scheduler_core import ExperimentError, import_served, simulate
from scheduler_core.limits import Limits
from scheduler_core.workload.clusters.file import ClusterFile, read_cluster_file, write_cluster_file
from tests.support import PROJECT, planted
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

SAMPLE = PROJECT / "fixtures" / "clusters" / "kubernetes.json"


@pytest.fixture(autouse=True)
def own_folders(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.TRACE_DIR = tmp_path / "given"
    settings.TRACE_DIR.mkdir()
    (tmp_path / "media" / "traces").mkdir(parents=True)
    return tmp_path


def stored(data: bytes) -> str:
    name = f"{FOLDER}/{'a' * 32}{traces.UNCHECKED}"
    Path(default_storage.path(name)).write_bytes(data)
    return name


def kept(token: str, session: str = "") -> Trace:
    sample = json.loads(SAMPLE.read_text())
    for it in sample["items"]:
        it["metadata"]["annotations"] = {"password": "hunter2secret"}
    name = stored(json.dumps(sample).encode())
    found = check_stored_trace(stored=name)
    default_storage.delete(name)  # as `Received.forget` does
    return traces.keep_trace(found, name="mine", size=1, session=session, token_hash=hash_token(token))


def test_a_worker_keeps_the_allowed_fields_and_the_row_has_what_a_page_shows() -> None:
    trace = kept("t")
    assert (trace.format, trace.tasks) == ("cluster", 420)
    cluster = trace.details["cluster"]
    assert cluster["report"]["placed"] == 413
    assert sum(cluster["charts"]["requested_share_of_machine"]["cpus"]["counts"]) == 24
    everything = json.dumps(trace.details).encode() + Path(default_storage.path(trace.file.name)).read_bytes()
    assert planted(everything, (b"hunter2", b"replicaset-0", b"team-", b"node-0001")) == []
    assert len(list(Path(default_storage.path(FOLDER)).iterdir())) == 1


def test_the_experiment_of_a_cluster_is_stored_and_runs(browser: JsonClient) -> None:
    trace = kept("t")
    told = browser.read(f"traces/{trace.public_id}").json()
    experiment = told["cluster"]["experiment"]
    experiment["workload"]["trace"] = trace.public_id
    made = browser.make(experiment)
    result = simulate(Core.parse(Experiment.objects.get(public_id=made["id"]).data), resolve_trace=resolve_trace)
    assert result.summary["tasks"]["endless"] == 336


def test_a_cluster_goes_with_everything_made_of_it(browser: JsonClient, stranger: JsonClient) -> None:
    inline = {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]}
    machines = {"clusters": [{"machines": [{"count": 1}]}]}
    plain = {"schema_version": 1, "topology": machines, "workload": inline, "scheduler": {"name": "fifo"}}
    other = browser.make(plain)
    trace = kept("t", Experiment.objects.get().owner_session)
    experiment = trace.details["cluster"]["experiment"]
    experiment["workload"]["trace"] = trace.public_id
    made = browser.make(experiment)
    fork = stranger.send(f"experiments/{made['id']}/fork", {"at_s": 10}).json()
    # A stranger's run that waits for ever keeps nothing of the cluster on the server.
    stored_fork = Experiment.objects.get(public_id=fork["id"])
    held = Run.objects.create(experiment=stored_fork, seed=1, state=RunState.PAUSED, queued_at=timezone.now())
    address = f"/api/v1/traces/{trace.public_id}/everything"
    assert stranger.delete(address).status_code == 403
    gone = browser.delete(address)
    assert gone.json() == {"experiments": 2}
    held.refresh_from_db()
    assert held.state == RunState.CANCELLED
    for one in (made, fork):
        assert browser.read(f"experiments/{one['id']}").status_code == 404
        assert stranger.send(f"experiments/{one['id']}/restore").status_code in (403, 404)
    assert browser.read(f"experiments/{other['id']}").status_code == 200
    assert not Trace.objects.exists()
    assert list(Path(default_storage.path(FOLDER)).iterdir()) == []
    assert browser.delete(address).status_code == 404


def test_experiments_of_others_and_answers_about_it_go_with_a_cluster(
    browser: JsonClient, stranger: JsonClient, broker: None
) -> None:
    browser.send("classes", {})  # makes a session
    trace = kept("t", Classroom.objects.get().owner_session)
    experiment = trace.details["cluster"]["experiment"]
    experiment["workload"]["trace"] = trace.public_id
    theirs = stranger.make(experiment)
    wanted = {"question": "off", "promise": "tasks.unschedulable <= 0"}
    asked = stranger.send(f"experiments/{theirs['id']}/asks", wanted).json()
    facts = store.find(asked["id"])
    assert facts is not None
    store.put(asked["id"], {**facts, "state": "done", "answer": {"tried": [1]}}, 3600)
    about_answer = asking.ask(opening.KIND, asked["id"], {"tried": 0}).name
    about_trace = asking.ask(statistics.KIND, trace.public_id, {}).name
    assert stranger.read(f"asks/{asked['id']}").status_code == 200
    assert browser.delete(f"/api/v1/traces/{trace.public_id}/everything").json() == {"experiments": 1}
    assert stranger.read(f"experiments/{theirs['id']}").status_code == 404
    assert stranger.read(f"asks/{asked['id']}").status_code == 404
    assert [store.find(name) for name in (asked["id"], about_answer, about_trace)] == [None] * 3
    assert store.is_stopped(asked["id"])


def test_a_limit_of_clusters_is_named_by_its_setting(settings: Settings) -> None:
    for name, value in (("CLUSTER_MACHINES", 3), ("CLUSTER_PODS", 10), ("CLUSTER_BYTES", 1_000), ("CLUSTER_DEPTH", 2)):
        before = getattr(settings, f"LIMIT_{name}")
        setattr(settings, f"LIMIT_{name}", value)
        with pytest.raises(ExperimentError) as refused:
            check_stored_trace(stored=stored(SAMPLE.read_bytes()))
        assert f"setting PLAYGROUND_LIMIT_{name}" in problems_in(refused.value)[0]["allowed"]
        setattr(settings, f"LIMIT_{name}", before)


def test_a_number_of_an_export_that_no_64_bits_hold_is_refused_in_words() -> None:
    export = json.loads(SAMPLE.read_text())
    next(it for it in export["items"] if it["kind"] == "Pod")["spec"]["priority"] = 10**30
    with pytest.raises(ExperimentError, match="too large"):
        check_stored_trace(stored=stored(json.dumps(export).encode()))


def test_a_damaged_export_is_refused_without_a_path_of_this_server() -> None:
    with pytest.raises(ExperimentError) as caught:
        check_stored_trace(stored=stored(b'{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Pod"'))
    problem = caught.value.problems[0]
    assert problem.path == ""
    assert "ends in the middle" in problem.message


def test_rows_of_an_export_tell_its_format(monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import contextmanager

    @contextmanager
    def whole(_: str) -> Any:
        yield SAMPLE

    monkeypatch.setattr(uploads, "whole_file", whole)
    assert look_at_upload(stored="uploads/x") == {"format": "cluster"}


def with_secrets() -> bytes:
    sample = json.loads(SAMPLE.read_text())
    for it in sample["items"]:
        it["metadata"]["annotations"] = {"password": "hunter2secret"}
        if it["kind"] == "Pod":
            it["spec"]["containers"][0]["env"] = [{"name": "TOKEN", "value": "hunter2secret"}]
    return json.dumps(sample).encode()


YAML = b"kind: Node\napiVersion: v1\nmetadata: {name: secret-node, annotations: {password: hunter2secret}}\n"
YAML += b"status: {allocatable: {cpu: '4', memory: 8Gi}}\n---\nkind: Pod\napiVersion: v1\n"
YAML += b"metadata: {name: secret-pod, namespace: x}\nspec: {containers: [{env: [{name: T, value: hunter2secret}]}]}\n"
SACCT = b"JobID|JobName|User|Submit|State\n1|hunter2secret|ada|2026-01-01T00:00:00|COMPLETED\n"


@pytest.mark.parametrize(
    "export",
    [with_secrets(), gzip.compress(with_secrets()), YAML],
    ids=["JSON", "packed", "YAML"],
)
def test_an_export_that_is_sent_whole_is_filtered_before_anything_of_it_is_stored(
    export: bytes, broker: None, own_folders: Path
) -> None:
    received = traces.receive_trace(source=io.BytesIO(export), name="mine", viewer=Viewer(token="t"))
    (stored_file,) = Path(default_storage.path(FOLDER)).iterdir()
    text = b"".join(unpacked(stored_file))
    assert planted(text, (b"hunter2", b"replicaset-0", b"secret-", b"node-0001")) == []
    found = check_stored_trace(stored=received.stored)
    assert found["format"] == "cluster"
    assert found["details"]["cluster"]["report"]["pods"] == (420 if export != YAML else 1)


def unpacked(path: Path) -> list[bytes]:
    """Give what a cluster file says: its columns' text is packed."""
    work = read_cluster_file(path)
    return [path.read_bytes(), repr(work.__dict__).encode()]


def test_an_export_that_cannot_be_read_leaves_nothing(broker: None) -> None:
    cut = with_secrets()[:5_000]
    with pytest.raises(PlaygroundError) as caught:
        traces.receive_trace(source=io.BytesIO(cut), name="mine", viewer=Viewer(token="t"))
    assert (caught.value.status, caught.value.kind) == (422, "invalid-trace")
    assert "ends in the middle" in caught.value.problems[0]["message"]
    assert list(Path(default_storage.path(FOLDER)).iterdir()) == []


@pytest.mark.parametrize("export", [with_secrets(), gzip.compress(with_secrets()), YAML, SACCT])
@pytest.mark.parametrize("first", [1, 200, 10**9])
def test_an_export_in_pieces_is_refused_and_none_is_kept(export: bytes, first: int) -> None:
    viewer = Viewer(token="secret")
    upload = uploads.begin_upload(length=len(export), name="x", viewer=viewer).upload

    def send() -> None:
        at = uploads.append_to_upload(upload=upload, offset=0, source=io.BytesIO(export[:first]))
        uploads.append_to_upload(upload=upload, offset=at, source=io.BytesIO(export[first:]))

    with pytest.raises(PlaygroundError) as caught:
        send()
    assert caught.value.kind == "unfiltered-cluster"
    folder = Path(default_storage.path(uploads.FOLDER))
    assert not folder.exists() or list(folder.iterdir()) == []


def test_what_a_page_has_filtered_may_come_in_pieces() -> None:
    lines = b'{"kind": "SchedulerPlaygroundFile"}\n{"kind": "Node", "apiVersion": "v1"}\n'
    upload = uploads.begin_upload(length=len(lines), name="x", viewer=Viewer(token="secret")).upload
    assert uploads.append_to_upload(upload=upload, offset=0, source=io.BytesIO(lines[:9])) == 9
    assert uploads.append_to_upload(upload=upload, offset=9, source=io.BytesIO(lines[9:])) == len(lines)


def test_what_a_page_has_filtered_and_packed_may_come_in_pieces() -> None:
    lines = b'{"kind": "SchedulerPlaygroundFile"}\n' + b'{"kind": "Node", "apiVersion": "v1", "n": 123}\n' * 5_000
    sent = gzip.compress(lines)
    upload = uploads.begin_upload(length=len(sent), name="x", viewer=Viewer(token="secret")).upload
    assert uploads.append_to_upload(upload=upload, offset=0, source=io.BytesIO(sent[:300])) == 300
    assert uploads.append_to_upload(upload=upload, offset=300, source=io.BytesIO(sent[300:])) == len(sent)


def test_a_packed_cluster_unpacks_no_further_than_the_limit(settings: Settings) -> None:
    settings.LIMIT_CLUSTER_BYTES = 1_000_000
    bomb = gzip.compress(b'{"kind": "SchedulerPlaygroundFile"}\n' + b'{"kind": "Node", "apiVersion": "v1"}\n' * 100_000)
    assert len(bomb) < 50_000
    with pytest.raises(ExperimentError) as refused:
        check_stored_trace(stored=stored(bomb))
    assert "setting PLAYGROUND_LIMIT_CLUSTER_BYTES" in problems_in(refused.value)[0]["allowed"]


def test_what_no_database_stores_is_replaced(tmp_path: Path) -> None:
    content = cluster_file(tmp_path)
    content.head["report"]["notes"] = ["a\x00b", "\ud800", "\\u0000", "\U0001f4a9"]
    write_cluster_file(content, tmp_path / "odd")
    found = convert(tmp_path / "odd", tmp_path / "target", {})
    assert found["details"]["cluster"]["report"]["notes"] == ["a\ufffdb", "\ufffd", "\\u0000", "\U0001f4a9"]


def test_a_list_of_traces_reads_no_experiments_of_clusters(browser: JsonClient, broker: None) -> None:
    browser.send("classes", {})  # makes a session
    session = Classroom.objects.get().owner_session
    kept("t", session)
    with CaptureQueriesContext(connection) as asked:
        (mine,) = [each for each in browser.read("traces").json() if each["source"] == "upload"]
    assert (mine["format"], mine["tasks"], mine["constraints"], mine["graphs"]) == ("cluster", 420, [], None)
    (listed,) = [each["sql"] for each in asked if 'FROM "playground_trace"' in each["sql"]]
    assert '"details",' not in listed.replace('("playground_trace"."details",', "")


def cluster_file(tmp_path: Path) -> ClusterFile:
    import_served(SAMPLE, tmp_path / "sample", Limits())
    return read_cluster_file(tmp_path / "sample")
