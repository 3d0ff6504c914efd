"""The networks that a run's scheduler solves: round by round, a task's way, and both solvers side by side.

All of it is simulated again, in a worker. Who asks, asks again until it is there; when nobody does any more, the
worker gives up. Answers are kept for some minutes, so going to and fro costs nothing.
"""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Run
from playground.questions import looking, looks
from playground.questions.looking import Telling, is_silent, send
from playground.runs.results.files import require_done
from scheduler_core import SCHEDULERS, scheduler_by_name

LOOK_TASK = "playground.tasks.look_at_network_task"
RACE_TASK = "playground.tasks.race_solvers_task"
_AT_ONCE = 8
_MOST_ROWS = 500
_MOST_RACE_S = 45.0


def read_picture(*, run: Run, number: int | None, not_before_s: float | None) -> dict[str, Any]:
    """Give the network after a round, or how far the worker is that looks for it. Raises PlaygroundError."""
    rounds = _rounds_of(run)
    if (number is None) == (not_before_s is None):
        item = problem("round", "needs one of `round` and `not_before_s`", allowed="exactly one of them")
        raise PlaygroundError(422, "invalid-request", "The request cannot be understood", (item,))
    if number is not None and not 1 <= number <= rounds:
        item = problem("round", f"there is no round {number:,}", allowed=f"1 to {rounds:,}")
        raise PlaygroundError(404, "not-found", "There is no such round", (item,))
    return looking.read_look(LOOK_TASK, run, {"what": "picture", "round": number, "not_before_s": not_before_s})


def read_way(*, run: Run, task: int, number: int | None, at_s: float | None) -> dict[str, Any]:
    """Give the way of a task's unit, or how far the worker is that looks for it. Raises PlaygroundError."""
    rounds = _rounds_of(run)
    total = int((run.summary or {})["tasks"]["total"])
    items = []
    if not 0 <= task < total:
        items.append(problem("task", f"there is no task {task:,}", allowed=f"0 to {total - 1:,}"))
    if number is not None and not 1 <= number <= rounds:
        items.append(problem("round", f"there is no round {number:,}", allowed=f"1 to {rounds:,}"))
    if items:
        raise PlaygroundError(404, "not-found", "There is no such task or round", tuple(items))
    return looking.read_look(LOOK_TASK, run, {"what": "way", "task": task, "round": number, "at_s": at_s})


def _rounds_of(run: Run) -> int:
    """How many rounds a finished run of such a scheduler has. Raises PlaygroundError for any other."""
    name = str(run.experiment.data["scheduler"]["name"])
    if not scheduler_by_name(name).network:
        known = ", ".join(one.name for one in SCHEDULERS if one.network)
        item = problem("", f"its scheduler is {name}, which solves no network", allowed=f"runs of {known}")
        raise PlaygroundError(404, "no-network", "This run has no network", (item,))
    require_done(run)
    return int((run.summary or {})["counters"].get("rounds", 0))


def answer_look(*, run_id: str, look: str) -> str:
    """Find out what was asked (in a worker); return the state that it ends in."""
    return looking.answer(
        look=look, find=lambda asked, telling: _answer(run_id, look, asked, telling)
    )  # fmt: skip


def _answer(run_id: str, look: str, asked: dict[str, Any], telling: Telling) -> dict[str, Any]:
    from scheduler_core import flow_pictures, flow_way

    experiment = _experiment_of(run_id)
    options: dict[str, Any] = {
        "resolve_trace": resolve_trace, "limits": web_limits(), "on_slice": telling.on_slice
    }  # fmt: skip
    if asked["what"] == "way":
        return {"answer": flow_way(experiment, asked["task"], asked["round"], at_s=asked["at_s"], **options)}
    if asked["round"] is None:
        return {"answer": flow_pictures(experiment, not_before_s=asked["not_before_s"], **options)[0]}
    # Whoever looks at one round looks at the next ones, and simulating up to there is most of the work.
    first, *others = flow_pictures(experiment, asked["round"], _AT_ONCE, **options)
    for other in others:
        key = looking.name_of(run_id, {**asked, "round": other["round"]})
        facts = {"asked": asked, "state": "done", "progress": 1.0, "problems": [], "answer": other}
        looks.put(key, facts)
    return {"answer": first}


def _experiment_of(run_id: str) -> Any:
    run = Run.objects.select_related("experiment").get(public_id=run_id)
    return stored_experiment(run.experiment.data, seed=run.seed)


def start_race(*, run: Run, viewer: Viewer) -> dict[str, Any]:
    """Have a worker solve each round of a run twice; a race of the run that is under way is joined."""
    rounds = _rounds_of(run)
    token = viewer.token or new_owner_token()
    every = max(1, -(-rounds // _MOST_ROWS))
    race = looks.new_race(run.public_id, {
        "run": run.public_id, "rounds": rounds, "every": every, "session": viewer.session_key,
        "token_hash": hash_token(token),
    })  # fmt: skip
    facts = looks.find(race)
    mine = facts is not None and facts["token_hash"] == hash_token(token)
    if mine and facts is not None and facts["state"] == "waiting":
        send(RACE_TASK, [run.public_id, race])
    return read_race(race=race, first=0) | {"owner_token": token if mine else None}


def read_race(*, race: str, first: int) -> dict[str, Any]:
    """Say how far a race is, with its rows from one on. Raises PlaygroundError."""
    facts = _find_race(race)
    if facts["state"] not in looks.OVER:
        looks.want(race)
    rows = looks.rows_after(race, first)
    state, problems = facts["state"], facts["problems"]
    if is_silent(facts):
        state, problems = "failed", [problem("", "the worker that raced is gone", remedy="start the race again")]
    return {
        "id": race, "run_id": facts["run"], "state": state, "progress": facts["progress"], "problems": problems,
        "rounds": facts["rounds"], "every": facts["every"], "over": facts.get("over", ""),
        "unit": facts.get("unit", ""), "first": first, "rows": rows,
    }  # fmt: skip


def cancel_race(*, race: str, viewer: Viewer) -> dict[str, Any]:
    """Have a race stop; its rows stay for a while. Raises PlaygroundError."""
    facts = _find_race(race)
    if not (viewer.session_key and viewer.session_key == facts["session"]) and not (
        viewer.token and hash_token(viewer.token) == facts["token_hash"]
    ):
        raise not_yours("race")
    if facts["state"] not in looks.OVER:
        looks.stop(race)
        looks.put(race, {**facts, "state": "cancelled"})
    return read_race(race=race, first=0)


def _find_race(race: str) -> dict[str, Any]:
    facts = looks.find(race) if race.startswith("n") and race.isalnum() else None
    if facts is None:
        raise not_found("race")
    return facts


def run_race(*, run_id: str, race: str) -> str:
    """Race the solvers of a run (in a worker); return the state that it ends in."""
    from scheduler_core import flow_race

    facts = looks.find(race)
    if facts is None:
        return "gone"
    telling = Telling(race, facts)

    def on_row(row: dict[str, Any]) -> None:
        looks.add_row(race, row)
        telling.look(row["round"] / max(1, facts["rounds"]))

    telling.work(lambda: flow_race(
        _experiment_of(run_id), on_row, every=facts["every"], most_s=_MOST_RACE_S, resolve_trace=resolve_trace,
        limits=web_limits(), on_slice=telling.on_slice,
    ))  # fmt: skip
    return str(telling.facts["state"])
