"""Signals about studies through Redis: requests to stop one, and notices of news."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from redis.exceptions import RedisError

from playground.contract.notices import StudyNotice
from playground.storage.connections import client, quick_client
from playground.storage.keys import study_compiling_key, study_group, study_stop_key


def ask_to_stop(study_id: str, why: str) -> None:
    """Ask workers to stop the study's runs; `why` is "pause" or "cancel"."""
    client().set(study_stop_key(study_id), why.encode(), ex=settings.LIMIT_RUN_SECONDS + 60)


def take_back_stop(study_id: str) -> None:
    client().delete(study_stop_key(study_id))


def asked_to_stop(study_id: str) -> str:
    """Return why workers must stop a study's runs; empty if they need not."""
    why = client().get(study_stop_key(study_id))
    return why.decode() if isinstance(why, bytes) else ""


def note_compiling(study_id: str, compiling: bool) -> None:
    if compiling:
        client().set(study_compiling_key(study_id), b"1", ex=settings.LIMIT_RUN_SECONDS)
    else:
        client().delete(study_compiling_key(study_id))


def is_compiling(study_id: str) -> bool:
    """Return True if a study's kernels are being compiled; False while Redis is unavailable."""
    try:
        return bool(quick_client().exists(study_compiling_key(study_id)))
    except RedisError:
        return False


def announce(study_id: str) -> None:
    """Wake everyone who watches a study."""
    layer = get_channel_layer()
    if layer is not None:
        notice: StudyNotice = {"type": "study.news"}
        async_to_sync(layer.group_send)(study_group(study_id), notice)
