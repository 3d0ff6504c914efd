"""A cluster whose other fields hold a secret: nothing that a server stores, logs, links or exports has it."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.core.test_import_kubernetes import secret_everywhere
from tests.support import PROJECT, Playground, planted
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

SAMPLE = PROJECT / "fixtures" / "clusters" / "kubernetes.json"
SECRET = "hunter2secret"
WORDS = (SECRET.encode(), b"replicaset-0", b"node-0001", b"team-")
PAGES = ("/traces/{trace}", "/studio/{experiment}", "/e/{slug}", "/e/{slug}/embed", "/e/{slug}/forks", "/experiments")
ANSWERS = (
    "traces/{trace}", "experiments/{experiment}", "experiments/{experiment}/tree", "runs/{run}", "runs/{run}/meta",
    "runs/{run}/moments", "runs/{run}/summary", "runs/{run}/slowest-tasks", "runs/{run}/explain?task=419",
    "runs/{run}/tasks.csv", "runs/{run}/tasks.parquet", "runs/{run}/recording", "runs/{run}/page.html",
    "runs/{run}/notebook.ipynb", "comparisons/sheet.html?runs={run}&kind=waits",
)  # fmt: skip


def with_secrets() -> bytes:
    """Return the sample with a secret in every field that the import does not keep."""
    items = []
    for it in json.loads(SAMPLE.read_text())["items"]:
        one = secret_everywhere(it, SECRET)
        one["metadata"]["annotations"] = {SECRET: SECRET}
        if it["kind"] == "Pod":
            one["spec"]["containers"][0] |= {"env": [{"name": SECRET, "value": SECRET}], "image": SECRET}
            one["spec"] |= {"serviceAccountName": SECRET, "volumes": [{"secret": {"secretName": SECRET}}]}
            one["status"] |= {"message": SECRET, "podIP": SECRET}
        items.append(one)
    items.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": SECRET}, "data": {SECRET: SECRET}})
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


def contents(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Give what a file says, also where it is packed."""
    yield name, data
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            for member in file.namelist():
                yield from contents(f"{name}:{member}", file.read(member))
    elif data[:4] == b"PAR1":
        yield f"{name}:rows", repr(pq.read_table(pa.BufferReader(data)).to_pydict()).encode()
    elif data[:2] == b"\x1f\x8b":
        yield f"{name}:unpacked", zlib.decompress(data, 31)


def test_no_secret_is_stored_logged_linked_or_exported(playground: Playground) -> None:
    api = Api(playground.url)
    binary = {"Content-Type": "application/octet-stream"}
    sent = api.call("POST", "/api/v1/traces?name=mine", raw=with_secrets(), headers=binary)
    assert sent.status == 201, sent.body
    trace = sent.json
    experiment: dict[str, Any] = trace["cluster"]["experiment"]
    experiment["workload"]["trace"] = trace["id"]
    made = api.create(experiment)
    run = api.call("POST", f"/api/v1/experiments/{made['id']}/runs", {}).json
    assert api.wait(run["id"])["state"] == "done"
    # What cannot be read is told, and its words are not repeated.
    broken = api.call("POST", "/api/v1/traces?name=cut", raw=with_secrets()[:20_000], headers=binary)
    assert broken.status == 422

    texts = {"upload": sent.body, "refusal": broken.body}
    places = {"trace": trace["id"], "experiment": made["id"], "slug": made["slug"], "run": run["id"]}
    for path in (*PAGES, *(f"/api/v1/{answer}" for answer in ANSWERS)):
        answer = api.call("GET", path.format(**places))
        is_unbuilt = answer.status == 409 and answer.json["type"] == "not-built"  # pages stand alone once bundled
        assert answer.status in (200, 202) or is_unbuilt, (path, answer.status, answer.body[:300])
        texts |= dict(contents(path, answer.body))
    texts["log"] = playground.log.read_bytes()
    files = [path for path in playground.data_dir.rglob("*") if path.is_file()]
    assert any("traces" in str(path) for path in files)
    for path in files:
        texts |= dict(contents(str(path), read(path)))
    assert {name: found for name, text in texts.items() if (found := planted(text, WORDS))} == {}


def read(path: Path) -> bytes:
    """Return a file's bytes; b"" for one that has just gone."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
