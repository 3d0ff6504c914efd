"""tools/install.py: what pip is configured with reaches uv."""

from __future__ import annotations

import pytest

from tools import install

OWN = ("UV_INDEX", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS")


@pytest.fixture(autouse=True)
def no_settings_of_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*OWN, "SSL_CERT_FILE", "HTTPS_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)


def test_indexes_of_pip_become_options_of_uv() -> None:
    configured = {"index-url": "https://a.test/simple", "extra-index-url": "https://b.test\nhttps://c.test"}
    assert install.uv_options(configured) == [
        "--index-url", "https://a.test/simple",
        "--extra-index-url", "https://b.test", "--extra-index-url", "https://c.test",
        "--index-strategy", "unsafe-best-match",
    ]  # fmt: skip


def test_folders_hosts_and_no_index_become_options_of_uv() -> None:
    configured = {"find-links": "/a /b", "trusted-host": "c.test", "no-index": "1"}
    assert install.uv_options(configured) == [
        "--find-links", "/a", "--find-links", "/b", "--allow-insecure-host", "c.test", "--no-index",
    ]  # fmt: skip


def test_nothing_configured_gives_no_option() -> None:
    assert install.uv_options({"no-index": "false", "timeout": "5"}) == []


@pytest.mark.parametrize("name", OWN)
def test_settings_of_uv_itself_go_before_those_of_pip(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "https://own.test/simple")
    assert install.uv_options({"index-url": "https://a.test/simple"}) == []


def test_certificate_and_proxy_become_variables_but_never_replace_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://mine.test")
    told = install.uv_environment({"cert": "/ca.pem", "proxy": "http://theirs.test"})
    assert told["SSL_CERT_FILE"] == "/ca.pem"
    assert told["HTTP_PROXY"] == "http://theirs.test"
    assert "HTTPS_PROXY" not in told


def test_variables_go_before_files_and_install_before_global(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = "\n".join(
        [
            ":env:.find-links='/from-variable'",
            "global.find-links='/from-file'",
            "global.index-url='https://a.test/simple?x=1'",
            "install.timeout='9'",
            "global.timeout='8'",
            "freeze.timeout='7'",
        ]
    )
    monkeypatch.setattr(install, "pip_lists", lambda: listed)
    assert install.pip_settings() == {
        "find-links": "/from-variable", "index-url": "https://a.test/simple?x=1", "timeout": "9",
    }  # fmt: skip


def test_uv_and_pip_install_the_locked_versions() -> None:
    for command in (install.uv_command("uv", {}, "-e", "."), install.pip_command("-e", ".")):
        assert command[command.index("-c") + 1] == install.LOCK
        assert command[-2:] == ["-e", "."]
