from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db.utils import OperationalError

from playground.shell import places
from playground.shell.play import addresses, checks
from playground.shell.play.processes import (
    PlayOptions,
    ProcessSpec,
    docs_process,
    kernels_process,
    processes,
    redis_process,
)
from playground.shell.play.redis_server import NO_REDIS, find_redis_server, prepare_redis_folder, private_redis_socket


class Command(BaseCommand):
    help = (
        "Start the playground: Redis, workers and the web server. A process that ends is started again. "
        "Ctrl-C stops everything."
    )
    requires_system_checks = []
    # Options that Django gives every command, of which a user needs none.
    suppressed_base_arguments = {
        "--settings", "--pythonpath", "--traceback", "--no-color", "--force-color", "--skip-checks", "--verbosity",
        "--version",
    }  # fmt: skip

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=_port, default=8000, help="port to listen on [8000]")
        told = "address to listen on [127.0.0.1]; lan lets other computers of the network connect"
        parser.add_argument("--host", default="127.0.0.1", help=told)
        parser.add_argument("--no-worker", action="store_true", help="web server only")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            code = self._play(host=options["host"], port=options["port"], with_workers=not options["no_worker"])
        except checks.CannotPlay as error:
            print(f"playground: {error}", file=sys.stderr)
            code = 2
        if code:
            sys.exit(code)

    def _play(self, *, host: str, port: int, with_workers: bool) -> int:
        folder = settings.DATA_DIR
        checks.prepare_data_folder(folder)
        lock = checks.lock_data_folder(folder)
        with lock:
            outside = _outside(host)
            checks.check_plugins(host if host != addresses.LAN else outside)
            host = addresses.bound_host(host)
            checks.require_free_port(host, port)
            play = self._options(host, port, with_workers)
            self._migrate()
            # This import chooses Twisted's reactor.
            from playground.shell.play.supervisor import Supervisor

            return Supervisor(
                redis=redis_process(play),
                redis_socket=play.redis_socket,
                others=processes(play),
                environment=self._environment(outside, port),
                url=addresses.url_of(_shown_host(host), port),
                outside=addresses.url_of(outside, port) if outside else "",
                once=_once(with_workers),
            ).run()

    def _options(self, host: str, port: int, with_workers: bool) -> PlayOptions:
        common: dict[str, Any] = {
            "host": host, "port": port, "workers": settings.WORKERS, "most_workers": settings.WORKERS_MOST,
            "with_workers": with_workers,
        }  # fmt: skip
        if os.environ.get("PLAYGROUND_REDIS_URL"):
            _require_redis(settings.REDIS_URL)
            return PlayOptions(**common)
        program = find_redis_server()
        if program is None:
            raise checks.CannotPlay(NO_REDIS)
        socket = private_redis_socket(settings.DATA_DIR)
        try:
            prepare_redis_folder(socket)
        except OSError as error:
            raise checks.CannotPlay(f"the folder of the private Redis cannot be used: {error}") from None
        return PlayOptions(**common, redis_program=program, redis_socket=socket)

    def _migrate(self) -> None:
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except OperationalError as error:
            raise checks.CannotPlay(f"the database cannot be used ({error}): see PLAYGROUND_DATABASE_URL") from None

    def _environment(self, outside: str, port: int) -> dict[str, str]:
        """Return the children's variables: as ours, but not in debug mode and with a secret key, unless said."""
        environment = dict(os.environ)
        if outside:
            environment["PLAYGROUND_ALLOWED_HOSTS"] = ",".join([*settings.ALLOWED_HOSTS, outside.strip("[]")])
            environment.setdefault("PLAYGROUND_ADDRESS", addresses.url_of(outside, port))
        environment.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
        environment.setdefault("PLAYGROUND_DEBUG", "false")
        # Warnings are for developers, and these are other people's (a missing optional folder, a worker run as root).
        environment.setdefault("PYTHONWARNINGS", "ignore")
        if not places.IS_CLONE:
            # An installed playground starts in any folder, whose files must not stand in for modules.
            environment.setdefault("PYTHONSAFEPATH", "1")
        if not {"PLAYGROUND_SECRET_KEY", "PLAYGROUND_SECRET_KEY_FILE"} & environment.keys():
            environment["PLAYGROUND_SECRET_KEY_FILE"] = str(checks.secret_key_file(settings.DATA_DIR))
        return environment


def _port(text: str) -> int:
    port = int(text)
    if not 1 <= port <= 65535:
        raise ValueError(text)
    return port


def _shown_host(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - the user chose it


def _once(with_workers: bool) -> tuple[ProcessSpec, ...]:
    """Return what runs once, in its order: what a visitor waits for comes first."""
    kernels = with_workers and settings.WARM_KERNELS
    return (
        *((kernels_process(settings.FIXTURES_DIR / "experiments" / "studio.json"),) if kernels else ()),
        *((docs_process(),) if settings.BUILD_DOCS else ()),
    )


def _outside(host: str) -> str:
    try:
        return addresses.outside_host(host)
    except addresses.NoAddress:
        raise checks.CannotPlay(
            "this machine has no address in a network: connect it, or name an address: make run HOST=ADDRESS"
        ) from None


def _require_redis(url: str) -> None:
    import redis

    try:
        redis.Redis.from_url(url, socket_connect_timeout=3).ping()
    except (redis.RedisError, ValueError, OSError) as error:
        raise checks.CannotPlay(f"no Redis answers at PLAYGROUND_REDIS_URL: {error}") from None
