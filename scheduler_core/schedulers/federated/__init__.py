"""Federated schedulers on stale views, and the centralized scheduler as their baseline."""

from __future__ import annotations
