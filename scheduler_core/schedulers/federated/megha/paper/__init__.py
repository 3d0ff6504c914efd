"""Megha by the rules of its paper: views, requests, repartitions, heartbeats, fairness, faults, soft constraints."""

from __future__ import annotations
