"""Shared ground of all subjects: viewers, addresses, and access to the simulator."""

from __future__ import annotations
