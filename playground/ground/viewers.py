"""Who asks: a browser session, the bearer of an owner token, or both. There are no accounts."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Protocol


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def new_owner_token() -> str:
    return secrets.token_urlsafe(32)


class Owned(Protocol):
    """What belongs to the browser that made it, and to whoever has its token."""

    @property
    def owner_session(self) -> str: ...

    @property
    def owner_token_hash(self) -> str: ...


@dataclass(frozen=True)
class Viewer:
    """`session_key` of the browser's session (empty without one), `token` as sent (empty without one).

    `is_program`: no page asks, so nobody watches what was asked for, and it is wanted all the same.
    """

    session_key: str = ""
    token: str = ""
    is_program: bool = False

    def owns(self, thing: Owned) -> bool:
        if self.session_key and hmac.compare_digest(self.session_key, thing.owner_session):
            return True
        return bool(self.token) and hmac.compare_digest(hash_token(self.token), thing.owner_token_hash)
