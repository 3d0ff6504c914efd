from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from playground import settings
from playground.shell import env
from tests.support import PROJECT, settings_under

EXAMPLE = PROJECT / ".env.example"


def example_variables() -> dict[str, str]:
    lines = EXAMPLE.read_text().splitlines()
    pairs = (line.partition("=") for line in lines if line.strip() and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def test_the_example_names_every_variable_that_is_read() -> None:
    assert settings.DEBUG is not None
    assert example_variables().keys() == env.READ.keys()


def test_the_example_holds_the_defaults() -> None:
    """Settings under the example are the settings under nothing."""

    def shown(variables: dict[str, str]) -> dict[str, object]:
        return {name: value for name, value in settings_under(**variables).items() if name.isupper()}

    assert shown(example_variables()) == shown({})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WORKERS", "many"),
        ("WORKERS", "0"),
        ("DEBUG", "perhaps"),
        ("DATABASE_URL", "nonsense"),
        ("STORAGE_URL", "/mnt/files"),
        ("STORAGE_URL", "s3://bucket?regoin=x"),
        ("STORAGE_URL", "s3://bucket?endpoint=store:9000"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"PLAYGROUND_{name}"):
        settings_under(**{f"PLAYGROUND_{name}": value})


def test_a_command_says_in_one_line_what_does_not_fit() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=PROJECT,
        env={**os.environ, "PLAYGROUND_WORKERS": "many"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "PLAYGROUND_WORKERS" in done.stderr


def test_a_storage_url_that_does_not_fit_is_not_repeated() -> None:
    """It may hold a key."""
    with pytest.raises(ImproperlyConfigured) as raised:
        settings_under(PLAYGROUND_STORAGE_URL="s4://name:secret-key@bucket")
    assert "secret-key" not in str(raised.value)


def test_a_storage_url_names_bucket_prefix_and_keys() -> None:
    url = "s3://name:se%2Fcret@bucket/a/b?endpoint=http://store:9000&region=here&path_style=true"
    options = settings_under(PLAYGROUND_STORAGE_URL=url)["STORAGES"]["default"]["OPTIONS"]
    assert options == {
        "bucket_name": "bucket", "location": "a/b", "endpoint_url": "http://store:9000", "region_name": "here",
        "path_style": True, "access_key": "name", "secret_key": "se/cret",
    }  # fmt: skip
