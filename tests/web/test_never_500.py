"""Odd requests are the caller's fault, in the words of a problem object; never ours."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

ODD_BODIES = [
    b"", b" ", b"{", b"[]", b"null", b"1", b'"text"', b"{}", b"\xff\xfe", b"\x00", b"[" * 100_000, b'{"a":' * 50_000,
    b'{"seed": NaN}', b'{"seed": 1e999}', b'{"seed": ' + b"9" * 5000 + b"}", b'{"seed": -1}', b'{"seed": 1.5}',
    b'{"seed": "1"}', b'{"seed": true}', b'{"seed": []}', b'{"seed": {}}', b'{"seed": 9223372036854775808}',
    b'{"seed": null, "": 1}', b'{"\\u0000": 1}', b'{"\\ud800": 1}', b'{"name": "\\ud800"}', b'{"name": "\\u0000"}',
    b'{"scheduler": 1}', b'{"scheduler": []}', b'{"scheduler": {"name": null}}', b'{"scheduler": {"name": "\\ud800"}}',
    b'{"topology": []}', b'{"topology": {"clusters": 1}}', b'{"workload": null}', b'{"schema_version": "x"}',
    b'{"at_s": 1}', b'{"at_s": "soon", "events": 3}', b'{"events": [1]}', b'{"schema_version": 99}',
]  # fmt: skip
ODD_IDS = ["x", "%00", "..", "%2e%2e", "a" * 5000, "%ff", "'", "%F0%9F%92%A9", "-", "1e9", "%0d%0a"]


def assert_problem(answer: Any) -> None:
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.content[:300])
    said = answer.json()
    assert said.keys() == {"type", "title", "status", "problems"}
    assert said["status"] == answer.status_code
    assert answer["Content-Type"] == "application/problem+json"
    assert all(item.keys() - {"label"} == {"path", "message", "allowed", "remedy"} for item in said["problems"])


@pytest.mark.parametrize("body", ODD_BODIES, ids=lambda body: repr(body[:30]))
def test_an_odd_experiment_is_refused(browser: JsonClient, body: bytes) -> None:
    assert_problem(browser.send("experiments", raw=body))


def test_odd_text_inside_a_good_experiment_is_refused(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    for text in ("\ud800", "a\x00b"):
        assert_problem(browser.send("experiments", {**small_experiment, "name": text}))
        assert_problem(browser.send("experiments", {**small_experiment, "question": text}))


@pytest.mark.parametrize("body", ODD_BODIES, ids=lambda body: repr(body[:30]))
@pytest.mark.parametrize("path", ["runs", "fork"])
def test_an_odd_run_or_fork_is_no_fault(
    browser: JsonClient, small_experiment: dict[str, Any], path: str, body: bytes
) -> None:
    created = browser.make(small_experiment)
    answer = browser.send(f"experiments/{created['id']}/{path}", raw=body)
    if answer.status_code not in (201, 202):
        assert_problem(answer)


@pytest.mark.parametrize("odd", ODD_IDS)
@pytest.mark.parametrize(
    "path",
    ["experiments/{}", "runs/{}", "runs/{}/summary", "runs/{}/meta", "runs/{}/tasks.csv", "runs/{}/tasks.parquet",
     "runs/{}/recording", "runs/{}/recorded-starts", "runs/{}/starts.csv", "runs/{}/explain?task=1"],
)  # fmt: skip
def test_an_odd_id_is_not_found(browser: JsonClient, path: str, odd: str) -> None:
    assert browser.read(path.format(odd)).status_code == 404


@pytest.mark.parametrize("task", ["", "x", "-1", "1e3", "99999999999999999999", "%00", "1&task=2"])
def test_an_odd_task_is_no_fault(browser: JsonClient, small_experiment: dict[str, Any], task: str) -> None:
    created = browser.make(small_experiment)
    run = browser.send(f"experiments/{created['id']}/runs").json()
    assert_problem(browser.read(f"runs/{run['id']}/explain?task={task}"))


@pytest.mark.parametrize(
    "path", ["summary", "tasks.csv", "tasks.parquet", "recording", "recorded-starts", "starts.csv", "explain?task=1"]
)
def test_a_result_before_the_end_is_said_to_be_missing(
    browser: JsonClient, small_experiment: dict[str, Any], path: str
) -> None:
    created = browser.make(small_experiment)
    run = browser.send(f"experiments/{created['id']}/runs").json()
    answer = browser.read(f"runs/{run['id']}/{path}")
    assert_problem(answer)
    assert answer.status_code == 409


@pytest.mark.parametrize("token", ["", "x" * 10_000, "\xff", "Bearer", " "])
def test_an_odd_token_is_nobody(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any], token: str
) -> None:
    created = browser.make(small_experiment)
    answer = stranger.generic(
        "POST", f"/api/v1/experiments/{created['id']}/runs", b"", headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("odd", ODD_IDS)
def test_an_odd_id_is_not_deleted_restored_or_drawn(browser: JsonClient, odd: str) -> None:
    assert browser.delete(f"/api/v1/traces/{odd}").status_code == 404
    assert browser.delete(f"/api/v1/experiments/{odd}").status_code == 404
    assert browser.send(f"experiments/{odd}/restore").status_code == 404
    for path in ("preview.png", "preview-dark.png", "qr.svg", "preview-%00.png"):
        assert browser.get(f"/e/{odd}/{path}").status_code == 404


@pytest.mark.parametrize("body", ODD_BODIES, ids=lambda body: repr(body[:30]))
@pytest.mark.parametrize("content_type", ["text/plain", "multipart/form-data", "multipart/form-data; boundary=x", ""])
def test_an_odd_trace_is_refused(browser: JsonClient, body: bytes, content_type: str) -> None:
    assert_problem(browser.send("traces?name=%00%0d%0a/../x", raw=body, Content_Type=content_type))
