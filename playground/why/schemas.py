"""Shapes of the API's answers to questions that a worker answers."""

from __future__ import annotations

from typing import Any

from ninja import Schema

from scheduler_core.contract import ProblemItem


class LookOut(Schema):
    state: str
    progress: float
    problems: list[ProblemItem]
    answer: dict[str, Any] | None


class RaceOut(Schema):
    id: str
    run_id: str
    state: str
    progress: float
    problems: list[ProblemItem]
    rounds: int
    every: int
    over: str
    unit: str
    first: int
    rows: list[dict[str, Any]]
    owner_token: str | None = None
