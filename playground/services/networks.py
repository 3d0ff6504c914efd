"""The networks that a run's scheduler solves: round by round, a task's way, and both solvers side by side.

All of it is simulated again, in a worker. Who asks, asks again until it is there; when nobody does any more, the
worker gives up. Answers are kept for some minutes, so going to and fro costs nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from kombu.exceptions import OperationalError

from playground.errors import PlaygroundError, ProblemItem, not_found, not_yours, problem
from playground.live import looks as live
from playground.models import Run
from playground.services.artifacts import require_done
from playground.services.core import resolve_trace, stored_experiment, web_limits
from playground.services.trace_reading import problems_in
from playground.services.viewers import Viewer, hash_token, new_owner_token
from scheduler_core import (
    SCHEDULERS,
    Cancelled,
    ExperimentError,
    Simulation,
    scheduler_by_name,
    watch_compiling,
)

LOOK_TASK = "playground.tasks.look_at_network_task"
RACE_TASK = "playground.tasks.race_solvers_task"
_TELL_EVERY_S = 0.25
_SILENT_S = 150.0  # longer than a worker may take: it says nothing while it compiles
_FAILED_S = 10.0
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
    return _look(run, {"what": "picture", "round": number, "not_before_s": not_before_s})


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
    return _look(run, {"what": "way", "task": task, "round": number, "at_s": at_s})


def _rounds_of(run: Run) -> int:
    """How many rounds a finished run of such a scheduler has. Raises PlaygroundError for any other."""
    name = str(run.experiment.data["scheduler"]["name"])
    if not scheduler_by_name(name).network:
        known = ", ".join(one.name for one in SCHEDULERS if one.network)
        item = problem("", f"its scheduler is {name}, which solves no network", allowed=f"runs of {known}")
        raise PlaygroundError(404, "no-network", "This run has no network", (item,))
    require_done(run)
    return int((run.summary or {})["counters"].get("rounds", 0))


def _look(run: Run, asked: dict[str, Any]) -> dict[str, Any]:
    look = _name(run.public_id, asked)
    live.want(look)
    facts = live.find(look)
    if facts is not None and _is_stale(facts):
        live.forget(look)
        facts = None
    if facts is None:
        live.want(look)
        if live.begin(look, {"asked": asked}):
            _send(LOOK_TASK, [run.public_id, look])
        facts = live.find(look) or {"state": "waiting", "progress": 0.0, "problems": []}
    told = ("state", "progress", "problems", "answer")
    return {"answer": None, **{name: facts[name] for name in told if name in facts}}


def _name(run_id: str, asked: dict[str, Any]) -> str:
    return "q" + sha256(json.dumps([run_id, asked], sort_keys=True).encode()).hexdigest()[:40]


def _is_stale(facts: dict[str, Any]) -> bool:
    """Whether what is known of a question is no answer to who asks now."""
    failed_long_ago = facts["state"] == "failed" and time.time() - facts["at"] > _FAILED_S
    return facts["state"] == "cancelled" or failed_long_ago or _is_silent(facts)


def _is_silent(facts: dict[str, Any]) -> bool:
    """Whether the worker that had it is gone."""
    return facts["state"] not in live.OVER and time.time() - facts["at"] > _SILENT_S


def _send(task: str, args: list[str]) -> None:
    try:
        current_app.send_task(task, args=args, queue="previews", ignore_result=True)
    except OperationalError:
        raise PlaygroundError(503, "busy", "The workers cannot be told", retry_after_s=1) from None


def is_over(*, look: str) -> bool:
    """Whether nobody waits for an answer any more, or it is there."""
    facts = live.find(look)
    if facts is None or facts["state"] in live.OVER:
        return True
    if live.is_wanted(look):
        return False
    live.forget(look)
    return True


def answer_look(*, run_id: str, look: str) -> str:
    """Find out what was asked (in a worker); return the state that it ends in."""
    facts = live.find(look)
    if facts is None:
        return "gone"
    asked = facts["asked"]
    telling = _Telling(look, facts)
    telling.work(lambda: _answer(run_id, look, asked, telling))
    return str(telling.facts["state"])


def _answer(run_id: str, look: str, asked: dict[str, Any], telling: _Telling) -> dict[str, Any]:
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
        key = _name(run_id, {**asked, "round": other["round"]})
        facts = {"asked": asked, "state": "done", "progress": 1.0, "problems": [], "answer": other}
        live.put(key, facts)
    return {"answer": first}


def _experiment_of(run_id: str) -> Any:
    run = Run.objects.select_related("experiment").get(public_id=run_id)
    return stored_experiment(run.experiment.data, seed=run.seed)


def start_race(*, run: Run, viewer: Viewer) -> dict[str, Any]:
    """Have a worker solve each round of a run twice; a race of the run that is under way is joined."""
    rounds = _rounds_of(run)
    token = viewer.token or new_owner_token()
    every = max(1, -(-rounds // _MOST_ROWS))
    race = live.new_race(run.public_id, {
        "run": run.public_id, "rounds": rounds, "every": every, "session": viewer.session_key,
        "token_hash": hash_token(token),
    })  # fmt: skip
    facts = live.find(race)
    mine = facts is not None and facts["token_hash"] == hash_token(token)
    if mine and facts is not None and facts["state"] == "waiting":
        _send(RACE_TASK, [run.public_id, race])
    return read_race(race=race, first=0) | {"owner_token": token if mine else None}


def read_race(*, race: str, first: int) -> dict[str, Any]:
    """Say how far a race is, with its rows from one on. Raises PlaygroundError."""
    facts = _find_race(race)
    if facts["state"] not in live.OVER:
        live.want(race)
    rows = live.rows_after(race, first)
    state, problems = facts["state"], facts["problems"]
    if _is_silent(facts):
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
    if facts["state"] not in live.OVER:
        live.stop(race)
        live.put(race, {**facts, "state": "cancelled"})
    return read_race(race=race, first=0)


def _find_race(race: str) -> dict[str, Any]:
    facts = live.find(race) if race.startswith("n") and race.isalnum() else None
    if facts is None:
        raise not_found("race")
    return facts


def run_race(*, run_id: str, race: str) -> str:
    """Race the solvers of a run (in a worker); return the state that it ends in."""
    from scheduler_core import flow_race

    facts = live.find(race)
    if facts is None:
        return "gone"
    telling = _Telling(race, facts)

    def on_row(row: dict[str, Any]) -> None:
        live.add_row(race, row)
        telling.look(row["round"] / max(1, facts["rounds"]))

    telling.work(lambda: flow_race(
        _experiment_of(run_id), on_row, every=facts["every"], most_s=_MOST_RACE_S, resolve_trace=resolve_trace,
        limits=web_limits(), on_slice=telling.on_slice,
    ))  # fmt: skip
    return str(telling.facts["state"])


class _Telling:
    """Writes down how far a look is, a few times a second, and stops it when nobody waits any more."""

    def __init__(self, look: str, facts: dict[str, Any]) -> None:
        self.look_name, self.facts, self.next, self.progress = look, facts, 0.0, 0.0

    def tell(self, **changes: Any) -> None:
        self.facts |= changes
        live.put(self.look_name, self.facts)

    def on_slice(self, simulation: Simulation) -> None:
        self.look(simulation.progress)

    def look(self, progress: float) -> None:
        now = time.monotonic()
        self.progress = max(self.progress, min(progress, 0.99))
        if now < self.next:
            return
        self.next = now + _TELL_EVERY_S
        known = live.find(self.look_name)
        if known is None or known["state"] in live.OVER or not live.is_wanted(self.look_name):
            raise Cancelled
        self.tell(progress=self.progress)

    def work(self, find: Callable[[], dict[str, Any]]) -> None:
        """Do it, and tell what came of it."""
        try:
            self.tell(state="working")
            with watch_compiling(lambda compiling: self.tell(state="compiling" if compiling else "working")):
                found = find()
            self.tell(**found, state="done", progress=1.0)
        except Cancelled:
            self.tell(state="cancelled")
        except ExperimentError as error:
            self.fail(*problems_in(error))
        except (PlaygroundError, LookupError) as error:
            self.fail(problem("", str(error)))
        except SoftTimeLimitExceeded:
            self.fail(problem("", "it took too long", remedy="look at an earlier round, or at a smaller run"))
        except Exception:
            self.fail(problem("", "looking at it broke; this was logged"))
            raise

    def fail(self, *problems: ProblemItem) -> None:
        self.tell(state="failed", problems=list(problems))
