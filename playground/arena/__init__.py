"""The arena: challenges with hidden seeds, entries, and boards that rank them."""

from __future__ import annotations
