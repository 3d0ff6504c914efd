from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from playground import settings
from playground.shell import env
from tests.support import PROJECT

EXAMPLE = PROJECT / ".env.example"


def example_variables() -> dict[str, str]:
    lines = EXAMPLE.read_text().splitlines()
    pairs = (line.partition("=") for line in lines if line.strip() and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def test_the_example_names_every_variable_that_is_read() -> None:
    assert settings.DEBUG is not None
    assert example_variables().keys() == env.READ.keys()


def test_the_example_holds_the_defaults(tmp_path: Path) -> None:
    """Settings under the example are the settings under nothing."""
    names = [name for name in dir(settings) if name.isupper()]
    script = f"from playground import settings; print([(name, getattr(settings, name)) for name in {names!r}])"
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PLAYGROUND_")}

    def shown(environment: dict[str, str]) -> str:
        return subprocess.run(
            [sys.executable, "-c", script], cwd=PROJECT, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert shown(plain | example_variables()) == shown(plain)


def test_a_value_that_does_not_fit_is_one_line() -> None:
    for name, value in (
        ("PLAYGROUND_WORKERS", "many"), ("PLAYGROUND_WORKERS", "0"), ("PLAYGROUND_DEBUG", "perhaps"),
        ("PLAYGROUND_DATABASE_URL", "nonsense"),
    ):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "manage.py", "check"],
            cwd=PROJECT,
            env={**os.environ, name: value},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert name in done.stderr
