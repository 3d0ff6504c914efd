from __future__ import annotations

from django.apps import AppConfig


class PlaygroundConfig(AppConfig):
    name = "playground"

    def ready(self) -> None:
        # Whoever queues tasks sends the request's id along; workers take it up.
        from playground.security import work  # noqa: F401
