"""Dockerfile and compose.yaml as far as they can be checked without Docker: they name what exists, and are shut in."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest
import yaml
from django.core.management import load_command_class

from playground.shell import env
from playground.shell.command import COMMANDS
from playground.shell.security.bodies import most_body_bytes
from tests.support import PROJECT

COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text())
DOCKERFILE = (PROJECT / "Dockerfile").read_text()
OURS = {name: one for name, one in COMPOSE["services"].items() if one["image"] == COMPOSE["x-playground"]["image"]}


def asked(arguments: list[str]) -> Any:
    """Parse a command line as `scheduler-playground` would; argparse ends the process where it does not fit."""
    name, *rest = arguments
    assert name in COMMANDS
    app = "django.core" if name == "migrate" else "playground"
    return load_command_class(app, name).create_parser("scheduler-playground", name).parse_args(rest)


def test_the_roles_are_those_of_one_image() -> None:
    assert set(OURS) == {"migrate", "web", "runs", "previews"}
    assert [name for name, one in OURS.items() if "build" in one] == ["migrate"]


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_role_names_a_command_that_exists_and_is_shut_in(name: str) -> None:
    role = OURS[name]
    asked(role["command"])
    assert role["read_only"]
    assert role["cap_drop"] == ["ALL"]
    assert role["security_opt"] == ["no-new-privileges:true"]
    assert "user" not in role  # the image's, which is not root
    check = role["healthcheck"]
    if name != "migrate":
        program, *arguments = check["test"][1:]
        assert program == "scheduler-playground"
        assert asked(arguments).name == name


def test_the_images_commands_exist_and_it_is_not_root() -> None:
    command = re.search(r"^CMD \[(.*)\]$", DOCKERFILE, re.M)
    check = re.search(r'HEALTHCHECK .* CMD \["scheduler-playground", (.*)\]$', DOCKERFILE, re.M)
    assert command is not None
    assert check is not None
    for found in (command, check):
        asked(re.findall(r'"([^"]*)"', found[1]))
    assert re.findall(r"^USER (.*)$", DOCKERFILE, re.M)[-1] == "10001:10001"


def test_every_variable_is_a_setting() -> None:
    importlib.import_module("playground.settings")
    for name in COMPOSE["x-playground"]["environment"]:
        assert name in env.READ or name.startswith("AWS_"), name
    for name in re.findall(r"PLAYGROUND_\w+(?==)", DOCKERFILE):
        assert name in env.READ, name


def test_no_secret_is_written_down_and_each_has_to_be_given() -> None:
    text = (PROJECT / "compose.yaml").read_text()
    for name in ("POSTGRES_PASSWORD", "REDIS_PASSWORD", "PLAYGROUND_SECRET_KEY", "PLAYGROUND_ALLOWED_HOSTS"):
        uses = re.findall(r"\$\{" + name + r"([^}]*)\}", text)
        assert uses, name
        assert all(use.startswith(":?") for use in uses), name


def test_what_is_not_the_proxy_is_reached_from_inside_alone() -> None:
    """Database and Redis listen on this host, or on the private address that is named."""
    ports = {name: one["ports"] for name, one in COMPOSE["services"].items() if "ports" in one}
    assert set(ports) == {"proxy", "database", "redis"}
    for name in ("database", "redis"):
        assert all(port.startswith("${PRIVATE_ADDRESS:-127.0.0.1}:") for port in ports[name])


def test_every_container_drops_capabilities_and_no_command_line_holds_a_password() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        # `$$` is what the shell inside the container reads from its environment.
        said = " ".join(service.get("command", [])) + " ".join(service.get("healthcheck", {}).get("test", []))
        assert not re.search(r"(?<!\$)\$\{?\w*PASSWORD", said), name


def test_the_proxy_limits_requests() -> None:
    caddy = COMPOSE["configs"]["proxy"]["content"]
    most = re.search(r"request_body \{\s*max_size (\d+)MB", caddy)
    assert most is not None
    assert int(most[1]) * 1_000_000 == most_body_bytes()
    assert all(f"{name} " in caddy for name in ("read_header", "read_body", "idle", "max_header_size"))
