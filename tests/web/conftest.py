"""The web half without its processes: Django's own client, a real Redis."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from playground.web.schemas import share_response_models

share_response_models()  # as the server does before it declares its operations: a process is ready seconds sooner


@pytest.fixture(autouse=True)
def real_redis(redis_url: str, settings: Settings) -> None:
    """Use this process's Redis, and find it empty: a run that another test left in a queue would be waited for."""
    from playground.storage import connections

    settings.REDIS_URL = redis_url
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "playground.storage.layer.Layer",
            "CONFIG": {"hosts": [{"address": redis_url, "socket_timeout": 20}]},
        }
    }
    connections.client().flushdb()


@pytest.fixture(autouse=True)
def language_of_the_project() -> Iterator[None]:
    """Leave no language behind: a request by Django's client chooses one for the whole thread."""
    translation.deactivate()
    yield
    translation.deactivate()


@pytest.fixture
def broker(redis_url: str) -> Iterator[None]:
    """Send messages where the tests' Redis is."""
    from playground.celery import app

    before = app.conf.broker_url
    app.conf.broker_url = redis_url.replace("unix://", "redis+socket://", 1)
    app._after_fork()  # forgets its connections
    yield
    app.conf.broker_url = before
    app._after_fork()


@pytest.fixture(autouse=True)
def pages_as_written(settings: Settings) -> None:
    """Let pages load their modules: what was built once in this clone is no matter of a test."""
    settings.BUILT_PAGES = False


@pytest.fixture(autouse=True)
def runs_are_computed(settings: Settings) -> None:
    """Let nothing be known: tests look at runs that wait or are computed."""
    settings.KNOWN_RUNS = False


class JsonClient(Client):
    """Django's client that speaks JSON and, if asked, shows an owner token."""

    def send(self, path: str, data: Any = None, *, raw: bytes | None = None, token: str = "", **headers: str) -> Any:
        body = raw if raw is not None else json.dumps(data).encode() if data is not None else b""
        sent = {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        content_type = sent.pop("Content-Type")
        return self.generic("POST", f"/api/v1/{path}", body, content_type=content_type, headers=sent)

    def read(self, path: str) -> Any:
        return self.get(f"/api/v1/{path}")

    def make(self, experiment: dict[str, Any]) -> dict[str, Any]:
        made = self.send("experiments", experiment)
        assert made.status_code == 201, made.content
        created: dict[str, Any] = made.json()
        return created


@pytest.fixture
def browser() -> JsonClient:
    """Give one browser: it keeps its session's cookie."""
    return JsonClient(headers={"host": "localhost"}, raise_request_exception=False)


@pytest.fixture
def stranger() -> JsonClient:
    return JsonClient(headers={"host": "localhost"}, raise_request_exception=False)
