"""Uploads in pieces and imports with progress: a real server, real workers, a connection that really drops."""

from __future__ import annotations

import base64
import gzip
import json
import socket
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support import PATIENCE_S, Playground, wait_until
from tests.support_api import Answer, Api

pytestmark = [pytest.mark.redis, pytest.mark.xdist_group("service")]

PIECE = {"Content-Type": "application/offset+octet-stream", "Tus-Resumable": "1.0.0"}
TABLE = "submit_ms,run_s,app\n" + "".join(f"{at * 500},{1 + at % 3},a{at // 4}\n" for at in range(80))


@pytest.fixture
def api(playground: Playground) -> Api:
    return Api(playground.url)


def begin(api: Api, length: int, name: str = "work.csv") -> str:
    metadata = f"filename {base64.b64encode(name.encode()).decode()}"
    begun = api.call(
        "POST",
        "/api/v1/uploads",
        raw=b"",
        headers={"Upload-Length": str(length), "Upload-Metadata": metadata, "Tus-Resumable": "1.0.0"},
    )
    assert begun.status == 201, begun.body
    api.token = begun.headers["Owner-Token"]
    return urlsplit(begun.headers["Location"]).path


def piece(api: Api, path: str, offset: int, data: bytes) -> Answer:
    return api.call("PATCH", path, raw=data, headers={**PIECE, "Upload-Offset": str(offset)})


def send(api: Api, data: bytes, name: str = "work.csv") -> str:
    path = begin(api, len(data), name)
    sent = piece(api, path, 0, data)
    assert sent.status == 204, sent.body
    return path.rsplit("/", 1)[1]


def finished(api: Api, asked: dict[str, Any], *, seconds: float = 60) -> dict[str, Any]:
    begun = api.call("POST", "/api/v1/traces/imports", asked)
    assert begun.status == 202, begun.body

    def over() -> dict[str, Any] | None:
        found: dict[str, Any] = api.call("GET", f"/api/v1/traces/imports/{begun.json['id']}").json
        return found if found["state"] in ("done", "failed", "cancelled") else None

    done: dict[str, Any] = wait_until(over, seconds=seconds, what="the import is over")
    return done


def test_a_table_is_looked_at_mapped_and_run(api: Api, small_experiment: dict[str, Any]) -> None:
    upload = send(api, gzip.compress(TABLE.encode()))
    looked = api.call("GET", f"/api/v1/uploads/{upload}/rows")
    assert looked.status == 200, looked.body
    assert (looked.json["format"], looked.json["columns"]) == (None, ["submit_ms", "run_s", "app"])
    assert looked.json["rows"][1] == ["500", "2", "a0"]
    done = finished(api, {"upload": upload, "columns": looked.json["guess"]})
    assert done["state"] == "done", done
    trace = done["trace"]
    assert (trace["name"], trace["format"], trace["jobs"], trace["tasks"]) == ("work.csv", "table", 20, 80)
    assert api.call("GET", f"/api/v1/uploads/{upload}/rows").status == 404
    run = api.start({**small_experiment, "workload": {"kind": "trace", "trace": trace["id"]}})
    assert api.wait(run["id"])["state"] == "done"


def test_a_dropped_connection_is_gone_on_with(api: Api) -> None:
    data = TABLE.encode() * 200
    path = begin(api, len(data))
    half = len(data) // 2
    assert piece(api, path, 0, data[:half]).status == 204
    address = urlsplit(api.url)
    connection = HTTPConnection(str(address.hostname), address.port, timeout=PATIENCE_S)
    connection.putrequest("PATCH", path)
    for name, value in {
        **PIECE,
        "Upload-Offset": str(half),
        "Content-Length": str(len(data) - half),
        "Authorization": f"Bearer {api.token}",
    }.items():
        connection.putheader(name, value)
    connection.endheaders(data[half : half + 1000])
    assert connection.sock is not None
    connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    there = api.call("HEAD", path, headers={"Tus-Resumable": "1.0.0"})
    assert (there.status, there.headers["Upload-Offset"]) == (200, str(half))
    wrong = piece(api, path, 0, data[:10])
    assert (wrong.status, wrong.json["problems"][0]["allowed"]) == (409, f"{half:,}")
    assert piece(api, path, half, data[half:]).headers["Upload-Offset"] == str(len(data))
    assert piece(api, path, len(data), b"more").status == 413
    assert api.call("HEAD", path).headers["Upload-Offset"] == str(len(data))


