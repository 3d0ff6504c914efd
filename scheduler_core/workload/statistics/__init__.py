"""Statistics of workloads, and synthetic workloads that fit them."""

from __future__ import annotations
