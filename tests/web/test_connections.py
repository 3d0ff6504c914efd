"""Connections to Redis: threads wait for one that is free, and a reader who left leaves nothing in memory."""

from __future__ import annotations

import threading

import pytest
from channels.layers import get_channel_layer

from playground.storage import connections

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker")]


@pytest.mark.parametrize("client", [connections.client, connections.quick_client])
def test_a_thread_waits_while_all_connections_are_taken(client: object) -> None:
    found = client()  # type: ignore[operator]
    pool, answers = found.connection_pool, []
    taken = [pool.get_connection() for _ in range(connections._MOST_CONNECTIONS)]
    asking = threading.Thread(target=lambda: answers.append(found.ping()))
    asking.start()
    asking.join(0.2)
    assert answers == []
    for connection in taken:
        pool.release(connection)
    asking.join(20)
    assert answers == [True]


async def test_a_notice_for_a_reader_who_has_left_is_not_kept() -> None:
    layer = get_channel_layer()
    assert layer is not None
    left, stays = [await layer.new_channel() for _ in range(2)]
    for channel in (left, stays):
        await layer.group_add("readers", channel)
    layer.forget(left)
    await layer.group_send("readers", {"type": "some.news"})
    assert (await layer.receive(stays))["type"] == "some.news"
    assert not layer.receive_buffer
    await layer.close_pools()
