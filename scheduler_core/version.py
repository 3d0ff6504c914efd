"""The version of the core. Every result contains it."""

from __future__ import annotations

__version__ = "0.2.0"
