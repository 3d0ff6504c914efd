"""Questions to a worker: one way to ask, to wait without holding a thread, to answer, to stop."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from celery.exceptions import Retry
from django.conf import settings
from django.utils.module_loading import import_string

from playground.errors import PlaygroundError, problem
from playground.questions import answering, asking, kinds, store
from playground.questions.answering import Asking, answer_question
from playground.questions.kinds import Kind
from playground.storage import connections, draining, leases, workers
from playground.storage.keys import ONE_AT_A_TIME

pytestmark = pytest.mark.redis


class Task:
    """Stands for Celery's task where a message is to come again."""

    def retry(self, *, countdown: float) -> Exception:
        return Retry(when=countdown)


def double(question: Asking) -> dict[str, Any]:
    if question.args["n"] < 0:
        raise PlaygroundError(422, "x", "Refused", (problem("n", "is negative", allowed="0 or more"),))
    for share in range(question.args.get("steps", 0)):
        time.sleep(0.06)
        question.look(share / 100)
    return {"n": 2 * question.args["n"]}


KIND = Kind("double", double, about_run=False)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, redis_url: str, real_redis: None) -> Iterator[None]:
    """Know one kind only, send messages where the tests' Redis is, and begin with nothing asked."""
    from playground.celery import app

    monkeypatch.setattr(app.conf, "broker_url", redis_url.replace("unix://", "redis+socket://", 1))
    app._after_fork()  # forgets its connections
    connections.client().flushdb()
    monkeypatch.setattr(answering, "kind_named", lambda name: {"double": KIND}[name])
    yield
    monkeypatch.undo()
    app._after_fork()


def answer(name: str) -> str:
    return answer_question(task=Task(), kind_name="double", name=name)


def test_every_kind_is_declared_by_its_module_and_has_one_name() -> None:
    names = list(kinds._by_name())
    assert len(names) == len(kinds.KINDS)
    assert all(kind.answer is None for kind in kinds._by_name().values() if kind.place == "run")
    assert all(kind.answer is not None for kind in kinds._by_name().values() if kind.place == "pool")


def test_whoever_asks_the_same_shares_one_message_and_one_answer() -> None:
    first = asking.ask(KIND, "a", {"n": 4})
    assert (first.state, first.answer, workers.waiting_in_queue("previews")) == ("waiting", None, 1)
    assert asking.ask(KIND, "a", {"n": 4}).name == first.name
    assert workers.waiting_in_queue("previews") == 1
    assert asking.ask(KIND, "a", {"n": 5}).name != first.name
    assert answer(first.name) == "done"
    told = asking.ask(KIND, "a", {"n": 4})
    assert (told.state, told.progress, told.answer) == ("done", 1.0, {"n": 8})
    assert answer(first.name) == "gone", "it is answered once"


def test_waiting_ends_with_the_answer_and_holds_no_thread() -> None:
    async def wait() -> tuple[asking.Told, int]:
        told = asking.ask(KIND, "a", {"n": 1})
        waiting = asyncio.create_task(asking.wait(told, 20))
        await asyncio.sleep(0.1)
        threads = threading.active_count()
        await asyncio.to_thread(answer, told.name)
        return await asyncio.wait_for(waiting, 5), threads

    before = threading.active_count()
    told, during = asyncio.run(wait())
    assert (told.answer, during) == ({"n": 2}, before)


def test_no_middleware_turns_an_awaiting_view_into_a_waiting_thread() -> None:
    """One that is for threads alone would hold a thread for every request that waits for a worker."""
    assert [name for name in settings.MIDDLEWARE if not getattr(import_string(name), "async_capable", False)] == []


def test_without_a_worker_whoever_waits_is_told_so_in_time() -> None:
    async def wait() -> None:
        await asking.wait_for_answer(asking.ask(KIND, "a", {"n": 1}), 0.3, kind="x", title="No", busy="Not yet")

    began = time.monotonic()
    with pytest.raises(PlaygroundError) as refused:
        asyncio.run(wait())
    assert (refused.value.status, refused.value.kind, refused.value.title) == (503, "busy", "Not yet")
    assert time.monotonic() - began < 3


