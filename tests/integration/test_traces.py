"""Uploads from end to end: a real server, a real worker that reads, a run of what was uploaded."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support import PATIENCE_S, Playground
from tests.support_api import Answer, Api

pytestmark = [pytest.mark.redis, pytest.mark.xdist_group("service")]

TRACE = "".join(f"{second}.0 4 2.0 1.0 2.0 2.0 3.0\n" for second in range(60)).encode()


@pytest.fixture
def api(playground: Playground) -> Api:
    return Api(playground.url)


def send(api: Api, data: bytes, content_type: str = "application/octet-stream", query: str = "?name=w.tr") -> Answer:
    return api.call("POST", f"/api/v1/traces{query}", raw=data, headers={"Content-Type": content_type})


def form(data: bytes, name: str) -> tuple[bytes, str]:
    head = f'--frontier\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return head.encode() + data + b"\r\n--frontier--\r\n", "multipart/form-data; boundary=frontier"


def test_what_was_uploaded_is_run(api: Api, small_experiment: dict[str, Any]) -> None:
    sent = send(api, gzip.compress(TRACE))
    assert sent.status == 201, sent.body
    trace = sent.json
    assert {key: trace[key] for key in ("name", "source", "format", "jobs", "tasks", "span_s", "work_s")} == {
        "name": "w.tr", "source": "upload", "format": "sparrow", "jobs": 60, "tasks": 240, "span_s": 59.0,
        "work_s": 480.0,
    }  # fmt: skip
    run = api.start({**small_experiment, "workload": {"kind": "trace", "trace": trace["id"]}})
    assert api.wait(run["id"])["state"] == "done"
    summary = api.call("GET", f"/api/v1/runs/{run['id']}/summary").json
    assert (summary["tasks"]["total"], summary["tasks"]["completed"], summary["jobs"]["total"]) == (240, 240, 60)
    owner = Api(api.url, token=trace["owner_token"])
    assert trace["id"] in [item["id"] for item in owner.call("GET", "/api/v1/traces").json]
    assert trace["id"] not in [item["id"] for item in Api(api.url).call("GET", "/api/v1/traces").json]
    assert owner.call("DELETE", f"/api/v1/traces/{trace['id']}").status == 204
    late = api.call(
        "POST", "/api/v1/experiments", {**small_experiment, "workload": {"kind": "trace", "trace": trace["id"]}}
    )
    assert late.status == 422
    assert late.json["problems"][0]["path"] == "workload.trace"


def test_a_form_does_as_well(api: Api) -> None:
    sent = send(api, *form(TRACE, "C:\\work\\<b>.tr"), query="")
    assert sent.status == 201, sent.body
    assert sent.json["name"] == "<b>.tr"


def test_a_damaged_line_is_named(api: Api) -> None:
    sent = send(api, TRACE + b"60 2 1.0 1.0\n")
    assert sent.status == 422
    (problem,) = sent.json["problems"]
    assert problem["path"] == "line 61"
    assert "announces 2 tasks and gives 1" in problem["message"]


def test_half_a_packed_file_is_refused(api: Api) -> None:
    sent = send(api, gzip.compress(TRACE * 500)[:-30])
    assert sent.status == 422
    assert sent.json["problems"][0]["path"].startswith("line ")


def test_a_bomb_is_refused_and_the_server_goes_on(api: Api) -> None:
    """About 130 MB of spaces and newlines in as many kilobytes: more lines than there may be tasks."""
    bomb = gzip.compress(b"0 1 1 1\n" * 4_000_000)
    sent = send(api, bomb)
    assert sent.status == 422
    assert "PLAYGROUND_LIMIT_TASKS" in json.dumps(sent.json)
    assert api.call("GET", "/readyz").status == 200


@pytest.fixture
def cut_off(api: Api) -> Iterator[HTTPConnection]:
    address = urlsplit(api.url)
    connection = HTTPConnection(str(address.hostname), address.port, timeout=PATIENCE_S)
    yield connection
    connection.close()


def test_an_upload_that_is_cut_off_leaves_nothing(api: Api, playground: Playground, cut_off: HTTPConnection) -> None:
    folder = playground.data_dir / "recordings" / "traces"
    before = set(folder.iterdir()) if folder.is_dir() else set()
    cut_off.putrequest("POST", "/api/v1/traces?name=half.tr")
    cut_off.putheader("Content-Type", "application/octet-stream")
    cut_off.putheader("Content-Length", str(10_000_000))
    cut_off.endheaders()
    cut_off.send(TRACE)
    assert cut_off.sock is not None
    cut_off.sock.shutdown(socket.SHUT_RDWR)
    cut_off.close()
    assert send(api, b"no trace at all").status == 422
    assert (set(folder.iterdir()) if folder.is_dir() else set()) == before


def test_uploads_side_by_side_are_all_answered(api: Api) -> None:
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(send(api, TRACE).status)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE_S)
    assert answers == [201] * 4
