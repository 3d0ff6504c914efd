"""Kill parts at random under load, and look for anything that is lost: `python -m bench.faults`.

    python -m bench.faults --trials 200                 one host, about 40 minutes
    python -m bench.faults --hosts --trials 200         several hosts, with PostgreSQL and an S3 store
    python -m bench.faults --trials 20 --seconds 300    a short one: whichever comes first ends it
    python -m bench.faults --only "worker drained"      one fault again and again (--only may be given several times)
    python -m bench.faults --table trials.jsonl         the table of the trials that --keep has written

One trial: a run is started, two viewers watch it, a study goes on beside it. Somewhere in the run one part dies,
hangs or fills up, and comes back. Then the trial looks at four things: the run's outcome is that of an undisturbed
one, each viewer got every frame number once, the study ended as an undisturbed one, and whatever the server had
acknowledged before is still there. The table on standard output has a line for each fault.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from bench.faulty.hosts import hosts_apart
from bench.faulty.one_host import one_host
from bench.faulty.trial import SEEDS, Driver, Trial
from tests.support import PROJECT

_SETTINGS = {
    "PLAYGROUND_LIMIT_RUNS_AT_ONCE": "1000",
    "PLAYGROUND_LIMIT_STUDIES": "1000",
    "PLAYGROUND_LIMIT_RUN_ATTEMPTS": "10",
    "PLAYGROUND_LIMIT_READS_PER_VIEWER": "1000000",
    "PLAYGROUND_LIMIT_WRITES_PER_VIEWER": "1000000",
    "PLAYGROUND_CHECKPOINT_SECONDS": "1",
    "PLAYGROUND_LOG_LEVEL": "INFO",
    # The small disk has less room than a server keeps free; all trials come from one address.
    "PLAYGROUND_KEEP_FREE_BYTES": "1000000",
    "PLAYGROUND_LIMIT_RUNS_PER_ADDRESS": "1000",
    "PLAYGROUND_LIMIT_STUDIES_PER_ADDRESS": "1000",
}


def main() -> int:
    """Run the trials and print the table; 1 if anything was lost."""
    args = _arguments()
    # What was started is ended also when this process is asked to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if args.table:
        _print_kept(args.table)
        return 0
    trials: list[Trial] = []
    start = hosts_apart if args.hosts else one_host
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, start(Path(folder), _SETTINGS) as place:
        driver = Driver(place, args.jobs)
        if unknown := [name for name in args.only if name not in place.faults]:
            print(f"no fault is called {unknown[0]!r}; there are {', '.join(place.faults)}")
            return 2
        quiet_s = [driver.quiet() for _ in range(2)][-1]
        print(f"without a fault: {quiet_s:.1f} s", flush=True)
        for trial in _trials(driver, args.only or list(place.faults), args):
            trials.append(trial)
            print(f"{len(trials)}: {_told(trial)}", flush=True)
            if trial.lost:
                _keep_logs(place.logs, len(trials))
            if args.keep:
                _keep(args.keep, trial, "several hosts" if args.hosts else "one host")
        gone = driver.gone()
    print(f"acknowledged and read again: {len(driver.acknowledged)}, of which gone: {', '.join(gone) or 'none'}")
    print(_table(trials, quiet_s))
    return 1 if gone or any(trial.lost for trial in trials) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3600, help="begin no trial after so long")
    parser.add_argument("--seed", type=int, default=1, help="of the order and the moments of the faults")
    parser.add_argument("--jobs", type=int, default=8_000, help="of the run that is watched: 2 s of computing")
    parser.add_argument("--only", metavar="FAULT", action="append", default=[], help="this fault alone")
    parser.add_argument("--hosts", action="store_true", help="on several hosts")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add a line of JSON for each trial")
    parser.add_argument("--table", type=Path, metavar="FILE", help="only print the table of such lines")
    return parser.parse_args()


def _trials(driver: Driver, names: list[str], args: argparse.Namespace) -> Iterator[Trial]:
    """Yield trials: every fault as often as any other, in an order that nobody chose."""
    chance = random.Random(args.seed)
    deadline = time.monotonic() + args.seconds
    for number in range(args.trials):
        if time.monotonic() > deadline:
            return
        if number % len(names) == 0:
            chance.shuffle(names)
        yield driver.trial(names[number % len(names)], chance.uniform(0.05, 0.8), chance.choice(SEEDS))


def _told(trial: Trial) -> str:
    return f"{trial.fault} at {trial.at:.0%}, {trial.took_s:.1f} s, lost: {', '.join(trial.lost) or 'nothing'}"


def _keep(path: Path, trial: Trial, where: str) -> None:
    described = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, capture_output=True, text=True)
    load = round(os.getloadavg()[0], 1)
    line = {"where": where, "commit": described.stdout.strip(), "load": load, "trial": asdict(trial)}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def _print_kept(path: Path) -> None:
    """Print a table for each place, and what its trials were made of."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for where in sorted({line["where"] for line in lines}):
        here = [line for line in lines if line["where"] == where]
        commits, loads = sorted({line["commit"] for line in here}), [line["load"] for line in here]
        print(f"\n{where}: {len(here)} trials of {', '.join(commits)}; the machine's load {min(loads)} to {max(loads)}")
        print(_table([Trial(**line["trial"]) for line in here]))


def _keep_logs(logs: list[Path], number: int) -> None:
    """Show the end of each log: whoever looks for the cause has nothing else."""
    for log in logs:
        lines = log.read_text(errors="replace").splitlines()[-60:]
        print("\n".join([f"--- {log.name} after trial {number}", *lines]), flush=True)


def _table(trials: list[Trial], quiet_s: float | None = None) -> str:
    by_fault: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_fault[trial.fault].append(trial)
    without = "" if quiet_s is None else f" (without a fault {quiet_s:.0f})"
    lines = [f"\n| fault | trials | lost something | seconds, median{without} | longest |", "|---|---|---|---|---|"]
    for fault, those in sorted(by_fault.items()):
        took = [trial.took_s for trial in those]
        lost = sum(bool(trial.lost) for trial in those)
        lines.append(f"| {fault} | {len(those)} | {lost} | {statistics.median(took):.0f} | {max(took):.0f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
