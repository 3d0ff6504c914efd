"""Start and watch all processes of the playground."""

from __future__ import annotations
