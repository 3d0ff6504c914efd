"""Wake the servers on which a user is in a class."""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from playground.contract.notices import ClassNotice
from playground.models import Classroom
from playground.storage.keys import class_group

logger = logging.getLogger(__name__)


def announce(classroom: Classroom) -> None:
    """Say that a class has news, once they are stored. Servers look by themselves where this gets lost."""
    transaction.on_commit(lambda: _send(classroom.public_id))


def _send(class_id: str) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    notice: ClassNotice = {"type": "class.news"}
    try:
        async_to_sync(layer.group_send)(class_group(class_id), notice)
    except (RedisError, OSError) as error:
        logger.debug("news of class %s are not announced: %s", class_id, error)
