"""The client for scripts is the client with an event loop, without `await`."""

from __future__ import annotations

import pytest

from tools import sync_client


@pytest.mark.parametrize("source", sync_client.WRITTEN)
def test_the_client_for_scripts_is_written_from_the_one_with_an_event_loop(source: str) -> None:
    name, _ = sync_client.WRITTEN[source]
    kept = (sync_client.CLIENT / name).read_text(encoding="utf-8")
    assert sync_client.written(source) == kept, f"change {source}, then run tools/sync_client.py"
    assert "await " not in kept
    assert "Async" not in kept
