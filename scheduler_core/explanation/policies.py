"""A user's own policy, for an editor: what may stand in it, what is wrong with a text, and what a text reads."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from scheduler_core.policy import FOLDS, FUNCTIONS, HOOKS, OBJECTS, POLICY_LIMITS, WORDS, PolicyError, compile_policy
from scheduler_core.schedulers.own.params import RESERVED


def check_policy(text: str) -> dict[str, Any]:
    """Return a policy's problems, each with its place; of a valid one the settings, hooks and words, in JSON types.

    The work is bounded by `policy.POLICY_LIMITS` before it begins.
    """
    try:
        policy = compile_policy(text, RESERVED)
    except PolicyError as error:
        return {"valid": False, "problems": [problem.to_dict() for problem in error.problems]}
    return {
        "valid": True,
        "problems": [],
        "settings": [
            {"name": one.name, "default": one.default, "low": one.low, "high": one.high} for one in policy.settings
        ],
        "hooks": [
            {"name": name, "line": code.line, "steps": code.end - code.first} for name, code in policy.hooks.items()
        ],
        "words": [
            {"word": one.text, "unit": one.unit, "meaning": one.meaning, "known": one.known} for one in policy.words
        ],
    }


@functools.cache
def policy_language() -> dict[str, Any]:
    """Return what may stand in a policy, in JSON types: hooks, words, functions, folds and the limits of a text."""
    return {
        "hooks": [{"name": hook.name, "objects": list(hook.objects), "help": hook.meaning} for hook in HOOKS],
        "objects": [{"name": name, "help": meaning} for name, meaning in OBJECTS.items()],
        "words": [
            {"word": one.text, "of": one.of, "unit": one.unit, "help": one.meaning, "known": one.known} for one in WORDS
        ],
        "functions": [{"name": one.name, "least": one.least, "help": one.meaning} for one in FUNCTIONS],
        "folds": [{"name": name, "help": meaning} for name, meaning in FOLDS.items()],
        "limits": dataclasses.asdict(POLICY_LIMITS),
    }
