"""What a page needs to edit a policy by itself: which arrays a packed start has, and what they were packed for.

A page compiles an edited text (static/js/engine/policy) and writes the program into its start
(static/js/engine/program.js), if the arrays are those that the library would pack for the new text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.policy import WORDS, Policy, PolicyError, nodes
from scheduler_core.schedulers.own.params import OwnParams, policy_of
from scheduler_core.schedulers.own.state import MOST_STEPS_OF_ONE, MOST_VICTIMS
from scheduler_core.schedulers.shared.pacing.data import has_data
from scheduler_core.world.turning import Turn

EVERY_WORD = "# pack every word"
"""A comment at the end of a policy, with which a run gets the columns of all words that never change."""
KEPT_NEEDS = nodes.DEMAND | nodes.MACHINE
"""What a score may depend on that is kept."""
DATA_WORDS = frozenset({"machine.has_data", "rack.has_data"})


@dataclass(frozen=True)
class PolicyTurn(Turn):
    """The policy's text. `has` says what the arrays were packed for.

    The library writes nothing: a start is packed with the program of its own text.
    """

    has: Mapping[str, Any] = field(default_factory=dict)

    def told(self, path: str, rules: str) -> dict[str, Any]:
        """Return what a page needs to write another policy."""
        return {"path": path, "most": None, "writes": [{"state": rules.partition(".")[0], "policy": dict(self.has)}]}


def policy_turn(params: OwnParams) -> PolicyTurn:
    """Return how a page may change the policy of a run with these parameters.

    The start is packed with the columns of all words that never change, if the limits of a policy leave room for the
    comment that asks for them.
    """
    policy = policy_of({"policy": params.policy})
    packed = f"{policy.text}\n{EVERY_WORD}"
    try:
        policy_of({"policy": packed})
    except PolicyError:
        return PolicyTurn((), None, has=_has(params, policy, every=wants_every_word(policy)))
    return PolicyTurn((), packed, has=_has(params, policy, every=True))


def wants_every_word(policy: Policy) -> bool:
    """Return whether a policy ends with the comment EVERY_WORD."""
    return policy.text.endswith(EVERY_WORD)


def _has(params: OwnParams, policy: Policy, *, every: bool) -> dict[str, Any]:
    """Return what a start has: for words, hooks and the limits of one decision."""
    read = {word.text for word in policy.words}
    columns = [word.number for word in WORDS if word.fixed and (every or word.text in read)]
    return {
        "columns": columns,
        "needs": {name: code.needs for name, code in policy.hooks.items()},
        "kept_needs": KEPT_NEEDS,
        "held": every or "job.dominant_share" in read,
        "data": bool(read & DATA_WORDS) or params.input_gb > 0 or not has_data(params.model_dump()),
        "sampled": params.news == "sample",
        "step_limit": int(params.step_limit),
        "steps_of_one": MOST_STEPS_OF_ONE,
        "victims": MOST_VICTIMS,
    }
