"""What the server refuses, and what it tells browsers to refuse."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from playground.shell import env
from playground.shell.security.logs import BriefFilter, ContextFilter, concerning
from tests.support import PROJECT, settings_under
from tests.tiers import all_but_wide, wide
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

PRODUCTION = {
    "PLAYGROUND_DEBUG": "false",
    "PLAYGROUND_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_",
    "PLAYGROUND_ALLOWED_HOSTS": "play.example.org",
    "PLAYGROUND_SECURE_COOKIES": "true",
    "PLAYGROUND_PROXIES": "1",
    "PLAYGROUND_SSL_REDIRECT": "true",
    "PLAYGROUND_HSTS_SECONDS": "31536000",
    "PLAYGROUND_HSTS_SUBDOMAINS": "true",
    "PLAYGROUND_HSTS_PRELOAD": "true",
}
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("PLAYGROUND_")}


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=PROJECT, env=PLAIN | variables, capture_output=True, text=True, check=False
    )


def policy(answer: Any) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in answer["Content-Security-Policy"].split(";"))
    return {name: words for name, _, words in parts}


def test_production_passes_the_deployment_check() -> None:
    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("key", all_but_wide([None, "", "insecure-key-of-a-developer"], [None]))
def test_the_default_key_is_refused_without_debugging(key: str | None) -> None:
    given = {"PLAYGROUND_DEBUG": "false"} | ({"PLAYGROUND_SECRET_KEY": key} if key is not None else {})
    with pytest.raises(ImproperlyConfigured, match="PLAYGROUND_SECRET_KEY"):
        settings_under(**given)


@pytest.mark.parametrize("role", [["web"], pytest.param(["worker", "runs"], marks=wide)])
def test_a_role_without_a_key_says_so_in_one_line(role: list[str], tmp_path: Path) -> None:
    done = run("manage.py", *role, PLAYGROUND_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("playground: PLAYGROUND_SECRET_KEY is not set")
    assert "Traceback" not in done.stderr


def test_the_key_may_come_from_a_file(tmp_path: Any) -> None:
    (tmp_path / "key").write_text("a-key-from-a-file\n")
    found = settings_under(PLAYGROUND_DEBUG="false", PLAYGROUND_SECRET_KEY_FILE=str(tmp_path / "key"))
    assert found["SECRET_KEY"] == "a-key-from-a-file"


@pytest.mark.parametrize(
    "path", ["/", "/studio", "/experiments", "/e/none", "/api/v1/docs", "/api/v1/openapi.json", "/no"]
)
def test_no_page_runs_inline_code_or_is_framed(browser: JsonClient, path: str) -> None:
    said = policy(browser.get(path))
    assert said["default-src"] == "'self'"
    assert said["frame-ancestors"] == "'none'"
    assert "unsafe" not in str(said)


def test_one_script_alone_may_compile_modules_and_it_reaches_no_address(browser: JsonClient) -> None:
    said = policy(browser.get("/static/js/pages/engine_worker.js"))
    assert said["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert said["default-src"] == "'none'"
    assert "connect-src" not in said
    assert "unsafe" not in str(policy(browser.get("/static/js/pages/studio.js")))


def test_a_browser_owns_its_experiments_under_another_secret_key(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    """A backup holds no key: a host that restores it may have another one."""
    made = browser.make(small_experiment)
    settings.SECRET_KEY = "the key of another host, which is long enough"
    assert browser.read(f"experiments/{made['id']}").json()["mine"]
    assert browser.send(f"experiments/{made['id']}/runs", {}).status_code == 202


def test_only_the_embed_page_may_be_framed(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    slug = browser.make(small_experiment)["slug"]
    embed, shared = browser.get(f"/e/{slug}/embed"), browser.get(f"/e/{slug}")
    assert policy(embed)["frame-ancestors"] == "*"
    assert "X-Frame-Options" not in embed
    assert policy(shared)["frame-ancestors"] == "'none'"
    assert shared["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    "origin",
    ["null", "", "http://sub.localhost", "http://localhost.example.org", "http://localhost:81", "https://example.org",
     "file://localhost", "http://user@localhost", "http://[", "localhost"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["experiments", "traces"])
def test_a_foreign_origin_may_not_write(browser: JsonClient, path: str, origin: str) -> None:
    answer = browser.send(path, {}, Origin=origin)
    assert answer.status_code == 403
    assert answer.json()["type"] == "foreign-origin"


def test_our_origin_may_write(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    assert browser.send("experiments", small_experiment, Origin="http://localhost").status_code == 201


@pytest.mark.parametrize(
    ("said", "origin", "status"),
    [("https", "https://localhost", 201), ("https", "http://localhost", 403), ("http", "https://localhost", 403)],
)
def test_behind_a_proxy_the_scheme_is_what_it_says(
    browser: JsonClient, settings: Settings, small_experiment: dict[str, Any], said: str, origin: str, status: int
) -> None:
    settings.PROXIES, settings.SECURE_PROXY_SSL_HEADER = 1, ("HTTP_X_FORWARDED_PROTO", "https")
    answer = browser.send("experiments", small_experiment, Origin=origin, X_Forwarded_Proto=said)
    assert answer.status_code == status
    if status == 201:
        assert answer.json()["share_url"].startswith("https://localhost/")


def test_without_a_proxy_nobody_says_the_scheme(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    answer = browser.send("experiments", small_experiment, Origin="https://localhost", X_Forwarded_Proto="https")
    assert answer.status_code == 403
    assert "PLAYGROUND_PROXIES" in answer.json()["problems"][0]["remedy"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_body_that_is_not_json_is_refused(browser: JsonClient, small_experiment: dict[str, Any], kind: str) -> None:
    raw = json.dumps(small_experiment).encode()
    assert browser.send("experiments", raw=raw, Content_Type=kind).status_code == 415


@pytest.mark.parametrize("who", ["VIEWER", "ADDRESS"])
def test_who_asks_too_often_is_told_when_to_come_back(browser: JsonClient, settings: Settings, who: str) -> None:
    setting = f"LIMIT_WRITES_PER_{who}"
    setattr(settings, setting, 3)
    # An address and a token of its own: the counts of other tests are in the same Redis.
    address = "192.0.2.1" if who == "VIEWER" else "192.0.2.2"

    def ask(token: str) -> Any:
        return browser.post(
            "/api/v1/experiments", b"{}", "application/json", REMOTE_ADDR=address, HTTP_AUTHORIZATION=f"Bearer {token}"
        )

    for number in range(3):
        assert ask("first" if who == "VIEWER" else f"t{number}").status_code != 429
    answer = ask("first")
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 120
    assert f"PLAYGROUND_{setting}" in answer.json()["problems"][0]["allowed"]
    # A neighbor in the same classroom goes on; an address that is full does not.
    assert (ask("second").status_code == 429) == (who == "ADDRESS")
    assert browser.read("openapi.json").status_code == 200


def test_a_browser_is_one_viewer_whatever_token_it_shows(
    browser: JsonClient, settings: Settings, small_experiment: dict[str, Any]
) -> None:
    browser.make(small_experiment)  # which gives it a session
    settings.LIMIT_WRITES_PER_VIEWER = 3
    codes = [browser.send("experiments", {}, token=f"t{number}").status_code for number in range(4)]
    assert (429 in codes[:-1], codes[-1]) == (False, 429)


def test_only_what_our_proxy_wrote_is_the_address(browser: JsonClient, settings: Settings) -> None:
    settings.PROXIES, settings.LIMIT_WRITES_PER_ADDRESS = 1, 2
    codes = [
        browser.send("experiments", {}, X_Forwarded_For=f"203.0.113.{number}, 198.51.100.7").status_code
        for number in range(3)
    ]
    assert codes[-1] == 429
    assert 429 not in codes[:-1]


def test_a_body_over_the_limit_names_the_setting(browser: JsonClient, settings: Settings) -> None:
    settings.LIMIT_BODY_BYTES = 100
    answer = browser.send("experiments", raw=b" " * 101)
    assert answer.status_code == 413
    assert "PLAYGROUND_LIMIT_BODY_BYTES" in answer.content.decode()


def test_an_experiment_over_a_limit_names_the_setting(
    browser: JsonClient, settings: Settings, small_experiment: dict[str, Any]
) -> None:
    settings.LIMIT_MACHINES = 1
    answer = browser.send("experiments", small_experiment)
    assert answer.status_code == 422
    assert "PLAYGROUND_LIMIT_MACHINES" in answer.content.decode()


def test_a_line_tells_its_run_and_request() -> None:
    script = (
        "import django, logging; django.setup()\n"
        "from playground.shell.security.logs import concerning\n"
        "with concerning(run='r1', request='q1'): logging.getLogger('playground.x').info('hello')\n"
    )
    as_json = run("-c", script, DJANGO_SETTINGS_MODULE="playground.settings", PLAYGROUND_LOG_JSON="true")
    said = json.loads(as_json.stderr)
    assert (said["message"], said["run_id"], said["request_id"]) == ("hello", "r1", "q1")
    as_text = run("-c", script, DJANGO_SETTINGS_MODULE="playground.settings", PLAYGROUND_LOG_LEVEL="INFO")
    assert as_text.stderr == "INFO playground.x: hello [run=r1 request=q1]\n"
    # At a terminal, by default, only what went wrong.
    assert run("-c", script, DJANGO_SETTINGS_MODULE="playground.settings").stderr == ""


def test_ids_end_with_what_they_concern() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "m", (), None)
    with concerning(run="r1"):
        pass
    ContextFilter().filter(record)
    assert record.__dict__["context"] == ""


def test_requests_are_numbered_by_us(browser: JsonClient) -> None:
    first, second = (browser.get("/healthz", headers={"X-Request-ID": "mine"})["X-Request-ID"] for _ in range(2))
    assert len({first, second, "mine"}) == 3


def test_metrics_are_off_by_default(browser: JsonClient) -> None:
    assert browser.get("/metrics").status_code == 404


@wide
def test_metrics_tell_of_runs_and_sockets(redis_url: str, tmp_path: Any) -> None:
    script = (
        "import django; django.setup()\n"
        "from django.core.management import call_command; call_command('migrate', verbosity=0)\n"
        "from django.test import Client\n"
        "print(Client(headers={'host': 'localhost'}).get('/metrics').content.decode())\n"
    )
    done = run(
        "-c", script, DJANGO_SETTINGS_MODULE="playground.settings", PLAYGROUND_METRICS="true",
        PLAYGROUND_DATA_DIR=str(tmp_path), PLAYGROUND_REDIS_URL=redis_url,
    )  # fmt: skip
    for line in ('playground_runs{state="queued"} 0.0', "playground_sockets_open 0.0", "playground_queue_length"):
        assert line in done.stdout, done.stderr


def test_the_deployment_page_names_every_variable() -> None:
    text = (PROJECT / "docs" / "how-to" / "deploy.md").read_text()
    named = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `PLAYGROUND_")}
    assert named == env.READ.keys()


def test_a_foreign_host_is_one_short_line(browser: JsonClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = browser.get("/", headers={"host": "a" * 5000 + ".example"})
    assert answer.status_code == 400
    records = [record for record in caplog.records if record.name == "django.security.DisallowedHost"]
    assert len(records) == 1
    assert BriefFilter().filter(records[0])
    line = logging.Formatter("%(message)s").format(records[0])
    assert len(line) <= 120
    assert "\n" not in line
