"""Uploads are bounded and checked before they are believed. Reading through is a worker's: tests/integration."""

from __future__ import annotations

import gzip
import io
import json
import resource
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from pytest_django import Settings

from playground.errors import ProblemItem
from playground.ground.simulator import problems_in, resolve_trace
from playground.ground.viewers import hash_token
from playground.models import Trace
from playground.traces import service as traces
from playground.traces.bounded import bounded_reading
from playground.traces.checking import FOLDER, check_stored_trace
from playground.traces.reading import convert
from playground.traces.statistics import measure_trace
from scheduler_core import (
    Experiment,
    ExperimentError,
    Simulation,
    TraceError,
    build_cluster,
    build_workload,
    read_trace,
)
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

GOOD = b"0.0 2 1.0 1.0 1.0\n1.5 1 3.0 3.0\n"


@pytest.fixture(autouse=True)
def own_folders(settings: Settings, tmp_path: Path) -> Path:
    """Keep files of a test in its own folder."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.TRACE_DIR = tmp_path / "given"
    settings.TRACE_DIR.mkdir()
    (tmp_path / "media" / "traces").mkdir(parents=True)
    return tmp_path


def stored(data: bytes) -> str:
    name = f"{FOLDER}/{'a' * 32}{traces.UNCHECKED}"
    Path(default_storage.path(name)).write_bytes(data)
    return name


def first_problem(read: Callable[..., object], **given: str) -> ProblemItem:
    """Return what is wrong first, as it is told to whoever sent the file."""
    with pytest.raises(ExperimentError) as caught:
        read(**given)
    return problems_in(caught.value)[0]


def send(client: JsonClient, data: bytes, content_type: str = "application/octet-stream", path: str = "traces") -> Any:
    return client.send(path, raw=data, Content_Type=content_type)


def left_over() -> list[str]:
    return [path.name for path in Path(default_storage.path(FOLDER)).iterdir()]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_worker_reads_the_whole_file(pack: Any) -> None:
    name = stored(pack(GOOD))
    found = check_stored_trace(stored=name)
    details, file = found.pop("details"), found.pop("file")
    assert found == {"format": "sparrow", "jobs": 2, "tasks": 3, "span_s": 1.5, "work_s": 5.0}
    assert (details["left_out"], details["statistics"]["jobs"]) == ([], 2)
    work = read_trace(Path(default_storage.path(file)), "columnar")
    assert work.duration_ns.tolist() == [10**9, 10**9, 3 * 10**9]


def test_a_columnar_file_is_read_as_well(tmp_path: Path) -> None:
    columns: dict[str, Any] = {name: np.array([0, 0, 10**9]) for name in ("arrival_ns", "mean_ns", "duration_ns")}
    table = pa.table({"job": np.array([0, 0, 1]), **columns, "arrival_ns": np.array([0, 0, 5])})
    table = table.set_column(2, "mean_ns", pa.array([7, 7, 9]))
    sink = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"scheduler_core.trace": "1"}), sink)
    found = check_stored_trace(stored=stored(sink.getvalue()))
    assert (found["format"], found["jobs"], found["tasks"]) == ("columnar", 2, 3)


@pytest.mark.parametrize(
    ("data", "path", "words"),
    [
        (b"0 1 1 1\n1 2 1 1\n", "line 2", "announces 2 tasks"),
        (b"0 1 1 1\n\n3 1 1 soon\n", "line 3", "'soon', not a finite number"),
        (b"0 1 1 -4\n", "line 1", "-4"),
        (b"0 0 1\n0 1 1 1\n", "line 1", "number of tasks"),
        (gzip.compress(b"0 1 1 1\n" * 50_000)[:-20], "line", "cannot be read on"),
    ],
)
def test_a_damaged_file_is_told_by_its_line(data: bytes, path: str, words: str) -> None:
    if data.startswith(b"0 0"):
        # Its first line does not even look like a job, so it is a file of no format that is known.
        data = b"0 1 1 1\n" + data
        path = "line 2"
    first = first_problem(check_stored_trace, stored=stored(data))
    assert first["path"].startswith(path)
    assert words in first["message"]


def test_a_bomb_is_refused_where_the_limit_is(settings: Settings) -> None:
    settings.LIMIT_TRACE_BYTES = 2_000_000
    bomb = gzip.compress(b"0 1 1 1\n" * 4_000_000)  # 32 MB in 31 KB
    assert len(bomb) < 100_000
    first = first_problem(check_stored_trace, stored=stored(bomb))
    assert "PLAYGROUND_LIMIT_TRACE_BYTES" in first["allowed"]
    assert "2,000,000" in first["allowed"]


def test_too_many_rows_name_their_setting(settings: Settings) -> None:
    settings.LIMIT_TASKS = 100
    first = first_problem(check_stored_trace, stored=stored(b"0 1 1 1\n" * 200))
    assert "PLAYGROUND_LIMIT_TASKS" in first["allowed"]


def test_a_packed_table_cannot_unpack_past_the_limit(settings: Settings) -> None:
    """The text of one queue's name may be long and pack to nothing."""
    settings.LIMIT_TRACE_BYTES = 1_000_000
    whole = {name: np.zeros(1000, np.int64) for name in ("job", "arrival_ns", "mean_ns", "duration_ns")}
    table = pa.table({**whole, "queue": ["q" * 100_000] * 1000})
    sink = io.BytesIO()
    table = table.replace_schema_metadata({"scheduler_core.trace": "1"})
    pq.write_table(table, sink, compression="zstd", use_dictionary=False)
    assert len(sink.getvalue()) < 200_000
    first = first_problem(check_stored_trace, stored=stored(sink.getvalue()))
    assert "PLAYGROUND_LIMIT_TRACE_BYTES" in first["allowed"]


