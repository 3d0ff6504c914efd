"""Backups: write the database and all files of a playground to one archive, and restore it on any host."""

from __future__ import annotations
