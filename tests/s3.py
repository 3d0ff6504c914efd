"""An S3 server of the tests: moto's, in a process of its own, so that every process of a test may speak with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3

from tests.support import free_port, wait_until

BUCKET = "playground"
#: What a process needs to be let in; the server believes anybody.
KEYS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests"}


@dataclass(frozen=True)
class Server:
    """Where requests go, and the process that answers them."""

    address: str
    process: subprocess.Popen[bytes]

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Let it take connections and answer nothing."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)


@contextmanager
def s3_server() -> Iterator[str]:
    """Start the server with an empty bucket; give its address."""
    with s3_process() as server:
        yield server.address


@contextmanager
def s3_process() -> Iterator[Server]:
    """Start the server with an empty bucket; give its process, too."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        [sys.executable, "-c", f"from moto.server import main; main(['-H', '127.0.0.1', '-p', '{port}'])"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **KEYS},
    )
    try:
        wait_until(lambda: _has_bucket(address), seconds=60, what="the S3 server answers")
        yield Server(address, server)
    finally:
        server.terminate()
        server.wait(10)


def client(address: str) -> Any:
    session = boto3.Session(aws_access_key_id="tests", aws_secret_access_key="tests", region_name="us-east-1")
    return session.client("s3", endpoint_url=address)


def storage_url(address: str, prefix: str = "") -> str:
    """Return the value of PLAYGROUND_STORAGE_URL for a server."""
    return f"s3://{BUCKET}/{prefix}?endpoint={address}&region=us-east-1&path_style=true"


def _has_bucket(address: str) -> bool:
    from botocore.exceptions import BotoCoreError

    try:
        client(address).create_bucket(Bucket=BUCKET)
    except BotoCoreError:
        return False
    return True
