from __future__ import annotations

import socket
import sys
import urllib.request
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from redis.exceptions import RedisError

from playground.storage.workers import is_worker_alive

_WAIT_S = 5


class Command(BaseCommand):
    help = "Check a process of this host, as containers do: the exit code is 0 if it answers, otherwise 1."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=["web", "runs", "previews"], help="the web process, or a worker")
        parser.add_argument("--port", type=int, default=8000, help="port of the web process")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        try:
            lives = (
                _web_answers(options["port"]) if name == "web" else is_worker_alive(f"{name}@{socket.gethostname()}")
            )
        except (RedisError, OSError) as error:
            print(f"{name} does not answer: {error}", file=sys.stderr)
            lives = False
        sys.exit(0 if lives else 1)


def _web_answers(port: int) -> bool:
    # Ask by a name in ALLOWED_HOSTS: the server refuses others.
    name = next((host for host in settings.ALLOWED_HOSTS if host.strip("*.") == host), "127.0.0.1")
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/healthz", headers={"Host": name})
    with urllib.request.urlopen(asked, timeout=_WAIT_S) as answer:  # noqa: S310 - this machine's own page
        return bool(answer.status == 200)
