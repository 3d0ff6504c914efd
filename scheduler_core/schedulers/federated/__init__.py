"""Federated schedulers, on stale views; and the centralised one that they are compared with."""

from __future__ import annotations
