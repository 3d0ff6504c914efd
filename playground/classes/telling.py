"""Notify the servers with users in a class that the class has news."""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from playground.contract.notices import ClassNotice
from playground.models import Classroom
from playground.storage.connections import REDIS_AWAY, client
from playground.storage.keys import class_group, class_told_key

logger = logging.getLogger(__name__)

_TOGETHER_MS = 200


def announce(classroom: Classroom) -> None:
    """Notify servers that a class has stored news. If the notice gets lost, they find the news by polling."""
    transaction.on_commit(lambda: _send(classroom.public_id))


def announce_together(classroom: Classroom) -> None:
    """Tell the class that students did something; of many such announcements in a moment, only the first is sent.

    A server that hears of news looks once more after that moment (`Room`), so it sees the others as well.
    """
    transaction.on_commit(lambda: _send_first(classroom.public_id))


def _send_first(class_id: str) -> None:
    try:
        is_first = client().set(class_told_key(class_id), 1, nx=True, px=_TOGETHER_MS)
    except REDIS_AWAY:
        return
    if is_first:
        _send(class_id)


def _send(class_id: str) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    notice: ClassNotice = {"type": "class.news"}
    try:
        async_to_sync(layer.group_send)(class_group(class_id), notice)
    except (RedisError, OSError) as error:
        logger.debug("news of class %s are not announced: %s", class_id, error)
