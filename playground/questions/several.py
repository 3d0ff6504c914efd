"""Bound how many long questions of an address or a class are under way: workers answer them one at a time."""

from __future__ import annotations

from typing import cast

from playground.errors import PlaygroundError, problem
from playground.ground.quotas import Quota
from playground.questions import store
from playground.questions.asking import read
from playground.storage import connections
from playground.storage.keys import under_way_key

_KEPT_S = 24 * 3600


def refuse_several(quota: Quota, name: str, *, setting: str, what: str) -> None:
    """Note another question of an address or a class, unless as many as it may are under way.

    `name` is the question's; one that is under way already counts once. Raises PlaygroundError (429).
    """
    if not quota.key:
        return
    client, key = connections.client(), under_way_key(what, quota.key)
    known = {each.decode() for each in cast("set[bytes]", client.smembers(key))}
    over = {each for each in known if not _is_under_way(each)}
    if over:
        client.srem(key, *over)
    have, most = len(known - over - {name}), quota.most(setting)
    if have >= most:
        allowed = f"at most {most} (setting PLAYGROUND_{setting})"
        item = problem("", f"{quota.name} has {have} {what} under way", allowed=allowed, remedy="wait for one to end")
        raise PlaygroundError(429, f"too-many-{what}", f"Too many {what} at once", (item,))
    client.sadd(key, name)
    client.expire(key, _KEPT_S)


def _is_under_way(name: str) -> bool:
    told = read(name)
    if told is None or told.is_over:
        return False
    return not told.facts["wanted"] or store.is_wanted(name)
