"""Who asks: a browser session, the bearer of an owner token, or both. There are no accounts."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from playground.models import Experiment


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def new_owner_token() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True)
class Viewer:
    """`session_key` of the browser's session (empty without one), `token` as sent (empty without one)."""

    session_key: str = ""
    token: str = ""

    def owns(self, experiment: Experiment) -> bool:
        if self.session_key and hmac.compare_digest(self.session_key, experiment.owner_session):
            return True
        return bool(self.token) and hmac.compare_digest(hash_token(self.token), experiment.owner_token_hash)
