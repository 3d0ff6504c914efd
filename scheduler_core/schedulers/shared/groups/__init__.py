"""Grouped queues: the tree that `parent` defines, and the choice of the next queue."""

from __future__ import annotations
