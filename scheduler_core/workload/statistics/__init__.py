"""Statistics of workloads, and synthetic workloads that are fitted to them."""

from __future__ import annotations
