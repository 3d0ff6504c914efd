"""Prepare in a thread, once the server is ready, what the first visitor would otherwise wait for."""

from __future__ import annotations

import functools
import logging
import threading

from celery import current_app
from channels.layers import get_channel_layer
from django.conf import settings

from playground.catalogue.service import schedulers_json
from playground.web.rates import limiter_of
from playground.web.words import SOURCE
from scheduler_core import library_digest

logger = logging.getLogger(__name__)


@functools.cache
def warm_up() -> None:
    """Begin, once in this process."""
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()


def _warm_up() -> None:
    try:
        schedulers_json(SOURCE)
        library_digest()
        get_channel_layer()
        limiter_of(settings.REDIS_URL)
        with current_app.producer_pool.acquire(block=False) as producer:
            producer.channel  # noqa: B018 - connects
    except Exception:
        # The first visitor waits for it then, and the page says what is wrong.
        logger.warning("the first visitor's data is not ready yet", exc_info=True)
