"""Placement constraints: tables of published numbers, and bits drawn from them."""

from __future__ import annotations

from scheduler_core.constraints.asks import rack_rules, relaxed_factor, slowest, soft_mask, task_asks
from scheduler_core.constraints.offers import machine_offers
from scheduler_core.constraints.tables import fixed_ratios

__all__ = ["fixed_ratios", "machine_offers", "rack_rules", "relaxed_factor", "slowest", "soft_mask", "task_asks"]
