"""What work is like in numbers, and synthetic work that is fitted to it."""

from __future__ import annotations