def _varint(value: int) -> bytes:
    """Write a number as Parquet's headers do: zigzag, seven bits a byte."""
    left, out = value * 2, bytearray()
    while left > 127:
        out.append(left & 127 | 128)
        left >>= 7
    return bytes([*out, left])


def _page_that_lies(path: Path) -> None:
    """Make a small table whose last page announces two gigabytes, though the table's own sizes are honest."""
    names = ("job", "arrival_ns", "mean_ns", "duration_ns")
    table = pa.table({name: np.zeros(1000, np.int64) for name in names})
    table = table.replace_schema_metadata({b"scheduler_core.trace": b"1"})
    pq.write_table(table, path, compression="zstd", use_dictionary=False, write_statistics=False)
    column = pq.ParquetFile(path).metadata.row_group(0).column(3)
    data, start, size = path.read_bytes(), column.data_page_offset, column.total_compressed_size
    page, footer = data[start : start + size], data[start + size :]
    # A page's header: its type, its size unpacked (two bytes here), the rest.
    assert page[:3] == b"\x15\x00\x15"
    assert page[3] >= 128 > page[4]
    lie = page[:3] + _varint(2**31 - 1) + page[5:]
    at = footer.rindex(b"\x16" + _varint(size) + b"\x26") + 1
    grown = _varint(size + len(lie) - len(page))
    path.write_bytes(data[:start] + lie + footer[:at] + grown + footer[at + len(grown) :])


def test_a_page_that_lies_about_its_size_gets_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "lie.parquet"
    _page_that_lies(path)
    before = resource.getrlimit(resource.RLIMIT_AS)
    first = first_problem(check_stored_trace, stored=stored(path.read_bytes()))
    assert "larger than the memory" in first["message"]
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_lying_page_gets_no_memory_in_the_servers_folder_either(own_folders: Path) -> None:
    """A run reads what lies in PLAYGROUND_TRACE_DIR inside the same bound as uploads."""
    path = own_folders / "given" / "lie.parquet"
    _page_that_lies(path)
    before = resource.getrlimit(resource.RLIMIT_AS)
    first = first_problem(measure_trace, trace_id="lie.parquet")
    assert "larger than the memory" in first["message"]
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "a", "machines": [{"count": 1}]}]},
            "workload": {"kind": "trace", "trace": "lie.parquet"},
            "scheduler": {"name": "sparrow"},
        }
    )
    with pytest.raises(ExperimentError, match="larger than the memory"):
        Simulation(experiment, resolve_trace=resolve_trace).prepare()
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_bounds_of_threads_do_not_outlast_them() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    inside = threading.Barrier(3, timeout=60)

    def bounded() -> None:
        inside.wait()
        with bounded_reading():
            pass

    threads = [threading.Thread(target=bounded) for _ in range(2)]
    for thread in threads:
        thread.start()
    inside.wait()
    for thread in threads:
        thread.join(timeout=60)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"0" * 100, "text/plain"),
        (b"hello there\n", "application/octet-stream"),
        (b"{}", "application/json"),
        (gzip.compress(b"nothing of use"), "application/gzip"),
        (b"\x1f\x8b damaged", "application/gzip"),
        (b"", "text/plain"),
    ],
)
def test_content_decides_and_not_its_name(browser: JsonClient, data: bytes, content_type: str) -> None:
    answer = send(browser, data, content_type, "traces?name=work.tr")
    assert answer.status_code == 422, answer.content
    assert answer.json()["type"] == "invalid-trace"
    assert left_over() == []


