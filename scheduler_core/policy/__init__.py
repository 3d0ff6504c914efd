"""A user's own scheduling policy as data: the grammar, the words, the checks, and the program that a kernel runs."""

from __future__ import annotations

from scheduler_core.policy.lines import LANGUAGE_VERSION
from scheduler_core.policy.problems import POLICY_LIMITS, PolicyError, PolicyLimits, PolicyProblem
from scheduler_core.policy.program import Policy, Setting, compile_policy
from scheduler_core.policy.words import FOLDS, FUNCTIONS, HOOKS, OBJECTS, WORDS, Word

__all__ = [
    "FOLDS",
    "FUNCTIONS",
    "HOOKS",
    "LANGUAGE_VERSION",
    "OBJECTS",
    "POLICY_LIMITS",
    "WORDS",
    "Policy",
    "PolicyError",
    "PolicyLimits",
    "PolicyProblem",
    "Setting",
    "Word",
    "compile_policy",
]
