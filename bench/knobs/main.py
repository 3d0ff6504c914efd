"""Runs the trials and tells what moved: `python -m bench.knobs [scheduler ...] [--seeds N] [--write]`."""

from __future__ import annotations

import argparse
import functools
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import filelock

from scheduler_core import Experiment
from scheduler_core.claims.figures import ran
from scheduler_core.claims.trials import STUDIO, Trial, trials
from scheduler_core.errors import ExperimentError
from scheduler_core.schedulers import SCHEDULERS
from scheduler_core.studies.statistics import Comparison, compare

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "effects.md"
_LEAST = 0.01
"""A change by a smaller part is none worth telling, however sure."""
_COMMON = (
    "wait.mean",
    "wait.p50",
    "wait.p99",
    "delay.mean",
    "delay.p99",
    "makespan",
    "messages",
    "lost_work",
    "used.cpus",
    "short.mean",
    "long.mean",
)


@dataclass(frozen=True)
class Moved:
    """A figure at one value beside the first one: means, and the comparison of the pairs."""

    name: str
    before: float
    after: float
    pairs: Comparison

    @property
    def way(self) -> str:
        """+ or - where the interval of the pairs leaves no doubt, = where they are equal or nearly, else ?."""
        if self.pairs.verdict == "same":
            return "="
        ratio = self.pairs.ratio
        if ratio is None or ratio.low is None or ratio.high is None:
            return {"more": "+", "less": "-"}.get(self.pairs.verdict, "?")
        if ratio.low > 1 - _LEAST and ratio.high < 1 + _LEAST:
            return "="
        return "+" if ratio.low > 1 else "-" if ratio.high < 1 else "?"

    def __str__(self) -> str:
        ratio = self.pairs.ratio
        if self.pairs.verdict == "same":
            return f"{self.name} as before ({self.before:.4g})"
        if ratio is None or ratio.low is None or ratio.high is None:
            return f"{self.name} {self.before:.3g} to {self.after:.3g}"
        if ratio.value >= 3 or ratio.value <= 1 / 3:
            return f"{self.name} × {ratio.value:.2g} ({ratio.low:.2g} to {ratio.high:.2g})"
        value, low, high = (100 * (part - 1) for part in (ratio.value, ratio.low, ratio.high))
        digits = 1 if abs(value) < 3 else 0
        return f"{self.name} {value:+.{digits}f} % ({low:+.{digits}f} to {high:+.{digits}f})"


def figures(experiment: dict[str, Any]) -> dict[str, float]:
    """Return what a run has come to. Runs are kept, since many knobs are compared with the same one."""
    return _figures(json.dumps(experiment, sort_keys=True))


@functools.lru_cache(maxsize=20_000)
def _figures(text: str) -> dict[str, float]:
    return ran(Experiment.parse(json.loads(text))).figures


def main() -> int:
    """Run what is asked for; 1 where a claim was not seen or a knob has no trial, 2 for an unknown name."""
    args = _arguments()
    names = [*(spec.name for spec in SCHEDULERS), STUDIO]
    if wrong := [name for name in args.schedulers if name not in names]:
        print(f"bench.knobs: no scheduler is called {', '.join(wrong)}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    rows: dict[str, list[str]] = {}
    failed = 0
    own = args.own or not args.schedulers
    for trial in trials(args.schedulers, own):
        if args.knob and trial.knob != args.knob:
            continue
        for value in trial.values[1:]:
            told, unseen = _compared(trial, value, args.seeds)
            failed += unseen
            rows.setdefault(trial.scheduler, []).append(told)
            print(f"{trial.scheduler}: {told}", flush=True)
        if trial.skip:
            failed += trial.skip == "no trial yet"
            rows.setdefault(trial.scheduler, []).append(f"| `{trial.knob}` | | {trial.skip} | |")
            print(f"{trial.scheduler}: {trial.knob}: {trial.skip}", flush=True)
    if args.write and not args.knob:
        _write(rows, f"--seeds {args.seeds}{' --own' if own else ''}")
    print(f"{failed} claims not seen")
    return int(failed > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.knobs", description="See what each knob moves.")
    parser.add_argument("schedulers", nargs="*", help="schedulers, or `studio` for its own knobs; none: all")
    parser.add_argument("--knob", help="only this one")
    parser.add_argument(
        "--own",
        action="store_true",
        help="leave out what an earlier scheduler of the family declares in the same words",
    )
    parser.add_argument("--seeds", type=int, default=5, help="pairs of runs for each value (default 5)")
    parser.add_argument(
        "--write", action="store_true", help="put the tables of what was run into docs/reference/effects.md"
    )
    return parser.parse_args()


def _compared(trial: Trial, value: Any, seeds: int) -> tuple[str, int]:
    """Return a row about one value beside the first, and how many of its claims were not seen."""
    try:
        pairs = [[figures(trial.at(one, seed)) for seed in range(1, seeds + 1)] for one in (trial.values[0], value)]
    except ExperimentError as error:
        return f"| {_knob(trial)} | {trial.values[0]} → {value} | {error} | |", 1
    before, after = pairs
    told, unseen = [], 0
    for name, claimed in trial.claims:
        moved = _moved(name, before, after)
        unseen += moved.way != claimed
        told.append(str(moved) if moved.way == claimed else f"**not {claimed}**: {moved}")
    said = {name for name, _ in trial.claims}
    others = [_moved(name, before, after) for name in _COMMON if name not in said and name in before[0]]
    sure = sorted((one for one in others if one.way in "+-"), key=_size, reverse=True)[:3]
    cells = (_knob(trial), f"{_value(trial.values[0])} → {_value(value)}", "; ".join(told), "; ".join(map(str, sure)))
    return f"| {' | '.join(cells)} |", unseen


def _knob(trial: Trial) -> str:
    beside = f", {trial.beside}" if trial.beside else ""
    return f"`{trial.knob}`{beside} (*{trial.ground}*)"


def _moved(name: str, before: list[dict[str, float]], after: list[dict[str, float]]) -> Moved:
    one, other = ([run.get(name, 0.0) for run in runs] for runs in (before, after))
    return Moved(name, sum(one) / len(one), sum(other) / len(other), compare(other, one))


def _size(moved: Moved) -> float:
    ratio = moved.pairs.ratio
    return float("inf") if ratio is None else max(ratio.value, 1 / ratio.value)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "empty" if value == "" else f"{value:g}" if isinstance(value, int | float) else f"{value}"


def _write(rows: dict[str, list[str]], how: str) -> None:
    """Replace the tables between their marks; schedulers that were not run keep theirs."""
    with filelock.FileLock(Path(tempfile.gettempdir()) / "bench-knobs.lock"):
        text = _PAGE.read_text()
        for name, lines in rows.items():
            begin, end = f"<!-- runs {name} -->", "<!-- end runs -->"
            before, _, rest = text.partition(begin)
            _, found, after = rest.partition(end)
            if not found:
                print(f"bench.knobs: {_PAGE.name} has no place for {name}; add {begin} and {end}", file=sys.stderr)
                continue
            command = f"`.venv/bin/python -m bench.knobs {name} {how}`"
            head = "| parameter (*setting*) | from → to | numbers of the statement | other numbers that changed |"
            text = "\n".join([f"{before}{begin}", f"{command}\n", head, "|---|---|---|---|", *lines, f"{end}{after}"])
        _PAGE.write_text(text)
