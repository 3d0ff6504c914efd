"""The first decision that differs between two runs of the same workload."""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, problem
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask
from playground.questions.kinds import Kind
from playground.runs.results.files import require_done
from playground.why.checks import experiment_of, reading


def read_difference(*, run: Run, other: Run) -> dict[str, Any]:
    """Return the first different decision, or how far it is looked for. Raises PlaygroundError."""
    for one in (run, other):
        require_done(one)
    totals = [int((one.summary or {})["tasks"]["total"]) for one in (run, other)]
    if totals[0] != totals[1] or run.seed != other.seed:
        said = problem(
            "other",
            "has another workload, so decisions cannot be compared",
            allowed="a run of the same workload and seed",
        )
        raise PlaygroundError(422, "other-work", "These runs have different workloads", (said,))
    return ask(KIND, run.public_id, {"other": other.public_id}).payload()


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import first_difference

    other = experiment_of(asking.args["other"])
    return first_difference(experiment_of(asking.key), other, told=asking.look, **reading())


KIND = Kind("first-difference", _answer, too_long="compare smaller runs")
