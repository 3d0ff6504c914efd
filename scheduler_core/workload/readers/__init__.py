"""Readers of traces: one file a format, and what they share."""

from __future__ import annotations
