"""What a finished run leaves behind, and what is read from it without simulating."""

from __future__ import annotations
