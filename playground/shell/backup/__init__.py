"""Backups: the database and all files of a playground in one archive, and back again on any host."""

from __future__ import annotations