def test_a_large_file_is_refused_by_its_setting(browser: JsonClient, settings: Settings) -> None:
    settings.LIMIT_UPLOAD_BYTES = 1000
    answer = send(browser, b"0 1 1 1\n" * 200)
    assert answer.status_code == 413
    assert "PLAYGROUND_LIMIT_UPLOAD_BYTES" in answer.json()["problems"][0]["allowed"]
    assert left_over() == []


def test_a_form_without_a_file_is_told_what_to_send(browser: JsonClient) -> None:
    answer = browser.post("/api/v1/traces", {"name": "x"})
    assert (answer.status_code, answer.json()["type"]) == (400, "no-file")
    broken = send(browser, b"not a form", "multipart/form-data; boundary=x")
    assert broken.status_code == 400


def test_a_foreign_page_cannot_upload(browser: JsonClient) -> None:
    answer = browser.send("traces", raw=GOOD, Content_Type="text/plain", Origin="https://elsewhere.example")
    assert answer.status_code == 403


def test_so_many_traces_and_no_more(browser: JsonClient, settings: Settings) -> None:
    settings.LIMIT_TRACES = 1
    kept("one", token="secret")
    answer = browser.send("traces", raw=GOOD, token="secret", Content_Type="text/plain")
    assert answer.status_code == 429
    assert "PLAYGROUND_LIMIT_TRACES" in answer.json()["problems"][0]["allowed"]


def kept(name: str, token: str) -> Trace:
    trace = Trace(
        name=name, format="sparrow", bytes=len(GOOD), jobs=2, tasks=3, span_s=1.5, owner_token_hash=hash_token(token)
    )
    trace.file.name = f"{FOLDER}/{'b' * 32}"
    Path(default_storage.path(trace.file.name)).write_bytes(GOOD)
    trace.save()
    return trace


def test_an_upload_is_listed_and_deleted_by_its_owner_alone(browser: JsonClient) -> None:
    trace = kept("mine.tr", token="secret")
    headers = {"Authorization": "Bearer secret"}
    assert trace.public_id in [item["id"] for item in browser.get("/api/v1/traces", headers=headers).json()]
    assert trace.public_id not in [item["id"] for item in browser.read("traces").json()]
    refused = browser.delete(f"/api/v1/traces/{trace.public_id}")
    assert (refused.status_code, refused.json()["type"]) == (403, "not-yours")
    assert resolve_trace(trace.public_id).read_bytes() == GOOD
    assert browser.delete(f"/api/v1/traces/{trace.public_id}", headers=headers).status_code == 204
    assert left_over() == []
    with pytest.raises(LookupError):
        resolve_trace(trace.public_id)
    assert browser.delete(f"/api/v1/traces/{trace.public_id}", headers=headers).status_code == 404


def test_the_servers_folder_is_listed_by_id_and_no_path_gets_out(browser: JsonClient, own_folders: Path) -> None:
    (own_folders / "given" / "work.tr").write_bytes(GOOD)
    (own_folders / "given" / ".hidden").write_bytes(GOOD)
    (own_folders / "secret").write_bytes(GOOD)
    answer = browser.read("traces")
    listed = {item["id"]: item for item in answer.json()}
    assert listed["work.tr"]["source"] == "server"
    assert ".hidden" not in listed
    assert str(own_folders) not in answer.content.decode()
    assert resolve_trace("work.tr").read_bytes() == GOOD
    for odd in ("../secret", "given/work.tr", ".hidden", "..", "", "work.tr\n", "a" * 101, "/etc/passwd"):
        with pytest.raises(LookupError):
            resolve_trace(odd)


def test_an_experiment_may_name_a_trace_and_not_a_path(
    browser: JsonClient, small_experiment: dict[str, Any], own_folders: Path
) -> None:
    (own_folders / "given" / "work.tr").write_bytes(GOOD)
    made = browser.send("experiments", {**small_experiment, "workload": {"kind": "trace", "trace": "work.tr"}})
    assert made.status_code == 201
    refused = browser.send("experiments", {**small_experiment, "workload": {"kind": "trace", "path": "/etc/passwd"}})
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["path"] == "workload.path"


