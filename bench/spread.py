"""A study of 1,000 runs on several hosts, and somebody's slider beside it: `python -m bench.spread`.

PostgreSQL, Redis and an S3 store, two web hosts, two hosts of runs and one of previews, as processes on this machine.
It tells how long a slider's answer takes without and with the study, how soon somebody else's run begins, how many runs
each host computed, how Celery's autoscaler changes the number of processes (PLAYGROUND_WORKERS_MOST), and how long the
same question takes on two hosts of runs and on one.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgpack
import psycopg
from websockets.sync.client import connect

from tests.hosts import Hosts, several_hosts
from tests.support import small_experiment, wait_until
from tests.support_api import Api

_RUNNERS = ("runs-1", "runs-2")
_ASK_EVERY_S = 1.0
_ALONE = 15


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1_000, help="of the study")
    parser.add_argument("--most", type=int, default=3, help="processes of each host of runs, of which one always runs")
    args = parser.parse_args()
    variables = {"PLAYGROUND_WORKERS_MOST": str(args.most), "PLAYGROUND_LIMIT_STUDY_RUNS": str(args.runs)}
    with tempfile.TemporaryDirectory(prefix="spread-") as folder, several_hosts(Path(folder), **variables) as hosts:
        slider, somebody = Slider(Api(hosts.webs[0], "a slider's viewer")), Api(hosts.webs[1])
        slider.ask()  # compiled, and connected
        run = somebody.start(small_experiment())
        assert somebody.wait(run["id"])["state"] == "done"
        alone = [slider.ask() for _ in range(_ALONE)]
        beside = _beside_a_study(hosts, slider, args.runs)
        questions = _questions(hosts)
    print(f"| slider's answer without the study | {_told(alone)} |")
    for name, value in (beside | questions).items():
        print(f"| {name} | {value} |")
    return 0


class Slider:
    """A viewer who asks for one preview after the other, each of another load."""

    def __init__(self, api: Api) -> None:
        self._api, self._asked = api, 0

    def ask(self) -> float:
        """Return the seconds until the answer is there."""
        self._asked += 1
        changed = small_experiment()
        changed["workload"]["arrivals"]["offered_load"] = 0.5 + self._asked / 1000
        began = time.monotonic()
        asked = self._api.call("POST", "/api/v1/previews", changed)
        assert asked.status == 202, asked.body
        told: dict[str, Any] = {}
        with connect(asked.json["socket_url"], max_size=2**24) as socket:
            while told.get("preview") != asked.json["preview"] or "summary" not in told:
                told = msgpack.unpackb(socket.recv(timeout=60))
        return time.monotonic() - began


def _beside_a_study(hosts: Hosts, slider: Slider, runs: int) -> dict[str, str]:
    owner, somebody = Api(hosts.webs[0]), Api(hosts.webs[1])
    made = owner.create(small_experiment())
    study = owner.call("POST", f"/api/v1/experiments/{made['id']}/studies", {"repeats": runs})
    assert study.status == 202, study.body
    address, began = f"/api/v1/studies/{study.json['id']}", time.monotonic()
    wait_until(lambda: owner.call("GET", address).json["done"] > 0, seconds=120, what="the study has begun")
    sizes: dict[str, list[int]] = {name: [] for name in _RUNNERS}
    times, others = [], []
    while owner.call("GET", address).json["state"] == "running":
        times.append(slider.ask())
        for name in _RUNNERS:
            sizes[name].append(hosts.processes_of(name))
        if len(times) % 5 == 1:
            others.append(_other_run(somebody))
        time.sleep(_ASK_EVERY_S)
    took_s = time.monotonic() - began
    by_host = Counter({name: _begun(hosts, name, study.json["id"]) for name in _RUNNERS})
    time.sleep(45)  # the autoscaler lets a process be idle for 30 s
    after = {name: hosts.processes_of(name) for name in _RUNNERS}
    return {
        f"study of {runs:,} runs": f"{took_s:.0f} s",
        "runs by host": ", ".join(f"{name}: {count}" for name, count in by_host.items()),
        "slider's answer beside it": _told(times),
        "somebody else's run, from asking until its end": _told([took_s for took_s, _ in others]),
        "of it, from asking until a worker begins": _told(_waits(hosts, [run for _, run in others])),
        "processes of each host while it ran": ", ".join(f"{n}: {min(s)} to {max(s)}" for n, s in sizes.items()),
        "processes 45 s after it": ", ".join(f"{name}: {count}" for name, count in after.items()),
    }


def _questions(hosts: Hosts) -> dict[str, str]:
    """Ask the same question with two hosts of runs, and with one."""
    two = _question_s(hosts)
    hosts.kill("runs-2")
    return {"a question, on two hosts of runs": f"{two:.0f} s", "on one": f"{_question_s(hosts):.0f} s"}


def _question_s(hosts: Hosts) -> float:
    """Return the seconds from asking until the answer: 10,000 jobs, ten seeds for each number of machines."""
    asker, experiment = Api(hosts.webs[0]), small_experiment()
    experiment["workload"]["jobs"] = 10_000
    body = {"question": "machines", "promise": "allocation_delay_s.p99 <= 2", "seeds": 10}
    made = asker.create(experiment)
    began = time.monotonic()
    asked = asker.call("POST", f"/api/v1/experiments/{made['id']}/asks", body)
    assert asked.status == 202, asked.body
    address = f"/api/v1/asks/{asked.json['id']}"
    wait_until(lambda: asker.call("GET", address).json["state"] == "done", seconds=310, what="the question is answered")
    return time.monotonic() - began


def _other_run(api: Api) -> tuple[float, str]:
    """Return the seconds that a short run of another owner takes beside the study, and its id."""
    began = time.monotonic()
    run = api.start(small_experiment())
    assert api.wait(run["id"])["state"] == "done"
    return time.monotonic() - began, run["id"]


def _waits(hosts: Hosts, runs: list[str]) -> list[float]:
    """Return the seconds that runs were in the queue, as the database has them."""
    folder = hosts.common["PLAYGROUND_DATABASE_URL"].partition("@/")[2].rpartition("/")[0]
    with psycopg.connect(host=folder, user="playground", dbname="postgres") as database:
        asked = "SELECT EXTRACT(EPOCH FROM started_at - queued_at) FROM playground_run WHERE public_id = ANY(%s)"
        return [float(row[0]) for row in database.execute(asked, [runs])]


def _begun(hosts: Hosts, name: str, study: str) -> int:
    return sum(f"run {study}." in line and "begins" in line for line in _log(hosts, name))


def _log(hosts: Hosts, name: str) -> list[str]:
    return (hosts.folder / f"{name}.log").read_text().splitlines()


def _told(seconds: list[float]) -> str:
    return f"median {1000 * statistics.median(seconds):.0f} ms, longest {1000 * max(seconds):.0f} ms, of {len(seconds)}"


if __name__ == "__main__":
    raise SystemExit(main())
