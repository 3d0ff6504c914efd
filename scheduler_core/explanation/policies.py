"""A user's own policy, for an editor: what may stand in it, what is wrong with a text, and what a text reads."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from scheduler_core.policy import (
    FOLDS,
    FUNCTIONS,
    HOOKS,
    LANGUAGE_VERSION,
    OBJECTS,
    POLICY_LIMITS,
    WORDS,
    Policy,
    PolicyError,
    PolicyLimits,
    compile_policy,
    nodes,
)
from scheduler_core.schedulers.own.params import RESERVED


def check_policy(text: str, limits: PolicyLimits = POLICY_LIMITS) -> dict[str, Any]:
    """Return a policy's problems, each with its place; of a valid one the settings, hooks and words, in JSON types.

    The work is bounded by `limits` before it begins.
    """
    try:
        policy = compile_policy(text, RESERVED, limits)
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
        "choice": _choice(policy),
    }


_KEPT_NEEDS = nodes.DEMAND | nodes.MACHINE
_CAUSES = {
    "priority": nodes.PRIORITY,
    "queue": nodes.QUEUE,
    "job": nodes.JOB,
    "task": nodes.TASK,
    "others": nodes.OTHERS,
    "state": nodes.STATE,
    "now": nodes.NOW,
}


def _choice(policy: Policy) -> dict[str, Any]:
    """Return what the choice of a machine costs: whether scores are kept, else why not, and the steps it takes.

    `each` counts the steps for each machine that is looked at, `once` those for each decision.
    """
    codes = [policy.hooks[name] for name in ("filter", "score") if name in policy.hooks]
    needs = 0
    for code in codes:
        needs |= code.needs
    return {
        "kept": needs & ~_KEPT_NEEDS == 0,
        "depends": [name for name, bit in _CAUSES.items() if needs & bit],
        "once": sum(code.machine - code.first for code in codes),
        "each": sum(code.end - code.machine for code in codes),
    }


@functools.cache
def policy_language() -> dict[str, Any]:
    """Return what may stand in a policy, in JSON types: hooks, words, functions, folds, version and limits."""
    return {
        "version": LANGUAGE_VERSION,
        "hooks": [{"name": hook.name, "objects": list(hook.objects), "help": hook.meaning} for hook in HOOKS],
        "objects": [{"name": name, "help": meaning} for name, meaning in OBJECTS.items()],
        "words": [
            {"word": one.text, "of": one.of, "unit": one.unit, "help": one.meaning, "known": one.known} for one in WORDS
        ],
        "functions": [{"name": one.name, "least": one.least, "help": one.meaning} for one in FUNCTIONS],
        "folds": [{"name": name, "help": meaning} for name, meaning in FOLDS.items()],
        "limits": dataclasses.asdict(POLICY_LIMITS),
    }
