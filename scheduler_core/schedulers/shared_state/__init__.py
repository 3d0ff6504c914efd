"""Schedulers on shared state, with optimistic commits."""

from __future__ import annotations
