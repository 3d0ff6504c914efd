"""Why there? What a run's own policy made of the machines when a task got one."""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, problem
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask
from playground.questions.kinds import Kind
from playground.why.checks import experiment_of, reading, require_task
from scheduler_core import scheduler_by_name

MOST_MACHINES = 12


def read_policy(*, run: Run, task: int, at_s: float | None) -> dict[str, Any]:
    """Return the machines as the policy judged them, or how far the replay is. Raises PlaygroundError."""
    require_policy(run)
    require_task(run, task)
    return ask(KIND, run.public_id, {"task": task, "at_s": at_s}).payload()


def require_policy(run: Run) -> None:
    """Refuse a run whose scheduler has no policy of a user. Raises PlaygroundError."""
    name = str(run.experiment.data["scheduler"]["name"])
    if not scheduler_by_name(name).has_policy:
        item = problem("", f"its scheduler is {name}, which has no policy of a user", allowed="runs of own")
        raise PlaygroundError(404, "no-policy", "This run has no policy", (item,))


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import policy_decision

    args = asking.args
    return policy_decision(experiment_of(asking.key), args["task"], args["at_s"], most=MOST_MACHINES, **reading())


KIND = Kind("policy-decision", _answer, limit_s=120, too_long="look at an earlier task, or at a smaller run")
