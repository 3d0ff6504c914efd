"""A run while it computes: what its worker publishes, and how that reaches every socket."""

from __future__ import annotations
