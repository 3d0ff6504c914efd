"""Why machines must stay on, in the reader's language."""

from __future__ import annotations

from typing import Any

from playground.web.patterns import by_pattern
from playground.web.reasons import filled


def blocked_told(answer: dict[str, Any]) -> dict[str, str]:
    """Return the reasons of the machines that stay, in the reader's language; an unknown one stays English."""
    said = answer.get("blocked_said", {})
    decisions = {english: filled(one["template"], one["arguments"]) or english for english, one in said.items()}
    told = {
        reason: by_pattern(reason, "ask", parts=decisions) for reason in dict.fromkeys(answer["blocked_by"].values())
    }
    return {machine: told[reason] for machine, reason in answer["blocked_by"].items()}
