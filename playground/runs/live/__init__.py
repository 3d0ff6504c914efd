"""A run in progress: what its worker publishes, and how every socket receives it."""

from __future__ import annotations
