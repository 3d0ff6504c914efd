"""Small notices over the channel layer: a run's new state. Frames never go this way."""

from __future__ import annotations

from typing import TypedDict

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from playground.live.keys import notices_group
from playground.live.store import Progress, write_progress


class StateNotice(TypedDict):
    """The channel-layer message that a consumer receives as `run_state`."""

    type: str
    state: str


def announce_state(run_id: str, progress: Progress) -> None:
    """Write a run's new state where everybody looks, and tell those who watch."""
    write_progress(run_id, progress)
    layer = get_channel_layer()
    if layer is not None:
        message: StateNotice = {"type": "run.state", "state": progress.state}
        async_to_sync(layer.group_send)(notices_group(run_id), message)
