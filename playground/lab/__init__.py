"""The constraint and workload lab."""

from __future__ import annotations
