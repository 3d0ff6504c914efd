"""A class and a place in one, as handles of the client for scripts.

tools/sync_client.py writes this file from async_classes.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground.client.classes import ClassCalls, explore_body
from playground.client.messages import Data

if TYPE_CHECKING:
    from playground.client.synchronous import Client


class ClassHandle:
    """A class that this client opened."""

    def __init__(self, client: Client, told: Data, token: str) -> None:
        self._client, self._calls = client, ClassCalls(told, token)
        self.id, self.token = self._calls.id, token
        self.code, self.join_url = str(told["code"]), str(told["join_url"])

    def read(self) -> Data:
        """Return the state of the class, its students and its questions."""
        return self._client.send(self._calls.read())

    def change(self, **changes: Any) -> Data:
        """Change `mode`, `locked`, `anonymous`, or what is shown: `experiment` by its id, `gallery` by its name."""
        return self._client.send(self._calls.change(changes))

    def ask(self, **question: Any) -> int:
        """Prepare a question; runs compute its answer. Return its number."""
        return self._client.send(self._calls.ask(question))

    def open(self, number: int) -> None:
        """Let students answer a question."""
        self._client.send(self._calls.move(number, "open"))

    def close(self, number: int) -> None:
        """Close a question: it takes no more answers."""
        self._client.send(self._calls.move(number, "close"))

    def reveal(self, number: int) -> None:
        """Show everybody the computed answer, and score all answers."""
        self._client.send(self._calls.move(number, "reveal"))

    def explore(self, *parameters: Data | str, x: str = "", y: str = "allocation_delay_s.p99") -> Data:
        """Let students change parameters, each a path or a map of `path`, `least` and `most`, or `choices`.

        `x` and `y` are the axes of the wall. Return the wall.
        """
        return self._client.send(self._calls.explore(explore_body(parameters, x, y)))

    def wall(self) -> Data:
        """Return every student's values and figures."""
        return self._client.send(self._calls.wall())

    def show(self, number: int) -> Data:
        """Run a student's fork on the projector; 0 shows the wall again."""
        return self._client.send(self._calls.show(number))

    def board(self) -> Data:
        """Return the class's board of the challenge that it plays (`change(challenge=...)` opens one)."""
        return self._client.send(self._calls.board())

    def begin_lesson(self, name: str = "", *, file: str = "") -> Data:
        """Teach a lesson that comes with the product, by its name, or one from a file's text; return its steps."""
        return self._client.send(self._calls.lesson(name, file))

    def go_to(self, step: int) -> Data:
        """Go to a step of the lesson, counted from 0."""
        return self._client.send(self._calls.go_to(step))

    def lesson_file(self) -> bytes:
        """Return the class's lesson as a file; without one, what was shown and asked becomes a lesson."""
        return self._client.send(self._calls.lesson_file())

    def answers_csv(self) -> bytes:
        """Return all answers and scores as CSV."""
        return self._client.send(self._calls.answers_csv())

    def delete(self) -> None:
        """Delete the class with all names and answers."""
        self._client.send(self._calls.delete())


class SeatHandle:
    """A student's place in a class."""

    def __init__(self, client: Client, told: Data, token: str) -> None:
        self._client, self._calls = client, ClassCalls(told, token)
        self.id, self.token = self._calls.id, token
        self.number, self.name = int(told["number"]), str(told["name"])

    def read(self) -> Data:
        """Return the state of the class, and your own answers."""
        return self._client.send(self._calls.read())

    def answer(self, number: int, value: Any) -> Data:
        """Answer an open question, in place of an earlier answer."""
        return self._client.send(self._calls.answer(number, value))

    def change(self, values: Data) -> Data:
        """Set open parameters of your fork by their paths; `read()` returns the figures a moment later."""
        return self._client.send(self._calls.fork(values))

    def enter(self, part: Data, **entry: Any) -> Data:
        """Make an entry to the challenge that the class plays: what differs from its baseline; return its row."""
        return self._client.send(self._calls.enter(part, entry))

    def board(self) -> Data:
        """Return the class's board of the challenge that it plays."""
        return self._client.send(self._calls.board())
