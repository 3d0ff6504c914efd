"""The viewer of a request: a browser session, the bearer of an owner token, or both. There are no accounts."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Protocol


def hash_token(token: str) -> str:
    """Return the SHA-256 of an owner token as hex digits; rows hold this hash and never the token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_owner_token() -> str:
    """Return a new random owner token: 32 bytes, URL-safe text."""
    return secrets.token_urlsafe(32)


class Owned(Protocol):
    """A thing that belongs to the browser session that created it, and to the bearer of its token."""

    @property
    def owner_session(self) -> str: ...

    @property
    def owner_token_hash(self) -> str: ...


@dataclass(frozen=True)
class Viewer:
    """The sender of a request: `session_key` of the browser session and `token` as sent, each empty if absent.

    `is_program`: the request does not come from a page. Its results are computed even though no one watches them.
    """

    session_key: str = ""
    token: str = ""
    is_program: bool = False
    #: The key of the address that sent the request (ground/quotas.py); empty for the site itself.
    counts_under: str = ""

    def owns(self, thing: Owned) -> bool:
        if self.session_key and hmac.compare_digest(self.session_key, thing.owner_session):
            return True
        return bool(self.token) and hmac.compare_digest(hash_token(self.token), thing.owner_token_hash)
