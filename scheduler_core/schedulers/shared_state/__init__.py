"""Shared-state schedulers with optimistic commits."""

from __future__ import annotations
