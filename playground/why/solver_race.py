"""A race: all solvers solve each round of a finished run. The rows of the result arrive one by one."""

from __future__ import annotations

import secrets
from typing import Any

from playground.errors import not_found, not_yours
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Run
from playground.questions import store
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, read, want
from playground.questions.kinds import Kind
from playground.storage.connections import client
from playground.storage.keys import race_of_key
from playground.why.checks import experiment_of, reading, rounds_of

_MOST_ROWS = 500
_MOST_RACE_S = 45.0
_KEPT_S = 600


def start_race(*, run: Run, viewer: Viewer) -> dict[str, Any]:
    """Ask a worker to race the solvers of a run, or join its race in progress. Raises PlaygroundError."""
    rounds = rounds_of(run)
    token, name = viewer.token or new_owner_token(), "n" + secrets.token_hex(16)
    if not client().set(race_of_key(run.public_id), name, ex=_KEPT_S, nx=True):
        if (other := _under_way(run.public_id)) is not None:
            mine = other.owner_token_hash == hash_token(token)
            return _payload(other, first=0) | {"owner_token": token if mine else None}
        client().set(race_of_key(run.public_id), name, ex=_KEPT_S)
    args = {"rounds": rounds, "every": max(1, -(-rounds // _MOST_ROWS))}
    owner = {"owner_session": viewer.session_key, "owner_token_hash": hash_token(token)}
    return _payload(ask(KIND, run.public_id, args, name=name, facts=owner), first=0) | {"owner_token": token}


def _under_way(run_id: str) -> Told | None:
    """Return the newest race of a run if a worker is on it, or it waits for one, and a user wants it."""
    name = client().get(race_of_key(run_id))
    found = read(name.decode()) if isinstance(name, bytes) else None
    return found if found is not None and not found.is_over and store.is_wanted(found.name) else None


def read_race(*, race: str, first: int) -> dict[str, Any]:
    """Return the progress of a race, with its rows from `first` on. Raises PlaygroundError."""
    told = _find(race)
    if not told.is_over:
        want(race)
    return _payload(told, first=first)


def _payload(told: Told, *, first: int) -> dict[str, Any]:
    args, answer = told.facts["args"], told.answer or {}
    return {
        "id": told.name, "run_id": told.facts["key"], "state": told.state, "progress": told.progress,
        "problems": told.problems, "rounds": args["rounds"], "every": args["every"], "over": answer.get("over", ""),
        "unit": answer.get("unit", ""), "first": first, "rows": store.rows_after(told.name, first),
    }  # fmt: skip


def cancel_race(*, race: str, viewer: Viewer) -> dict[str, Any]:
    """Stop a race; its rows remain for a while. Raises PlaygroundError."""
    told = _find(race)
    if not viewer.owns(told):
        raise not_yours("race")
    if not told.is_over:
        store.stop(race)
        store.put(race, {**told.facts, "state": "cancelled"}, _KEPT_S)
    return read_race(race=race, first=0)


def _find(race: str) -> Told:
    told = read(race) if race.startswith("n") and race.isalnum() else None
    if told is None:
        raise not_found("race")
    return told


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import flow_race

    args = asking.args

    def on_row(row: dict[str, Any]) -> None:
        asking.add_row(row)
        asking.look(row["round"] / max(1, args["rounds"]))

    options = reading() | {"every": args["every"], "most_s": _MOST_RACE_S, "on_slice": asking.on_slice}
    return flow_race(experiment_of(asking.key), on_row, **options)


KIND = Kind("solver-race", _answer, limit_s=120, too_long="race the solvers of a smaller run")
