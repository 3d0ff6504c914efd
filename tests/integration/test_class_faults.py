"""A class while a part of the playground is killed under it: no acknowledged answer or entry is lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest

from playground.client import Client
from playground.client.errors import PlaygroundProblem
from tests.integration.test_classes import computed
from tests.support import Playground, alive, answers, wait_until
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

_PATIENCE_S = 60


def again(act: Callable[[], Any]) -> Any:
    """Do something until it succeeds, as pages do while the server is away."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return act()
        except PlaygroundProblem:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


@wide
@pytest.mark.parametrize("part", ["web", "redis", "runs"])
def test_a_part_is_killed_in_the_middle_of_a_question_and_a_challenge(
    playground: Playground, small_experiment: dict[str, Any], part: str
) -> None:
    with ExitStack() as clients:
        client, *others = (clients.enter_context(Client(playground.url)) for _ in range(3))
        room = client.open_class(experiment=client.create(small_experiment)["id"])
        seats = [other.join_class(room.code) for other in others]
        number = room.ask(kind="number", text="How long?", metric="makespan_s", low=0, high=1000)
        room.change(challenge="tame-the-tail")
        entered = seats[0].enter({"scheduler": {"name": "sparrow", "params": {"probe_ratio": 3}}})
        room.open(number)
        seats[0].answer(number, 10)
        pid = playground.children()[part]
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not alive(pid), seconds=20, what=f"{part} is dead")
        again(lambda: seats[1].answer(number, 20))
        wait_until(lambda: answers(playground.url + "/readyz"), seconds=_PATIENCE_S, what="all is back")
        assert [seat.read()["student"]["answers"][0]["value"] for seat in seats] == [10, 20]
        wait_until(lambda: again(lambda: computed(room.read())), seconds=180, what="the answer is computed")
        room.reveal(number)
        assert room.answers_csv().count(b"\n") == 3
        wait_until(lambda: is_ranked(room.board(), entered["id"]), seconds=180, what="the entry is ranked")
        room.delete()


def is_ranked(board: dict[str, Any], entry: str) -> bool:
    return any(one["id"] == entry and one["state"] == "ranked" for one in board["rows"])
