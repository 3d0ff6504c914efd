"""Classes from Python: a teacher's class and a student's place in one, for both clients."""

from __future__ import annotations

from typing import Any

import httpx

from playground.client.calls import Call
from playground.client.messages import Data, path


def open_call(experiment: str, gallery: str) -> Call[Data]:
    return Call("POST", path("classes"), body={"experiment": experiment, "gallery": gallery})


def join_call(code: str, name: str) -> Call[Data]:
    return Call("POST", path("classes", "join"), body={"code": code, "name": name})


def _content(answer: httpx.Response) -> bytes:
    return answer.content


def _number(answer: httpx.Response) -> int:
    return int(answer.json()["number"])


def explore_body(parameters: tuple[Data | str, ...], x: str, y: str) -> Data:
    """Return what a class explores as the API takes it."""
    asked = [{"path": one} if isinstance(one, str) else one for one in parameters]
    return {"parameters": asked, "x": x, "y": y}


class ClassCalls:
    """The calls about one class, with the token of its teacher or of a student."""

    def __init__(self, told: Data, token: str) -> None:
        self.told, self.token = told, token
        self.id: str = told["id"]

    def _call(self, method: str, *parts: str, body: Any = None) -> Call[Data]:
        return Call(method, path("classes", self.id, *parts), body=body, token=self.token)

    def read(self) -> Call[Data]:
        return self._call("GET")

    def change(self, changes: Data) -> Call[Data]:
        return self._call("PATCH", body=changes)

    def ask(self, question: Data) -> Call[int]:
        return Call("POST", path("classes", self.id, "questions"), _number, question, self.token)

    def move(self, number: int, what: str) -> Call[Data]:
        return self._call("POST", "questions", str(number), what, body={})

    def answer(self, number: int, value: Any) -> Call[Data]:
        return self._call("PUT", "questions", str(number), "answer", body={"value": value})

    def explore(self, asked: Data) -> Call[Data]:
        return self._call("PUT", "explore", body=asked)

    def wall(self) -> Call[Data]:
        return self._call("GET", "wall")

    def show(self, number: int) -> Call[Data]:
        return self._call("POST", "wall", "open", body={"number": number})

    def fork(self, values: Data) -> Call[Data]:
        return self._call("PUT", "fork", body={"values": values})

    def enter(self, part: Data, entry: Data) -> Call[Data]:
        return self._call("POST", "challenge", "entries", body={"part": part, **entry})

    def board(self) -> Call[Data]:
        return self._call("GET", "challenge", "board")

    def lesson(self, name: str, file: str) -> Call[Data]:
        return self._call("POST", "lesson", body={"name": name, "file": file})

    def go_to(self, step: int) -> Call[Data]:
        return self._call("POST", "lesson", "steps", str(step), body={})

    def lesson_file(self) -> Call[bytes]:
        return Call("GET", path("classes", self.id, "lesson.yaml"), _content, token=self.token)

    def answers_csv(self) -> Call[bytes]:
        return Call("GET", path("classes", self.id, "answers.csv"), _content, token=self.token)

    def delete(self) -> Call[bytes]:
        return Call("DELETE", path("classes", self.id), _content, token=self.token)
