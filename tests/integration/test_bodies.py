"""What is too large is refused while it comes in, with an answer: a body, an address, a header."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.support import PATIENCE_S, Playground
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.xdist_group("service")]


@pytest.fixture
def line(playground: Playground) -> Iterator[socket.socket]:
    address = urlsplit(playground.url)
    with socket.create_connection((str(address.hostname), address.port), timeout=PATIENCE_S) as connection:
        yield connection


def head(*headers: str) -> bytes:
    lines = ["POST /api/v1/traces HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/octet-stream", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def answer_of(line: socket.socket) -> bytes:
    found = b""
    try:
        while block := line.recv(65536):
            found += block
    except ConnectionResetError:
        pass
    return found


def test_an_announced_giant_is_refused_before_a_byte_of_it(line: socket.socket, playground: Playground) -> None:
    line.sendall(head("Content-Length: 100000000000"))
    answer = answer_of(line)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"PLAYGROUND_LIMIT_UPLOAD_BYTES" in answer
    assert Api(playground.url).call("GET", "/healthz").status == 200


def test_a_body_without_a_length_is_counted_while_it_comes(line: socket.socket, playground: Playground) -> None:
    line.sendall(head("Transfer-Encoding: chunked"))
    block = b"100000\r\n" + b"0" * 0x100000 + b"\r\n"
    sent = 0
    try:
        for _ in range(400):
            line.sendall(block)
            sent += len(block)
    except OSError:
        pass
    assert sent < 300_000_000
    assert Api(playground.url).call("GET", "/healthz").status == 200


def test_a_form_of_nothing_is_answered_in_words(playground: Playground) -> None:
    kind = {"Content-Type": "multipart/form-data; boundary=frontier"}
    answer = Api(playground.url).call("POST", "/api/v1/traces", raw=b"--frontier--\r\n", headers=kind)
    assert answer.status == 400
    assert answer.json["type"] == "no-file"


def test_a_long_address_gets_the_operation_s_answer_and_a_longer_one_a_refusal_in_words(
    line: socket.socket, playground: Playground
) -> None:
    api = Api(playground.url)
    within = api.call("GET", "/api/v1/runs/none/start?events=" + "%F0%9F%98%80" * 4_001)
    assert within.status in (404, 422)
    line.sendall(b"GET /healthz?" + b"0" * 70_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    answer = answer_of(line)
    assert answer.startswith(b"HTTP/1.1 414 ")
    assert b"at most 65,536 bytes" in answer
    assert api.call("GET", "/healthz").status == 200
