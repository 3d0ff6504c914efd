"""What a scheduler declares about itself, and its inputs: the world's arrays, incidents, and message boards."""

from __future__ import annotations
