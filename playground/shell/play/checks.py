"""Check the conditions for a start; each failure is one line for a person."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from django.conf import settings

import scheduler_core
from playground.shell import plugins


class CannotPlay(Exception):
    """The playground cannot start; the message says why and what to do."""


def prepare_data_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise CannotPlay(
            f"the data folder {folder} cannot be written ({error.strerror}): "
            "make it writable, or set PLAYGROUND_DATA_DIR to another"
        ) from None


def lock_data_folder(folder: Path) -> IO[str]:
    """Hold the folder for this process as long as the returned file is open."""
    path = folder / "play.lock"
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        file.close()
        raise CannotPlay(
            f"a playground already runs on the data folder {folder} (process {holder}): "
            "stop it, or set PLAYGROUND_DATA_DIR to another folder"
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def require_free_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            if isinstance(error, socket.gaierror) or getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
                raise CannotPlay(
                    f"{host} is not an address of this machine: leave HOST out for this machine alone, "
                    "or use HOST=lan or one of this machine's addresses"
                ) from None
            reason = getattr(error, "strerror", None) or str(error)
            raise CannotPlay(
                f"port {port} on {host} cannot be used ({reason}): "
                f"choose another, for example 'make run PORT={port + 1}'"
            ) from None


def check_plugins(host: str) -> None:
    """Load the plugins once, so that an error in a file stops the start, and refuse them where others reach `host`."""
    if not settings.PLUGINS:
        return
    try:
        plugins.refuse_others(settings.PLUGINS, [host], for_others=settings.PLUGINS_FOR_OTHERS)
        scheduler_core.plugins()
    except plugins.PluginsForOthers as error:
        raise CannotPlay(str(error)) from None
    except scheduler_core.ExperimentError as error:
        raise CannotPlay(f"PLAYGROUND_PLUGINS: {error}") from None


def secret_key_file(folder: Path) -> Path:
    """Return the file of this installation's own secret key; made at the first start, readable by its owner only."""
    path = folder / "secret-key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(48))
    return path


def environment_of_role(additional: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a process that `web` or `worker` becomes, with debugging off unless it is set.

    Raises CannotPlay if the process would lack a secret key.
    """
    environment = {**os.environ, **additional}
    environment.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    environment.setdefault("PLAYGROUND_DEBUG", "false")
    environment.setdefault("PYTHONWARNINGS", "ignore")  # they are for developers, as in `play`
    debugs = environment["PLAYGROUND_DEBUG"].strip().lower() in {"1", "true", "yes", "on"}
    if not debugs and settings.SECRET_KEY in {settings.INSECURE_KEY, ""}:
        raise CannotPlay(settings.NO_SECRET_KEY)
    return environment
