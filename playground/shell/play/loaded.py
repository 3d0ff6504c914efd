"""Import what the playground's processes need before they are ready: `python -m playground.shell.play.loaded web`.

`make setup` does this, and the first start then finds bytecode and the digests of kernels. Compiling every file of
every package would take half a minute; the processes load a third of them.
"""

from __future__ import annotations

import sys
from importlib import import_module

_WEB = ("playground.asgi", "daphne.cli", "daphne.server", "twisted.internet.asyncioreactor")
_CELERY = (
    "celery.bin.celery", "celery.apps.worker", "celery.app.amqp", "celery.app.control", "celery.concurrency.prefork",
    "celery.contrib.django.task", "celery.fixups.django", "celery.worker.components", "celery.worker.consumer",
    "celery.worker.strategy", "kombu.transport.redis",
)  # fmt: skip
_CARETAKER = (
    "playground.shell.worker", "playground.arena.line", "playground.runs.recovery", "playground.shell.retention",
    "playground.studies.execution",
)  # fmt: skip
_SUPERVISOR = (
    "playground.shell.command", "playground.shell.play.supervisor", "playground.management.commands.play",
    "django.core.management.commands.migrate", "django.db.backends.sqlite3.base",
)  # fmt: skip
_COMPILER = ("scheduler_core.cli.warm", "scheduler_core.run.warm", "scheduler_core.api", "scheduler_core.run.preview")


def load_web() -> None:
    """Load the web process: the server, and every page and operation."""
    _load(_WEB)
    from django.urls import get_resolver

    get_resolver().check()


def load_workers() -> None:
    """Load the worker of runs, the supervisor with its migrations, and what compiles kernels."""
    import django

    django.setup()
    _load(_CELERY + _CARETAKER)
    from playground.celery import app

    app.loader.import_default_modules()
    _load(_SUPERVISOR)
    from django.db.migrations.loader import MigrationLoader

    MigrationLoader(None)
    _load(_COMPILER)
    from scheduler_core.run.engines import prepare_modules

    prepare_modules()
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def _load(modules: tuple[str, ...]) -> None:
    for name in modules:
        import_module(name)


if __name__ == "__main__":
    {"web": load_web, "workers": load_workers}[sys.argv[1]]()
