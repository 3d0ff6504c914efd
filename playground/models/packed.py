"""A field that stores large JSON objects compressed."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import Any

from django.db import models

_PACKED = "packed"
#: Shorter objects are stored as they are. Defaults that are written out compress to a hundredth.
_LARGE_CHARACTERS = 64_000


@dataclass(frozen=True)
class PackedJson:
    """A large JSON object: its compressed text, and the keys that queries of the database read."""

    packed: str
    keys: dict[str, Any]

    @property
    def text(self) -> bytes:
        return zlib.decompress(base64.b85decode(self.packed))

    @property
    def size(self) -> int:
        return len(self.packed)


def pack(data: dict[str, Any], text: str = "") -> PackedJson:
    """Compress a JSON object, whose text is `text` if it is known."""
    written = text or json.dumps(data, separators=(",", ":"))
    workload, fork_of = data.get("workload"), data.get("fork_of")
    keys = {"workload": {"trace": workload.get("trace")}} if isinstance(workload, dict) else {}
    keys |= {"fork_of": fork_of} if fork_of else {}
    return PackedJson(base64.b85encode(zlib.compress(written.encode())).decode(), keys)


def packed_if_large(data: dict[str, Any]) -> tuple[dict[str, Any] | PackedJson, int]:
    """Return a JSON object as the field stores it, and the characters that it takes there."""
    text = json.dumps(data, separators=(",", ":"))
    if len(text) < _LARGE_CHARACTERS:
        return data, len(text)
    found = pack(data, text)
    return found, found.size


class PackedJSONField(models.JSONField):
    """A JSON object that the database holds compressed if it is large; reading gives the whole object.

    Queries reach `workload.trace` and `fork_of` of a large object, and nothing else of it.
    """

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if isinstance(value, dict):
            value, _ = packed_if_large(value)
        if isinstance(value, PackedJson):
            value = {_PACKED: value.packed, **value.keys}
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        if isinstance(found, dict) and isinstance(packed := found.get(_PACKED), str):
            return json.loads(PackedJson(packed, {}).text)
        return found
