"""Policies of one's own: what may stand in one, examples, and what is wrong with a text."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import Any

from django.conf import settings

import scheduler_core
from playground.errors import PlaygroundError, problem
from playground.ground.policy_limits import named_by_setting, policy_limits
from playground.web.patterns import by_pattern
from playground.web.words import translated
from scheduler_core import ExperimentError
from scheduler_core.experiment.reading import read_json
from scheduler_core.limits import DEFAULT_LIMITS

LONGEST = 4_000
"""Characters of a policy; the library's own limits are checked behind it."""
#: A policy of the largest size, however its characters are written.
_LIMITS = dataclasses.replace(DEFAULT_LIMITS, json_bytes=64_000, json_values=100)


def language() -> dict[str, Any]:
    """Return the language of policies in the reader's words, with the examples in fixtures/policies."""
    limits = dataclasses.asdict(policy_limits())
    told: dict[str, Any] = translated({**scheduler_core.policy_language(), "limits": limits, "templates": templates()})
    return told


@functools.cache
def templates() -> list[dict[str, str]]:
    """Return the examples: name, what each does, and its text. The first line of a file says what it does."""
    found = []
    for path in sorted(Path(settings.FIXTURES_DIR / "policies").glob("*.policy")):
        text = path.read_text(encoding="utf-8").strip()
        about = text.partition("\n")[0].lstrip("# ") if text.startswith("#") else ""
        found.append({"name": path.stem, "about": about, "policy": text})
    return found


def check(*, body: bytes) -> dict[str, Any]:
    """Return a policy's problems, or its settings, hooks and words. Raises PlaygroundError for another body."""
    try:
        given = read_json(body, _LIMITS)
    except ExperimentError as error:
        raise _refused(str(error.problems[0].message)) from None
    text = given.get("policy")
    if not isinstance(text, str) or set(given) != {"policy"}:
        raise _refused("is not an object with a text as its policy")
    if len(text) > LONGEST:
        raise _refused(f"has {len(text):,} characters", f"at most {LONGEST:,}")
    return _in_words(scheduler_core.check_policy(text, policy_limits()))


def _in_words(found: dict[str, Any]) -> dict[str, Any]:
    """Return a check in the reader's words."""
    told: dict[str, Any] = translated(found)
    problems = [
        problem
        | {field: named_by_setting(by_pattern(problem[field], "policy")) for field in ("message", "allowed", "remedy")}
        for problem in found["problems"]
    ]
    return told | {"problems": problems}


def _refused(message: str, allowed: str = '{"policy": "…"}') -> PlaygroundError:
    item = problem("policy", message, allowed=allowed)
    return PlaygroundError(422, "invalid-request", "The policy cannot be checked", (item,))
