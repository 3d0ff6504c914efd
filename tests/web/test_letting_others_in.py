"""Links that others can open: what `make run HOST=lan` sets, and what pages and codes make of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playground.experiments import page as pages
from playground.management.commands.play import Command
from playground.shell.play import addresses
from tests.web.conftest import JsonClient

THERE = "http://192.0.2.7:8000"


def test_a_host_is_bound_and_told_as_others_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "lan_address", lambda *_: "192.0.2.7")
    assert addresses.bound_host("lan") == "0.0.0.0"
    assert addresses.outside_host("lan") == addresses.outside_host("0.0.0.0") == "192.0.2.7"
    assert addresses.outside_host("192.0.2.9") == "192.0.2.9"
    assert addresses.outside_host("127.0.0.1") == addresses.outside_host("localhost") == ""
    assert addresses.url_of("2001:db8::7", 80) == "http://[2001:db8::7]:80"
    monkeypatch.setattr(addresses, "lan_address", lambda *_: "")
    with pytest.raises(addresses.NoAddress):
        addresses.outside_host("lan")


def test_the_server_allows_the_address_that_it_is_reached_by(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    told = Command()._environment("192.0.2.7", 8000)
    assert "192.0.2.7" in told["PLAYGROUND_ALLOWED_HOSTS"].split(",")
    assert "127.0.0.1" in told["PLAYGROUND_ALLOWED_HOSTS"].split(",")
    assert told["PLAYGROUND_ADDRESS"] == THERE
    assert "PLAYGROUND_ADDRESS" not in Command()._environment("", 8000)


def outside(visitor: JsonClient) -> str:
    found = re.search(
        r'<script id="boot" type="application/json">(.*?)</script>', visitor.get("/studio").content.decode()
    )
    assert found is not None
    told: str = json.loads(found[1])["outside"]
    return told


@pytest.mark.django_db
@pytest.mark.redis
def test_pages_and_codes_name_the_address_that_others_can_open(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(pages, "qr_svg", lambda link: drawn.append(link) or b"")
    slug = browser.make(small_experiment)["slug"]
    assert outside(browser) == "", "opened as localhost, and no other address is known"
    browser.get(f"/e/{slug}/qr.svg")
    settings.ADDRESS = THERE
    assert outside(browser) == THERE
    browser.get(f"/e/{slug}/qr.svg?t=1")
    settings.ALLOWED_HOSTS = ["192.0.2.9"]
    assert outside(JsonClient(headers={"host": "192.0.2.9"})) == "http://192.0.2.9"
    assert drawn == [f"http://localhost/e/{slug}", f"{THERE}/e/{slug}?t=1"]
