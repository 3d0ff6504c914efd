"""The form of a backup: a ZIP file with a manifest, each table's rows as lines of JSON, and files by name.

Rows are written as data, not in a database's own format: an archive from SQLite can be restored into PostgreSQL and
back. Uploads under way are left out, and so is what Redis holds: frames of runs under way, presentations, rates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management.base import CommandError
from django.db import models

FORMAT = 1
MANIFEST = "manifest.json"
ROWS, FILES = "rows/", "files/"
#: Uploads under way: their senders begin again.
_LEFT_OUT = {"Upload", "UploadPiece"}


class BackupError(CommandError):
    """A backup cannot be made or restored; the message says why and what to do."""


@dataclass(frozen=True)
class Manifest:
    """What an archive holds; `migrations` names the newest applied migration of each Django app."""

    format: int
    product_version: str
    made_at: str
    migrations: dict[str, str]
    rows: dict[str, int]
    files: int
    file_bytes: int
    #: Unreadable files that rows name.
    missing: list[str]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def parse(cls, text: bytes) -> Manifest:
        """Read a manifest. Raises BackupError for one of another format."""
        try:
            found: dict[str, Any] = json.loads(text)
            if found["format"] != FORMAT:
                raise BackupError(f"the archive has format {found['format']}; this version reads format {FORMAT}")
            return cls(**found)
        except (ValueError, KeyError, TypeError) as error:
            raise BackupError(f"the archive's manifest cannot be read: {error}") from None


def tables() -> list[type[models.Model]]:
    """Return the tables that a backup holds: those of the product, and the sessions that own experiments."""
    own = apps.get_app_config("playground").get_models()
    return [*(model for model in own if model.__name__ not in _LEFT_OUT), Session]


def file_fields(model: type[models.Model]) -> Iterator[models.FileField]:
    for field in model._meta.concrete_fields:
        if isinstance(field, models.FileField):
            yield field
