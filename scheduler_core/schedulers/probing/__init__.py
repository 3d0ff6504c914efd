"""Schedulers that probe workers or send tasks to their queues."""

from __future__ import annotations