def test_an_upload_is_its_owners_alone_and_bounded(api: Api, playground: Playground) -> None:
    path = begin(api, 100)
    assert Api(api.url).call("HEAD", path).status == 403
    assert piece(Api(api.url), path, 0, b"x").status == 403
    early = api.call("POST", "/api/v1/traces/imports", {"upload": path.rsplit("/", 1)[1]})
    assert (early.status, early.json["type"]) == (409, "not-finished")
    huge = api.call("POST", "/api/v1/uploads", raw=b"", headers={"Upload-Length": "999999999999"})
    assert (huge.status, "PLAYGROUND_LIMIT_UPLOAD_BYTES" in json.dumps(huge.json)) == (413, True)
    assert piece(api, path, 0, b"x").status == 204
    folder, name = playground.data_dir / "recordings" / "uploads", path.rsplit("/", 1)[1]
    (stored,) = folder.glob(f"{name}.*")
    assert Api(api.url).call("GET", f"/static/uploads/{stored.name}").status == 404
    assert api.call("DELETE", path).status == 204
    assert not stored.exists()


def test_a_damaged_table_is_told_by_its_line_and_can_be_tried_again(api: Api) -> None:
    upload = send(api, TABLE.replace("1000,3,a0", "soon,3,a0").encode())
    columns = {"arrival": "submit_ms", "duration": "run_s", "time_unit": "ms", "duration_unit": "s"}
    failed = finished(api, {"upload": upload, "columns": columns})
    assert failed["state"] == "failed"
    first = failed["problems"][0]
    assert (first["path"], first["message"]) == ("line 4", "'submit_ms' is 'soon', which is no time")
    assert api.call("GET", f"/api/v1/uploads/{upload}/rows").status == 200
    wrong = {"upload": upload, "columns": {"arival": "x"}, "cut": {"sample": 2}}
    odd = api.call("POST", "/api/v1/traces/imports", wrong)
    assert {item["path"] for item in odd.json["problems"]} == {"columns.arrival", "columns.arival", "cut.sample"}


def test_what_was_left_out_is_reported_and_a_part_is_cut(api: Api) -> None:
    rows = "".join(
        f"M1,2,j_{at},1,{'Failed' if at % 5 == 0 else 'Terminated'},{at},{at + 9},100.0,0.2\n" for at in range(1, 101)
    )
    done = finished(api, {"upload": send(api, rows.encode(), "batch_task.csv")})
    trace = done["trace"]
    assert trace["left_out"] == [{"kind": "a status other than Terminated", "count": 20, "first_line": 5}]
    part = finished(api, {"trace": trace["id"], "cut": {"from_s": 10, "to_s": 60, "rate_factor": 2}})["trace"]
    assert (part["name"], part["jobs"], part["tasks"]) == ("Part of batch_task.csv", 40, 80)
    assert part["span_s"] == pytest.approx(24.0)
    statistics = api.call("GET", f"/api/v1/traces/{part['id']}/statistics").json
    assert statistics["distributions"]["duration_s"]["percentiles"]["p50"] == 9
    fit = api.call("POST", f"/api/v1/traces/{part['id']}/fit", {"cutoff_s": 5})
    assert fit.status == 200, fit.body
    assert fit.json["workload"]["kind"] == "synthetic"
    assert fit.json["statistics"]["jobs"] == 40
    bundled = api.call("GET", "/api/v1/traces").json[-1]["id"]
    assert api.call("GET", f"/api/v1/traces/{bundled}/statistics").json["jobs"] > 0


def test_an_import_is_cancelled_while_it_reads(api: Api) -> None:
    line = "600000000,,{},0,,0,user,2,9,0.1,0.02,0.001,0\n"
    data = gzip.compress("".join(line.format(at) for at in range(200_000)).encode() * 80, compresslevel=1)
    upload = send(api, data, "part-00000.csv.gz")
    begun = api.call("POST", "/api/v1/traces/imports", {"upload": upload}).json
    place = f"/api/v1/traces/imports/{begun['id']}"

    def rows() -> int:
        return int(api.call("GET", place).json["rows"])

    wait_until(lambda: rows() > 0, seconds=60, what="rows are read")
    assert Api(api.url).call("POST", f"{place}/cancel").status == 403
    assert api.call("POST", f"{place}/cancel").status == 200
    wait_until(lambda: api.call("GET", place).json["state"] == "cancelled", seconds=20, what="it stopped")
    assert api.call("GET", f"/api/v1/uploads/{upload}/rows").json["format"] == "google-2011"
