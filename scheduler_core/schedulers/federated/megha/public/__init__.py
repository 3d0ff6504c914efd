"""Megha by the rules of its authors' public simulator."""

from __future__ import annotations
