"""Ask a worker a question about an experiment, follow the search, and stop it."""

from __future__ import annotations

import secrets
from typing import Any

from playground.asks.reasons import blocked_told
from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.ground.quotas import quota_of
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Experiment
from playground.questions import store
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, read, want
from playground.questions.kinds import Kind
from playground.questions.several import refuse_several
from playground.web.seeds_words import seeds_words
from playground.web.words import SOURCE, language

QUESTIONS = ("machines", "load", "knob", "failure", "off", "lose")
MOST_SEEDS = 30
_KEPT_S = 3600
_LONGEST_PROMISE = 300


def start_ask(*, experiment: Experiment, asked: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """Ask a worker a question about an experiment. Raises PlaygroundError."""
    if wrong := list(_problems(asked)):
        raise PlaygroundError(422, "invalid-ask", "The question cannot be asked", tuple(wrong))
    token, name = viewer.token or new_owner_token(), "a" + secrets.token_hex(16)
    quota = quota_of(viewer)
    refuse_several(quota, name, setting="LIMIT_SEARCHES_PER_ADDRESS", what="searches")
    args = {
        "question": asked["question"],
        "promise": asked["promise"],
        "options": asked.get("options") or {},
        "seeds": asked.get("seeds") or 5,
    }
    owner = {"owner_session": viewer.session_key, "owner_token_hash": hash_token(token)}
    told = ask(KIND, experiment.public_id, args, name=name, facts=owner | {"group": quota.key})
    return _payload(told) | {"owner_token": token}


def _problems(asked: dict[str, Any]) -> Any:
    known = {"question", "promise", "options", "seeds"}
    for key in sorted(set(asked) - known):
        yield problem(key, "is not a known key", allowed=", ".join(sorted(known)))
    if asked.get("question") not in QUESTIONS:
        yield problem("question", "is not a known question", allowed=", ".join(QUESTIONS))
    promise = asked.get("promise")
    if not isinstance(promise, str) or not 1 <= len(promise) <= _LONGEST_PROMISE:
        allowed = f"a text of 1 to {_LONGEST_PROMISE} characters, such as 'allocation_delay_s.p99 <= 5'"
        yield problem("promise", "is not a promise", allowed=allowed)
    if not isinstance(asked.get("options") or {}, dict):
        yield problem("options", "is not an object", allowed="the question's options by name")
    seeds = asked.get("seeds")
    if seeds is not None and (isinstance(seeds, bool) or not isinstance(seeds, int) or not 1 <= seeds <= MOST_SEEDS):
        yield problem("seeds", "is out of bounds", allowed=f"a whole number from 1 to {MOST_SEEDS}")


def read_ask(*, ask_id: str) -> dict[str, Any]:
    """Return the progress of a search, and its answer; reading keeps it alive. Raises PlaygroundError."""
    told = find_ask(ask_id)
    if not told.is_over:
        want(ask_id)
    return _payload(told)


def cancel_ask(*, ask_id: str, viewer: Viewer) -> dict[str, Any]:
    """Stop a search. One that is over stays as it is. Raises PlaygroundError."""
    told = find_ask(ask_id)
    if not viewer.owns(told):
        raise not_yours("question")
    if not told.is_over:
        store.stop(ask_id)
        store.put(ask_id, {**told.facts, "state": "cancelled"}, store.CANCELLED_KEPT_S)
    return read_ask(ask_id=ask_id)


def find_ask(ask_id: str) -> Told:
    """Return the known facts of a search. Raises PlaygroundError (404)."""
    told = read(ask_id) if ask_id.startswith("a") and ask_id.isalnum() and ask_id.isascii() else None
    if told is None or told.facts.get("kind") != KIND.name:
        raise not_found("question")
    return told


def _payload(told: Told) -> dict[str, Any]:
    args, facts = told.facts["args"], told.facts
    return {
        "id": told.name, "experiment_id": facts["key"], "question": args["question"], "promise": args["promise"],
        "seeds": args["seeds"], "runs": facts.get("runs", 0), "expected": facts.get("expected"),
        "left_s": facts.get("left_s"), **told.payload(), "answer": _in_language(told),
    }  # fmt: skip


def _in_language(told: Told) -> dict[str, Any] | None:
    """Return an answer with what its seeds change and the reasons why machines stay in the reader's language.

    The worker that answered has no language.
    """
    answer: dict[str, Any] | None = told.answer
    if language() == SOURCE or answer is None:
        return answer
    if "blocked_by" in answer:
        answer = answer | {"blocked_by": blocked_told(answer)}
    if "seeds_change" not in answer:
        return answer
    asked = Experiment.objects.filter(public_id=told.facts["key"]).first()
    return answer if asked is None else answer | {"seeds_change": seeds_words(stored_experiment(asked).to_dict())}


def _answer(asking: Asking) -> dict[str, Any]:
    from playground.asks.carrying import carrier
    from scheduler_core.ask.answers import frame
    from scheduler_core.ask.asking import prepared

    args, facts = asking.args, asking.facts
    experiment = stored_experiment(Experiment.objects.get(public_id=asking.key))
    question, asked = prepared(
        experiment,
        args["question"],
        args["promise"],
        args["options"],
        seeds=args["seeds"],
        resolve_trace=resolve_trace,
        limits=web_limits(),
    )

    def tick() -> None:
        expected = max(asked.expected, runs.done)
        # The first run also loads the scheduler.
        left_s = round(runs.run_s * (expected - runs.done), 1) if runs.done > 1 else None
        asking.look(runs.done / max(1, expected), runs=runs.done, expected=expected, left_s=left_s)

    owner = facts["owner_session"] or facts["owner_token_hash"]
    with carrier(name=asking.name, owner=owner, group=facts.get("group") or owner, tick=tick) as runs:
        found = runs.answer(question, asked)
    return frame(asked, question.name, found, runs.done)


KIND = Kind(
    "ask",
    _answer,
    about_run=False,
    limit_s=300,
    kept_s=_KEPT_S,
    too_long="ask with fewer seeds, or on the command line, which has no limit",
)
