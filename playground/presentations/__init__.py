"""Presentations: viewers follow what a presenter shows."""

from __future__ import annotations
