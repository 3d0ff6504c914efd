"""The version of the core, part of every result."""

from __future__ import annotations

__version__ = "0.2.0"
