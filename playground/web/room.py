"""Let nothing begin that stores, while the disk is full.

Rows of a class under way are small: they may use what the server keeps free, and are refused when the database is full.
"""

from __future__ import annotations

import re

from django.http import HttpRequest

from playground.ground.quotas import refuse_full_disk

_STORING = ("POST", "PUT", "PATCH")
#: Operations that stop or compute something, and rows of a class under way.
_NEED_NO_ROOM = re.compile(
    r"/api/v1/(?:.*/)?(?:cancel|pause|close|reveal|answer|join|fit|read|write|former-rules|previews|policy-checks"
    r"|constraint-previews|workload-previews)"
    r"|/api/v1/classes/[^/]+(?:/students/[^/]+|/questions/[^/]+/open|/wall/open)?"
)


def refuse_without_room(request: HttpRequest) -> None:
    """Refuse an operation that stores while the disk is full. Raises PlaygroundError (507)."""
    if request.method in _STORING and _NEED_NO_ROOM.fullmatch(request.path.rstrip("/")) is None:
        refuse_full_disk(0)
