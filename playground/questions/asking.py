"""Ask a worker a question: the only way from a request to a worker that simulates or reads files.

Asking never waits. A caller that wants the answer either asks again (which shows that a user waits) or awaits it. The
worker's news arrive through Redis, so no thread is blocked meanwhile.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from playground.errors import PlaygroundError, ProblemItem, problem
from playground.questions import store
from playground.questions.kinds import Kind
from playground.storage.connections import new_async_client
from playground.storage.keys import question_key, question_news, question_wanted_key

TASK = "playground.questions.tasks.answer_task"
_QUEUE = "previews"
#: A failure stands for so long; a later question tries again.
_FAILED_S = 10.0
#: Who awaits an answer looks so often without being woken, and says that it is still wanted.
_LOOK_EVERY_S = 2.0
_WANTED_S = 15
#: Of what a question asks, as JSON.
_MOST_CHARACTERS = 4_000


@dataclass(frozen=True)
class Told:
    """The known facts of a question: `state`, `progress` 0 to 1, `problems`, `answer`; `facts` has all of them."""

    name: str
    facts: dict[str, Any] = field(repr=False)

    @property
    def state(self) -> str:
        return "failed" if self.is_silent else str(self.facts["state"])

    @property
    def progress(self) -> float:
        return float(self.facts["progress"])

    @property
    def problems(self) -> list[ProblemItem]:
        if self.is_silent and self.facts["state"] == "waiting":
            return [problem("", "no worker took it", remedy="see that the server has workers, then start it again")]
        if self.is_silent:
            return [problem("", "the worker that computed it is gone", remedy="start it again")]
        found: list[ProblemItem] = self.facts["problems"]
        return found

    @property
    def answer(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.facts["answer"]
        return found

    @property
    def owner_session(self) -> str:
        """Session of the browser that asked, if the question belongs to one browser."""
        return str(self.facts.get("owner_session", ""))

    @property
    def owner_token_hash(self) -> str:
        return str(self.facts.get("owner_token_hash", ""))

    @property
    def is_over(self) -> bool:
        return self.state in store.OVER

    @property
    def is_silent(self) -> bool:
        """Return True if the question's worker is gone. A question that nobody has to want may wait for long."""
        facts = self.facts
        counts = facts["state"] not in store.OVER and (facts["state"] != "waiting" or facts["wanted"])
        return counts and time.time() - facts["at"] > facts["silent_s"]

    @property
    def is_stale(self) -> bool:
        """Return True if the answer does not serve a caller that asks now."""
        failed_long_ago = self.facts["state"] == "failed" and time.time() - self.facts["at"] > _FAILED_S
        return self.facts["state"] == "cancelled" or failed_long_ago or self.is_silent

    def payload(self) -> dict[str, Any]:
        """Return the facts that the API shows."""
        return {"state": self.state, "progress": self.progress, "problems": self.problems, "answer": self.answer}


def name_of(kind: Kind, key: str, args: dict[str, Any]) -> str:
    """Return the name of a question, derived from its content, so that equal questions share the answer."""
    return "q" + sha256(json.dumps([kind.name, key, args], sort_keys=True).encode()).hexdigest()[:40]


def ask(kind: Kind, key: str, args: dict[str, Any], *, name: str = "", facts: dict[str, Any] | None = None) -> Told:
    """Ask a worker unless the question was asked already; return the question's progress. Raises PlaygroundError (503).

    `key` names the subject of the question; `args` is the rest of it (JSON). A question with a `name` of its own is
    shared with nobody. `facts` are stored with it.
    """
    _refuse_large(args)
    name = name or name_of(kind, key, args)
    known = want(name)
    if known is not None and known.is_stale:
        store.forget(name)
        known = None
    if known is not None:
        return known
    store.want(name)
    first = _first_facts(kind, key, args) | (facts or {})
    if not kind.about_run:
        store.note_subject(key, name)
    if store.begin(name, first, kind.waits_s):
        _send(kind, key, name)
    return Told(
        name, store.find(name) or {**first, "state": "waiting", "progress": 0.0, "problems": [], "answer": None}
    )


def at_once(answer: dict[str, Any]) -> dict[str, Any]:
    """Return what the API shows of a question whose answer needs no worker."""
    return {"state": "done", "progress": 1.0, "problems": [], "answer": answer}


def _refuse_large(args: dict[str, Any]) -> None:
    """Refuse a question whose text fills Redis, which keeps it as long as its answer. Raises PlaygroundError."""
    try:
        size = len(json.dumps(args))
    except RecursionError:
        size = _MOST_CHARACTERS + 1
    if size > _MOST_CHARACTERS:
        item = problem("", "asks with too much text", allowed=f"at most {_MOST_CHARACTERS:,} characters in all")
        raise PlaygroundError(413, "too-large", "The question is too long", (item,))


def _first_facts(kind: Kind, key: str, args: dict[str, Any]) -> dict[str, Any]:
    shown = {"wanted": kind.wanted, "silent_s": kind.silent_s, "at": time.time()}
    return {"kind": kind.name, "key": key, "args": args, **shown}


def _send(kind: Kind, key: str, name: str) -> None:
    if kind.place == "run":
        store.put_in_inbox(key, name)
        return
    limits = {"soft_time_limit": kind.limit_s, "time_limit": kind.limit_s + settings.LEASE_SECONDS + 10}
    try:
        # The run's id goes first: log lines of the worker name it.
        args = [key if kind.about_run else "", kind.name, name]
        current_app.send_task(TASK, args=args, queue=_QUEUE, ignore_result=True, **limits)
    except OperationalError:
        store.forget(name)
        raise PlaygroundError(503, "busy", "The workers cannot be told", retry_after_s=1) from None


def want(name: str) -> Told | None:
    """Record that a user waits for a question; return its known facts."""
    store.want(name)
    facts = store.find(name)
    return None if facts is None else Told(name, facts)


def read(name: str) -> Told | None:
    """Return the known facts of a question without waiting for it."""
    facts = store.find(name)
    return None if facts is None else Told(name, facts)


async def wait(told: Told, seconds: float) -> Told:
    """Wait up to `seconds` until a question is over; return its known facts then. No thread waits.

    Raises RedisError.
    """
    deadline, name = time.monotonic() + seconds, told.name
    if told.is_over:
        return told
    client = new_async_client()
    try:
        async with client.pubsub(ignore_subscribe_messages=True) as news:
            # News come from here on; what came before is in the first reading.
            await news.subscribe(question_news(name))
            while True:
                facts = store.parse(await client.get(question_key(name)))
                told = told if facts is None else Told(name, facts)
                left = deadline - time.monotonic()
                if told.is_over or left <= 0:
                    return told
                await client.set(question_wanted_key(name), b"1", ex=_WANTED_S)
                await news.get_message(timeout=min(left, _LOOK_EVERY_S))
    finally:
        await client.aclose()


async def wait_for_answer(told: Told, seconds: float, *, kind: str, title: str, busy: str = "") -> dict[str, Any]:
    """Wait for an answer. Raises PlaygroundError: `kind` (422) with a failure's problems, 503 when none comes in time.

    `title` says what a failure means, `busy` (else the same) what it means that no worker answered.
    """
    told = await wait(told, seconds)
    if told.answer is not None:
        return told.answer
    if told.facts.get("broke"):
        raise PlaygroundError(503, "broke", busy or title, tuple(told.problems))
    if told.state == "failed":
        raise PlaygroundError(422, kind, title, tuple(told.problems))
    item = problem("", "no worker answered in time", remedy="ask again in a moment")
    raise PlaygroundError(503, "busy", busy or title, (item,), retry_after_s=1)
