"""Identifiers of rows that appear in addresses."""

from __future__ import annotations

import secrets


def new_public_id() -> str:
    """Return an identifier of 128 random bits that is safe in URLs."""
    return secrets.token_urlsafe(16)
