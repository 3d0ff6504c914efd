"""Experiments: stored, forked, listed, shared and deleted."""

from __future__ import annotations
