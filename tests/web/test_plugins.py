"""Schedulers from the operator's files: who may be served with them, and experiments whose file is not here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from playground.models import Experiment
from playground.shell import plugins
from playground.shell.play import checks
from scheduler_core.schedulers.plugin import loading
from tests.support import PROJECT, settings_under, small_experiment
from tests.web.conftest import JsonClient
from tests.web.test_pages import finished_run

FEWEST = PROJECT / "fixtures" / "plugins" / "fewest.py"


def test_plugins_are_for_this_machine_unless_a_second_setting_says_so() -> None:
    here = {"PLAYGROUND_PLUGINS": "mine.py"}
    assert settings_under(**here)["PLUGINS"] == ["mine.py"]
    with pytest.raises(ImproperlyConfigured, match=r"lets others run them: serve 127.0.0.1 alone, or set"):
        settings_under(**here, PLAYGROUND_ALLOWED_HOSTS="localhost,play.example.org")
    lifted = {"PLAYGROUND_ALLOWED_HOSTS": "play.example.org", "PLAYGROUND_PLUGINS_FOR_OTHERS": "true"}
    assert settings_under(**here, **lifted)["PLUGINS"] == ["mine.py"]


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("[::1]", True),
        ("127.0.0.2", True),
        ("0.0.0.0", False),
        ("::", False),
        ("*", False),
        ("192.0.2.7", False),
        ("localhost.example.org", False),
        ("", False),
    ],
)
def test_only_loopback_is_this_machine(host: str, alone: bool) -> None:
    assert plugins.is_this_machine(host) is alone


def test_a_start_on_another_address_or_with_a_file_that_has_an_error_is_refused(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_loaded", {})
    bad = tmp_path / "bad.py"
    bad.write_text("def choose(task, machines)\n")
    settings.PLUGINS = [str(bad)]
    with pytest.raises(checks.CannotPlay, match="PLAYGROUND_PLUGINS_FOR_OTHERS=true"):
        checks.check_plugins("0.0.0.0")
    monkeypatch.setattr(loading, "_looked", False)
    monkeypatch.setenv(loading.ENVIRONMENT, str(bad))
    with pytest.raises(checks.CannotPlay, match=r"PLAYGROUND_PLUGINS: bad.py, line 1: is not Python"):
        checks.check_plugins("127.0.0.1")


def test_a_server_loads_what_its_setting_names_and_nothing_else() -> None:
    before = os.environ[loading.ENVIRONMENT]
    assert before == "", "the settings of these tests name no plugin, and installed ones stay unloaded"
    try:
        plugins.tell_core(["sub/mine.py", "installed-one"], Path("/srv"))
        assert os.environ[loading.ENVIRONMENT] == f"/srv/sub/mine.py{os.pathsep}installed-one"
    finally:
        os.environ[loading.ENVIRONMENT] = before


@pytest.mark.django_db
@pytest.mark.redis
def test_without_its_file_an_experiment_opens_read_only_with_a_message(
    browser: JsonClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_loaded", {})
    loading.load_plugin(FEWEST)
    made = browser.make(small_experiment() | {"scheduler": {"name": "fewest"}})
    stored = Experiment.objects.get(public_id=made["id"])
    assert stored.data["scheduler"]["plugin_sha256"] == loading.plugins()[0].sha256
    page = browser.get(f"/e/{stored.slug}").content.decode()
    assert "data-unknown" not in page
    loading._loaded.clear()
    for address in (f"/e/{stored.slug}", f"/studio/{stored.public_id}"):
        page = browser.get(address).content.decode()
        assert "is a plugin whose file is not on this server" in page, address
        assert '"fixed": true' in page, address
    refused = browser.send(f"experiments/{made['id']}/runs", {})
    assert refused.status_code == 422
    assert "whose file is not here" in refused.json()["problems"][0]["message"]
    refused = browser.read(f"runs/{finished_run(made)}/network")
    assert refused.status_code == 422
    assert refused.json()["type"] == "unknown-name"
