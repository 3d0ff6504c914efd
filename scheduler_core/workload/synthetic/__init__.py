"""Workloads drawn from distributions: arrivals, classes of jobs, DAGs."""

from __future__ import annotations
