"""Bound how many long questions of an address or a class are under way: workers answer them one at a time."""

from __future__ import annotations

import time
from typing import cast

from playground.errors import PlaygroundError, problem
from playground.ground.quotas import Quota
from playground.questions import store
from playground.questions.asking import read
from playground.storage import connections
from playground.storage.keys import under_way_key

_KEPT_S = 24 * 3600
#: A question is asked right after it was noted.
_ASKED_WITHIN_S = 10


def refuse_several(quota: Quota, name: str, *, setting: str, what: str) -> None:
    """Note another question of an address or a class, unless as many as it may are under way.

    `name` is the question's; one that is under way already counts once. Raises PlaygroundError (429).
    """
    if not quota.key:
        return
    client, key, now = connections.client(), under_way_key(what, quota.key), time.time()
    # Noted before it counts the others: of requests at the same moment, no more pass than may.
    is_new = bool(client.zadd(key, {name: now}, nx=True))
    client.expire(key, _KEPT_S)
    noted = cast("list[tuple[bytes, float]]", client.zrange(key, 0, -1, withscores=True))
    known = {each.decode(): at for each, at in noted if each.decode() != name}
    over = [each for each, at in known.items() if not _is_under_way(each, now - at)]
    if over:
        client.zrem(key, *over)
    have, most = len(known) - len(over), quota.most(setting)
    if have >= most:
        if is_new:
            client.zrem(key, name)
        allowed = f"at most {most} (setting PLAYGROUND_{setting})"
        item = problem("", f"{quota.name} has {have} {what} under way", allowed=allowed, remedy="wait for one to end")
        raise PlaygroundError(429, f"too-many-{what}", f"Too many {what} at once", (item,))


def _is_under_way(name: str, noted_s: float) -> bool:
    told = read(name)
    if told is None:
        return noted_s < _ASKED_WITHIN_S
    if told.is_over:
        return False
    return not told.facts["wanted"] or store.is_wanted(name)
