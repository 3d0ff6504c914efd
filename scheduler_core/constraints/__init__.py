"""Placement constraints: tables of facts, and their sampling into bits."""

from __future__ import annotations

from scheduler_core.constraints.sample import machine_offers, task_asks

__all__ = ["machine_offers", "task_asks"]
