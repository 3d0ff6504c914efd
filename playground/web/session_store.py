"""Sessions in the database, for keys as they are drawn: no other text of a cookie reaches the database."""

from __future__ import annotations

from django.contrib.sessions.backends import db

#: Characters, as Django's own rule has it.
_FEWEST = 8


class SessionStore(db.SessionStore):
    """A session of a browser; a cookie with an odd key, such as one that holds a NUL, is like none."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and len(key) >= _FEWEST and key.isascii() and key.isalnum()