def test_a_refusal_comes_with_its_problems_and_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    told = asking.ask(KIND, "a", {"n": -1})
    assert answer(told.name) == "failed"
    with pytest.raises(PlaygroundError) as refused:
        asyncio.run(asking.wait_for_answer(asking.ask(KIND, "a", {"n": -1}), 1, kind="odd", title="No"))
    assert (refused.value.status, refused.value.kind) == (422, "odd")
    assert refused.value.problems[0]["allowed"] == "0 or more"
    monkeypatch.setattr(asking, "_FAILED_S", 0.0)
    assert asking.ask(KIND, "a", {"n": -1}).state == "waiting"


def test_a_fault_of_the_worker_is_not_the_callers() -> None:
    told = asking.ask(KIND, "a", {"odd": 1})
    # A LookupError is what an answer raises for something that is gone; a TypeError is a fault.
    assert answer(told.name) == "failed"
    told = asking.ask(KIND, "a", {"n": "text"})
    with pytest.raises(TypeError):
        answer(told.name)
    with pytest.raises(PlaygroundError) as refused:
        asyncio.run(asking.wait_for_answer(asking.ask(KIND, "a", {"n": "text"}), 1, kind="odd", title="No"))
    assert refused.value.status == 503


def test_a_worker_gives_up_when_nobody_waits_any_more() -> None:
    told = asking.ask(KIND, "a", {"n": 1, "steps": 100})
    connections.client().delete(f"question:{told.name}:wanted")
    assert answer(told.name) == "gone"
    assert store.find(told.name) is None
    told = asking.ask(KIND, "a", {"n": 1, "steps": 100})
    threading.Timer(0.4, connections.client().delete, (f"question:{told.name}:wanted",)).start()
    assert answer(told.name) == "cancelled"
    assert asking.ask(KIND, "a", {"n": 1, "steps": 100}).state == "waiting", "who asks now has it asked anew"


def test_a_question_can_be_stopped_whoever_waits() -> None:
    told = asking.ask(KIND, "a", {"n": 1, "steps": 100})
    store.stop(told.name)
    assert answer(told.name) == "cancelled"


def test_a_drained_worker_leaves_a_question_to_another_one() -> None:
    told = asking.ask(KIND, "a", {"n": 3, "steps": 1})
    draining.begin()
    try:
        with pytest.raises(Retry):
            answer(told.name)
    finally:
        draining.end()
    assert asking.ask(KIND, "a", {"n": 3, "steps": 1}).state == "waiting"
    assert leases.take_lease(ONE_AT_A_TIME, "another worker")
    leases.drop_lease(ONE_AT_A_TIME, "another worker")
    assert answer(told.name) == "done"


def test_one_question_at_a_time_is_answered_and_the_other_message_comes_again() -> None:
    told = asking.ask(KIND, "a", {"n": 1})
    assert leases.take_lease(ONE_AT_A_TIME, "another")
    with pytest.raises(Retry):
        answer(told.name)
    assert asking.read(told.name) is not None
    leases.drop_lease(ONE_AT_A_TIME, "another")
    assert answer(told.name) == "done"


def test_a_silent_worker_is_gone() -> None:
    told = asking.ask(KIND, "a", {"n": 1})
    facts = {**told.facts, "state": "working", "silent_s": -1}
    store.put(told.name, facts, 60)
    found = asking.read(told.name)
    assert found is not None
    assert (found.state, found.problems[0]["remedy"]) == ("failed", "start it again")
    assert asking.ask(KIND, "a", {"n": 1}).state == "waiting"


def test_the_worker_of_a_run_answers_from_its_inbox() -> None:
    kind = Kind("so-far", place="run", waits_s=10, kept_s=2)
    asking.ask(kind, "run", {"n": 3})
    assert workers.waiting_in_queue("previews") == 0
    answering.answer_inbox(run_id="run", kind=kind, find=lambda args: {"n": args["n"] + 1})
    assert asking.ask(kind, "run", {"n": 3}).answer == {"n": 4}
    assert store.inbox("run") == []
