"""What a scheduler declares about itself, and what it is given: the world's arrays, incidents, and boards' words."""

from __future__ import annotations
