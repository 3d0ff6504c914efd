"""One trial: load, a fault in its middle, and a look at everything that should have come of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from bench.faulty.place import Place
from scheduler_core import Experiment, simulate
from tests.integration.following import Follower, saw_everything_once
from tests.support import chatty_experiment, small_experiment, wait_until
from tests.support_api import Api

SEEDS = (1, 2, 3)
_STUDY_RUNS = 8
_LONGEST_TRIAL_S = 120
_READY_S = 90
_AWAY = (OSError, AssertionError)


@dataclass
class Trial:
    """What came of one trial; `lost` names whatever was not as in an undisturbed run."""

    fault: str
    at: float
    took_s: float = 0.0
    lost: list[str] = field(default_factory=list)


class Driver:
    """Puts trials on a place, and remembers all that the place has acknowledged."""

    def __init__(self, place: Place, jobs: int) -> None:
        self.place, self._watched = place, chatty_experiment(jobs=jobs)
        self._expected = {seed: _undisturbed(self._watched, seed) for seed in SEEDS}
        #: Addresses of what the server has acknowledged, and what each must say.
        self.acknowledged: dict[str, tuple[str, Any]] = {}

    def quiet(self) -> float:
        """Return the seconds of a trial in which nothing dies. RuntimeError if even that loses something."""
        trial = self.trial("", 0.0, SEEDS[0])
        if trial.lost:
            raise RuntimeError(f"lost without a fault: {', '.join(trial.lost)}")
        return trial.took_s

    def trial(self, fault: str, at: float, seed: int) -> Trial:
        """Let one fault happen when a run has come as far as `at` (0 to 1)."""
        wait_until(self.place.ready, seconds=_READY_S, what="all parts are there")
        trial, began = Trial(fault, at), time.monotonic()
        try:
            self._disturb(trial, seed)
        except AssertionError as error:
            trial.lost.append(str(error)[:200])
        trial.took_s = time.monotonic() - began
        return trial

    def _disturb(self, trial: Trial, seed: int) -> None:
        api, other = Api(self.place.urls[0]), Api(self.place.urls[-1])
        run = api.start(self._watched, seed=seed)
        study = self._start_study(other)
        sockets = [run["socket_url"].replace(_host(api.url), _host(each.url)) for each in (api, other)]
        viewers = [Follower(address) for address in sockets]
        if trial.fault:
            wait_until(lambda: self._is_past(api, run["id"], trial.at), seconds=60, what="the run is under way")
            self.place.faults[trial.fault]()
        self._look_at_run(trial, api, run, seed)
        for number, viewer in enumerate(viewers, 1):
            if not saw_everything_once(viewer.wait()):
                trial.lost.append(f"frames of viewer {number}")
        self._look_at_study(trial, other, study)

    def _start_study(self, api: Api) -> str:
        made = api.create(small_experiment() | {"name": "Beside"})
        started = api.call("POST", f"/api/v1/experiments/{made['id']}/studies", {"repeats": _STUDY_RUNS})
        assert started.status == 202, started.body
        self.acknowledged[f"/api/v1/experiments/{made['id']}"] = ("name", "Beside")
        return str(started.json["id"])

    def _is_past(self, api: Api, run_id: str, fraction: float) -> bool:
        try:
            run = api.run(run_id)
        except _AWAY:
            return False
        return bool(run["progress"] > fraction or run["state"] == "done")

    def _look_at_run(self, trial: Trial, api: Api, run: dict[str, Any], seed: int) -> None:
        address = f"/api/v1/runs/{run['id']}"
        ended = wait_until(lambda: self._over(api, address), seconds=_LONGEST_TRIAL_S, what="the run is over")
        if (ended["state"], ended["outcome_digest"]) != ("done", self._expected[seed]):
            trial.lost.append(f"the outcome: {ended['state']} {ended['error']}")
        self.acknowledged[address] = ("outcome_digest", self._expected[seed])

    def _look_at_study(self, trial: Trial, api: Api, study_id: str) -> None:
        address = f"/api/v1/studies/{study_id}"
        ended = wait_until(lambda: self._over(api, address), seconds=_LONGEST_TRIAL_S, what="the study is over")
        if (ended["state"], ended["done"]) != ("done", _STUDY_RUNS):
            trial.lost.append(f"the study: {ended['state']}, {ended['done']} of {_STUDY_RUNS}")
        self.acknowledged[address] = ("done", _STUDY_RUNS)

    def _over(self, api: Api, address: str) -> Any:
        try:
            answer = api.call("GET", address)
        except _AWAY:
            return None
        if answer.status != 200:
            return None  # a part is away
        return answer.json if answer.json["state"] in {"done", "failed", "cancelled"} else None

    def gone(self) -> list[str]:
        """Ask once more for everything that was acknowledged in any trial; return what is not there any more."""
        wait_until(self.place.ready, seconds=_READY_S, what="all parts are there")
        api = Api(self.place.urls[0])
        answers = {address: api.call("GET", address) for address in self.acknowledged}
        return [
            address
            for address, (name, value) in self.acknowledged.items()
            if answers[address].status != 200 or answers[address].json[name] != value
        ]


def _undisturbed(experiment: dict[str, Any], seed: int) -> str:
    return str(simulate(Experiment.parse(experiment | {"seed": seed})).summary["outcome_digest"])


def _host(url: str) -> str:
    return url.partition("://")[2]
