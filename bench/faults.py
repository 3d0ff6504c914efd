"""Kill parts at random under load, and look for anything that is lost: `python -m bench.faults`.

    python -m bench.faults --trials 200                 the whole table, about an hour
    python -m bench.faults --trials 20 --seconds 300    a short one: whichever comes first ends it
    python -m bench.faults --only "worker drained"      one fault again and again
    python -m bench.faults --hosts                      on several hosts, with PostgreSQL and an S3 store

One trial: a run is started, two viewers watch it, a study goes on beside it. Somewhere in the run one part dies or
hangs, and is started again, as on any server. Then the trial looks at four things: the run's outcome is that of an
undisturbed one, each viewer got every frame number once, the study ended as an undisturbed one, and whatever the
server had acknowledged before is still there. The table on standard output has a line for each fault.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.faulty.hosts import hosts_apart
from bench.faulty.one_host import one_host
from bench.faulty.place import Place
from scheduler_core import Experiment, simulate
from tests.integration.following import Follower, saw_everything_once
from tests.support import chatty_experiment, small_experiment, wait_until
from tests.support_api import Api

_SEEDS = (1, 2, 3)
_JOBS = 20_000
_STUDY_RUNS = 12
_LONGEST_TRIAL_S = 180
_AWAY = (OSError, AssertionError)
_SETTINGS = {
    "PLAYGROUND_LIMIT_RUNS_AT_ONCE": "1000",
    "PLAYGROUND_LIMIT_STUDIES": "1000",
    "PLAYGROUND_LIMIT_RUN_ATTEMPTS": "10",
    "PLAYGROUND_CHECKPOINT_SECONDS": "1",
}


@dataclass
class Trial:
    """What came of one trial; `lost` names whatever was not as in an undisturbed run."""

    fault: str
    at: float
    took_s: float = 0.0
    lost: list[str] = field(default_factory=list)


def main() -> int:
    """Run the trials and print the table; 1 if anything was lost."""
    args = _arguments()
    chance = random.Random(args.seed)
    print("simulating without faults", flush=True)
    expected = {seed: _undisturbed(_watched(), seed) for seed in _SEEDS}
    trials: list[Trial] = []
    deadline = time.monotonic() + args.seconds
    start = hosts_apart if args.hosts else one_host
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, start(Path(folder), _SETTINGS) as place:
        driver = _Driver(place, expected)
        if args.only and args.only not in place.faults:
            print(f"no fault is called {args.only!r}; there are {', '.join(place.faults)}")
            return 2
        quiet_s = [driver.quiet() for _ in range(2)][-1]
        print(f"without a fault: {quiet_s:.1f} s", flush=True)
        for number in range(args.trials):
            if time.monotonic() > deadline:
                break
            names = [args.only] if args.only else list(place.faults)
            # Every fault as often as any other, in an order that nobody chose.
            if number % len(names) == 0:
                chance.shuffle(names)
                order = list(names)
            trials.append(driver.trial(order[number % len(names)], chance.uniform(0.05, 0.8), chance.choice(_SEEDS)))
            print(f"{number + 1}: {_told(trials[-1])}", flush=True)
        driver.look_at_all(trials)
    print(_table(trials, quiet_s))
    return 1 if any(trial.lost for trial in trials) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3600, help="begin no trial after so long")
    parser.add_argument("--seed", type=int, default=1, help="of the order and the moments of the faults")
    parser.add_argument("--only", metavar="FAULT", help="this fault alone")
    parser.add_argument("--hosts", action="store_true", help="on several hosts")
    return parser.parse_args()


def _watched() -> dict[str, Any]:
    """Return the experiment that each trial watches: some seconds, and some hundred frames."""
    return chatty_experiment(jobs=_JOBS)


def _undisturbed(experiment: dict[str, Any], seed: int) -> str:
    return str(simulate(Experiment.parse(experiment | {"seed": seed})).summary["outcome_digest"])


class _Driver:
    def __init__(self, place: Place, expected: dict[int, str]) -> None:
        self.place, self.expected = place, expected
        #: Addresses of what the server has acknowledged, and what each must say.
        self.acknowledged: dict[str, tuple[str, Any]] = {}

    def quiet(self) -> float:
        """Return the seconds of a trial in which nothing dies. RuntimeError if even that loses something."""
        trial = self.trial("", 0.0, _SEEDS[0])
        if trial.lost:
            raise RuntimeError(f"lost without a fault: {', '.join(trial.lost)}")
        return trial.took_s

    def trial(self, fault: str, at: float, seed: int) -> Trial:
        trial, began = Trial(fault, at), time.monotonic()
        wait_until(self.place.ready, seconds=90, what="all parts are there")
        api, other = Api(self.place.urls[0]), Api(self.place.urls[-1])
        run = api.start(_watched(), seed=seed)
        study = self._start_study(other)
        sockets = [run["socket_url"].replace(_host(api.url), _host(each.url)) for each in (api, other)]
        viewers = [Follower(address, seconds=_LONGEST_TRIAL_S) for address in sockets]
        if fault:
            wait_until(lambda: self._is_past(api, run["id"], at), seconds=60, what="the run is under way")
            self.place.faults[fault]()
        try:
            self._look_at_run(trial, api, run, seed)
            for number, viewer in enumerate(viewers, 1):
                if not saw_everything_once(viewer.wait()):
                    trial.lost.append(f"frames of viewer {number}")
            self._look_at_study(trial, other, study)
        except AssertionError as error:
            trial.lost.append(str(error)[:200])
        trial.took_s = time.monotonic() - began
        return trial

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
        if (ended["state"], ended["outcome_digest"]) != ("done", self.expected[seed]):
            trial.lost.append(f"the outcome: {ended['state']} {ended['error']}")
        self.acknowledged[address] = ("outcome_digest", self.expected[seed])

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

    def look_at_all(self, trials: list[Trial]) -> None:
        """Ask once more for everything that was acknowledged in any trial; the last trial answers for what is gone."""
        wait_until(self.place.ready, seconds=90, what="all parts are there")
        api = Api(self.place.urls[0])
        gone = []
        for address, (name, value) in self.acknowledged.items():
            answer = api.call("GET", address)
            if answer.status != 200 or answer.json[name] != value:
                gone.append(address)
        print(f"acknowledged and read again: {len(self.acknowledged)}, of which gone: {len(gone)}")
        if gone and trials:
            trials[-1].lost += gone


def _host(url: str) -> str:
    return url.partition("://")[2]


def _told(trial: Trial) -> str:
    return f"{trial.fault} at {trial.at:.0%}, {trial.took_s:.1f} s, lost: {', '.join(trial.lost) or 'nothing'}"


def _table(trials: list[Trial], quiet_s: float) -> str:
    by_fault: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_fault[trial.fault].append(trial)
    lines = [
        f"\n| fault | trials | lost something | seconds, median (without a fault {quiet_s:.0f}) | longest |",
        "|---|---|---|---|---|",
    ]
    for fault, those in sorted(by_fault.items()):
        took = [trial.took_s for trial in those]
        lost = sum(bool(trial.lost) for trial in those)
        lines.append(f"| {fault} | {len(those)} | {lost} | {statistics.median(took):.0f} | {max(took):.0f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
