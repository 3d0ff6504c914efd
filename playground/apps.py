from __future__ import annotations

from django.apps import AppConfig

from playground import STARTS_OTHERS


class PlaygroundConfig(AppConfig):
    name = "playground"

    def ready(self) -> None:
        if STARTS_OTHERS:
            return
        # Whoever queues tasks sends the request's id along; workers take it up.
        from playground.shell.security import work  # noqa: F401
        from playground.traces.bounded import bounded_reading
        from scheduler_core import guard_reading

        # Runs and previews read traces with the same bounds as uploads: files of PLAYGROUND_TRACE_DIR may lie, too.
        guard_reading(bounded_reading)