def test_graphs_are_refused_by_name_as_soon_as_they_are_known(
    browser: JsonClient, small_experiment: dict[str, Any], own_folders: Path
) -> None:
    """What was read through tells before anything is stored; of a file in the folder the run tells."""
    rows = b"WorkflowID,JobID,SubmitTime,RunTime,NProcs,ReqNProcs,Dependencies\n1,1,0,3,1,1,\n1,2,0,2,1,1,1\n"
    name = stored(rows)
    found = check_stored_trace(stored=name)
    trace = traces.keep_trace(found, name="w.gwf", size=len(rows), session="", token_hash="")
    assert traces.trace_payload(trace)["graphs"] == {"jobs": 1, "stages": 2, "edges": 1}
    workload = {"kind": "trace", "trace": trace.public_id}
    refused = browser.send("experiments", {**small_experiment, "workload": workload})
    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (422, "workload.graphs")
    for scheduler, graphs in (("megha", {"graphs": "drop"}), ("carbyne", {})):
        taken = {**small_experiment, "workload": workload | graphs, "scheduler": {"name": scheduler}}
        assert browser.send("experiments", taken).status_code == 201
    (own_folders / "given" / "w.gwf").write_bytes(rows)
    named = {**small_experiment, "workload": {"kind": "trace", "trace": "w.gwf"}}
    assert browser.send("experiments", named).status_code == 201
    with pytest.raises(ExperimentError, match=r"workload\.graphs"):
        Simulation(Experiment.parse(named), resolve_trace=resolve_trace).prepare()


def test_the_bundled_traces_are_what_the_command_makes(settings: Settings, tmp_path: Path) -> None:
    call_command("make_traces", folder=tmp_path)
    described = json.loads((settings.FIXTURES_DIR / "traces.json").read_text())
    made = json.loads((tmp_path / "traces.json").read_text())
    # How small a file packs is zlib's own affair.
    assert [{**item, "bytes": 0} for item in made] == [{**item, "bytes": 0} for item in described]
    for item in described:
        assert item["synthetic"] is True
        ours = resolve_trace(item["id"])
        assert gzip.decompress(ours.read_bytes()) == gzip.decompress((tmp_path / "traces" / item["id"]).read_bytes())
        work = read_trace(ours, None)
        assert (len(work.tasks), len(work.duration_ns)) == (item["jobs"], item["tasks"])


def test_reading_stops_at_a_name_outside_the_folder() -> None:
    for odd in ("../../etc/passwd", "runs/x", "/etc/passwd"):
        with pytest.raises((ValueError, TraceError)):
            check_stored_trace(stored=odd)


def test_no_address_is_fetched_for_a_trace(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    """Neither an experiment nor an import makes the server connect to where a stranger points it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        port = listener.getsockname()[1]
        for scheme in ("http", "s3", "file"):
            address = f"{scheme}://127.0.0.1:{port}/trace"
            named = browser.send("experiments", {**small_experiment, "workload": {"kind": "trace", "trace": address}})
            assert named.status_code == 422
            assert browser.send("traces/imports", {"trace": address}).status_code == 404
            assert browser.get(f"/api/v1/traces/{address}").status_code == 404
        with pytest.raises(TimeoutError):
            listener.accept()


def test_the_queues_and_cpus_of_an_import_reach_its_experiment(tmp_path: Path) -> None:
    """A column of queues counts: its names are told, and an experiment with them runs each job in its queue."""
    source, target = tmp_path / "mine.csv", tmp_path / "mine.parquet"
    source.write_text("submitted,dur,team,cores\n0,3600,red,2\n5,60,blue,1\n10,40,,1\n20,2.5,redd,1\n")
    columns = {"arrival": "submitted", "duration": "dur", "queue": "team", "cpus": "cores"}
    details = convert(source, target, {"columns": columns})["details"]
    assert details["queues"] == ["red", "blue", "redd", "none"]
    assert details["statistics"]["at_once"]["cpus"] == pytest.approx((2 * 22 + 17 + 12 + 2) / 22)
    queues = [{"name": name, "share": 0.25} for name in details["queues"]]
    workload = {"kind": "trace", "path": str(target), "queue_assignment": "column"}
    topology = {"global_masters": 4, "clusters": [{"name": "lm", "racks": 1, "machines": [{"count": 4, "cpus": 4}]}]}
    sections = {"topology": topology, "queues": queues, "workload": workload, "scheduler": {"name": "megha"}}
    experiment = Experiment.parse({"schema_version": 1, **sections})
    work = build_workload(experiment, build_cluster(experiment))
    assert [details["queues"][queue] for queue in work.jobs["queue"]] == ["red", "blue", "none", "redd"]


def test_queues_that_no_experiment_can_name_are_told(tmp_path: Path) -> None:
    source = tmp_path / "mine.csv"
    source.write_text(f"submitted,dur,team\n0,1,{'x' * 65}\n")
    columns = {"arrival": "submitted", "duration": "dur", "queue": "team"}
    details = convert(source, tmp_path / "mine.parquet", {"columns": columns})["details"]
    assert details["queues"] == []
    assert any("queues of the trace are not used" in note for note in details["notes"])
