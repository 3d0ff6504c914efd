"""Every call of the API: its address, its data, and how its response is read. Both clients send these calls."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

import httpx

from playground.client.messages import (
    FINAL,
    Data,
    Progress,
    Question,
    as_data,
    path,
    progress_of,
    refuse_unfinished,
)
from playground.client.shown import Settings, Shown, as_query

T = TypeVar("T")
File = Literal["tasks.csv", "tasks.parquet", "starts.csv", "starts.parquet", "recording", "notebook.ipynb", "page.html"]
"""The files of a run."""
SheetFile = Literal["sheet.html", "figure.svg", "figure.csv"]
"""The files of a claim or of runs side by side: one page that needs no server, its figure, the figure's data."""
StudyFile = Literal["sheet.html", "figure.svg", "figure.csv", "table.csv", "table.parquet"]
"""The files of a study."""
Tell = Callable[[Progress], None]
"""A callback with the progress of a run or study."""


def _json(answer: httpx.Response) -> Any:
    return answer.json()


def _data_frame(answer: httpx.Response) -> Any:
    import pandas as pd

    return pd.read_parquet(io.BytesIO(answer.content))


def _content(answer: httpx.Response) -> bytes:
    return answer.content


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request and how its answer is read; `slow` reading may take a while."""

    method: str
    address: str
    read: Callable[[httpx.Response], T] = _json
    body: Any = None
    token: str = ""
    slow: bool = False


class Calls:
    """The calls to a server, and the owner tokens of the objects that they made."""

    def __init__(self) -> None:
        self._tokens: dict[str, str] = {}

    def own(self, experiment_id: str, token: str) -> None:
        self._tokens[experiment_id] = token

    def token(self, experiment_id: str) -> str:
        return self._tokens.get(experiment_id, "")

    def create(self, experiment: Question) -> Call[Data]:
        return Call("POST", path("experiments"), self._made, as_data(experiment))

    def run(self, experiment: Question, seed: int | None, fresh: bool) -> Call[Data]:
        body = {"experiment": as_data(experiment)} | _wishes(seed, fresh)
        return Call("POST", path("runs"), self._ran, body)

    def _ran(self, answer: httpx.Response) -> Data:
        started: Data = answer.json()
        self._tokens[started["experiment_id"]] = started["owner_token"]
        return started

    def fork(self, experiment_id: str, changes: Data) -> Call[Data]:
        return Call("POST", path("experiments", experiment_id, "fork"), self._made, changes)

    def _made(self, answer: httpx.Response) -> Data:
        made: Data = answer.json()
        self._tokens[made["id"]] = made["owner_token"]
        return made

    def experiment(self, experiment_id: str) -> Call[Data]:
        return Call("GET", path("experiments", experiment_id))

    def tree(self, experiment_id: str) -> Call[Data]:
        return Call("GET", path("experiments", experiment_id, "tree"), token=self.token(experiment_id))

    def start(self, experiment_id: str, seed: int | None, fresh: bool) -> Call[Data]:
        body = _wishes(seed, fresh)
        return Call("POST", path("experiments", experiment_id, "runs"), body=body, token=self.token(experiment_id))

    def study(self, experiment_id: str, plan: Data) -> Call[Data]:
        return Call("POST", path("experiments", experiment_id, "studies"), body=plan, token=self.token(experiment_id))

    def told(self, kind: str, number: str) -> Call[Data]:
        return Call("GET", path(kind, number))

    def compared(self, runs: Iterable[str], what: SheetFile, asked: Data) -> Call[bytes]:
        return Call("GET", path("comparisons", what, runs=",".join(runs), **asked), _content)

    def claim(self, claim_id: str, what: SheetFile) -> Call[bytes]:
        return Call("GET", path("papers", "claims", claim_id, what), _content)

    def schedulers(self) -> Call[list[Data]]:
        return Call("GET", path("schedulers"), _schedulers)


def _wishes(seed: int | None, fresh: bool) -> Data:
    return ({} if seed is None else {"seed": seed}) | ({"fresh": True} if fresh else {})


def _schedulers(answer: httpx.Response) -> list[Data]:
    found = answer.json()
    return cast("list[Data]", found["schedulers"] if isinstance(found, dict) else found)


class Thing:
    """A run or a study as the server last described it, and the calls about it."""

    kind = ""
    what = ""

    def __init__(self, calls: Calls, told: Data) -> None:
        self.calls = calls
        self.told: Data = told
        self.id: str = self.told["id"]
        self.experiment_id: str = self.told["experiment_id"]

    def hear(self, told: Data) -> Progress:
        """Keep a new answer of the server about it."""
        self.told = told
        return progress_of(told)

    def refresh(self) -> Call[Data]:
        return self.calls.told(self.kind, self.id)

    def cancel(self) -> Call[Data]:
        token = self.calls.token(self.experiment_id)
        return Call("POST", path(self.kind, self.id, "cancel"), body={}, token=token)

    def get(self, part: str, read: Callable[[httpx.Response], T] = _json, *, slow: bool = False, **asked: Any
            ) -> Call[T]:  # fmt: skip
        """Return the call for a part of it."""
        return Call("GET", path(self.kind, self.id, part, **asked), read, slow=slow)


class RunThing(Thing):
    """One run."""

    kind, what = "runs", "run"

    def frames_url(self, after: int) -> str:
        return f"{self.told['socket_url']}?after={after}&each=1"

    def summary(self) -> Call[Data]:
        return self.get("summary")

    def meta(self) -> Call[Data]:
        return self.get("meta")

    def explain(self, task: int, at_s: float | None) -> Call[Data]:
        return self.get("explain", task=task, at_s=at_s)

    def tasks(self) -> Call[Any]:
        return self.get("tasks.parquet", _data_frame, slow=True)

    def file(self, name: File) -> Call[bytes]:
        return self.get(name, _content)

    def show(self, settings: Settings | None, height: int) -> Call[Shown]:
        def read(answer: httpx.Response) -> Shown:
            return Shown(answer.content.decode("utf-8"), height)

        return self.get("page.html", read, slow=True, settings=as_query(settings))


class StudyThing(Thing):
    """One study."""

    kind, what = "studies", "study"

    def results(self, metric: str | None, statistic: str | None, against: int | None) -> Call[Data]:
        return self.get("results", metric=metric, statistic=statistic, against=against)

    def table(self) -> Call[Any]:
        return self.get("table.parquet", _data_frame, slow=True)

    def file(self, name: StudyFile, asked: Data) -> Call[bytes]:
        return self.get(name, _content, **asked)


class Wait:
    """A wait for the end of a run or a study, with a time limit."""

    def __init__(self, thing: Thing, timeout_s: float | None, tell: Tell | None) -> None:
        self.thing, self.timeout_s, self.tell = thing, timeout_s, tell
        self.deadline = None if timeout_s is None else time.monotonic() + timeout_s

    def is_over(self, told: Data) -> bool:
        """Return True if the given answer says that it has ended. Raises RunFailed, TimeoutError."""
        progress = self.thing.hear(told)
        if self.tell is not None:
            self.tell(progress)
        if progress.state in FINAL:
            refuse_unfinished(told, self.thing.what)
            return True
        if self.deadline is not None and time.monotonic() >= self.deadline:
            so_far = f"{progress.state} after {self.timeout_s:g} s, {progress.fraction:.0%} done"
            raise TimeoutError(f"the {self.thing.what} is {so_far}")
        return False
