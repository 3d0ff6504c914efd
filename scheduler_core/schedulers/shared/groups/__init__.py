"""Queues in groups: the tree that `parent` makes of them, and which queue in it comes next."""

from __future__ import annotations
