"""The network that a finished run's scheduler solved in a round."""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, problem
from playground.known.networks import known_networks
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask, at_once
from playground.questions.kinds import Kind
from playground.why.checks import experiment_of, reading, rounds_of

_AT_ONCE = 8


def read_picture(*, run: Run, number: int | None, not_before_s: float | None, nearest: bool = False) -> dict[str, Any]:
    """Return the network after a round, or how far the replay is. Raises PlaygroundError.

    With `nearest`, the network of an earlier round serves where it is shipped and that of the round is not.
    """
    rounds = rounds_of(run)
    if (number is None) == (not_before_s is None):
        item = problem("round", "needs one of `round` and `not_before_s`", allowed="exactly one of them")
        raise PlaygroundError(422, "invalid-request", "The request cannot be understood", (item,))
    if number is not None and not 1 <= number <= rounds:
        item = problem("round", f"there is no round {number:,}", allowed=f"1 to {rounds:,}")
        raise PlaygroundError(404, "not-found", "There is no such round", (item,))
    shipped = known_networks(run.question_digest) if number is not None else None
    if number is not None and shipped is not None and (found := shipped.at(number, nearest=nearest)) is not None:
        return at_once(found)
    return ask(KIND, run.public_id, {"round": number, "not_before_s": not_before_s}).payload()


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import flow_pictures

    args, experiment, options = asking.args, experiment_of(asking.key), reading() | {"on_slice": asking.on_slice}
    if args["round"] is None:
        return flow_pictures(experiment, not_before_s=args["not_before_s"], **options)[0]
    # Whoever looks at one round looks at the next ones, and simulating up to there is most of the work.
    first, *others = flow_pictures(experiment, args["round"], _AT_ONCE, **options)
    for other in others:
        asking.answer_also({**args, "round": other["round"]}, other)
    return first


KIND = Kind("network-picture", _answer, limit_s=120, too_long="look at an earlier round, or at a smaller run")
