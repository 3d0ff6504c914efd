"""Command `run`: simulate an experiment and print or write its results."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.cli.command import Command, json_option
from scheduler_core.cli.interrupt import end_if_interrupted
from scheduler_core.cli.plugins import checked_option, nothing_started, plugin_option
from scheduler_core.cli.policy import read_policy
from scheduler_core.cli.report import report
from scheduler_core.cli.text import percent, seconds
from scheduler_core.errors import ExperimentError, Problem, listed
from scheduler_core.limits import DEFAULT_LIMITS
from scheduler_core.run.engine_names import AUTO, ENGINES

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.run.driver import Simulation
    from scheduler_core.run.results import RunResult


STUCK = 3
"""The exit code of a run that is stuck."""
OWN = "own"
"""The scheduler that runs a policy."""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", metavar="EXPERIMENT.json", help="an experiment's file")
    parser.add_argument("--scheduler", metavar="NAME", help="use this scheduler instead of the file's")
    parser.add_argument(
        "--param",
        metavar="K=V",
        action="append",
        default=[],
        help="set a parameter of the scheduler, such as heartbeat_s=60; V is JSON or text",
    )
    parser.add_argument(
        "--policy",
        metavar="FILE",
        help="use the policy in this file: the scheduler `own`; --param sets what it knows and its settings",
    )
    parser.add_argument("--seed", metavar="N", help="use this seed instead of the file's")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, help="write the summary, tasks, jobs and the recording to this folder"
    )
    plugin_option(parser)
    checked_option(parser)
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default=AUTO,
        help="run the event loop as machine code (native), from its built module (wasmtime), or from the module until "
        "the machine code is compiled (auto, the default); results are the same",
    )
    json_option(parser)


def _value(text: str) -> Any:
    """Read a value as JSON where it is JSON, else as a text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def load(args: argparse.Namespace) -> Experiment:
    """Read the experiment with the changes that the command line asks for; raises ExperimentError."""
    from scheduler_core.experiment import Experiment
    from scheduler_core.experiment.experiment import read_file
    from scheduler_core.experiment.reading import read_json

    path = Path(args.experiment)
    try:
        data = read_json(read_file(path, DEFAULT_LIMITS), DEFAULT_LIMITS)
    except ExperimentError as error:
        raise ExperimentError(replace(one, path=one.path or str(path)) for one in error.problems) from None
    if args.seed is not None:
        data["seed"] = _value(args.seed)
    changes = dict(_pair(text) for text in args.param)
    if args.policy is not None:
        if args.scheduler not in (None, OWN):
            raise ExperimentError([Problem("--policy", f"needs the scheduler {OWN}", f"--scheduler {OWN}, or none")])
        args.scheduler, changes = OWN, {"policy": read_policy(args.policy)} | changes
    choice = data.get("scheduler")
    if isinstance(choice, dict) and (args.scheduler is not None or changes):
        data["scheduler"] = _changed(choice, args.scheduler, changes)
    return Experiment.parse(data, base_dir=path.parent)


def _pair(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ExperimentError([Problem("--param", f"is '{text}'", "name=value")])
    return key, _value(value)


def _changed(choice: dict[str, Any], name: str | None, changes: dict[str, Any]) -> dict[str, Any]:
    """Swap the scheduler and set parameters; leave out, aloud, those of the file that the new scheduler lacks."""
    params = choice.get("params", {})
    if not isinstance(params, dict):
        return choice
    if name is not None and name != choice.get("name"):
        from scheduler_core.known import registries

        model = registries().params_of(name)
        known = None if model is None else model.names(changes)
        if known is not None and (lacking := [key for key in params if key not in known]):
            print(f"note: {name} has no {listed(lacking)}; left out", file=sys.stderr)
            params = {key: value for key, value in params.items() if key in known}
        choice = {key: value for key, value in choice.items() if key != "plugin_sha256"}
    return choice | {"name": name if name is not None else choice.get("name"), "params": params | changes}


class _Progress:
    """One line on a terminal, rewritten between slices."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._next = time.monotonic() + 0.5
        self._started = time.monotonic()
        self._width = 0

    def say(self, text: str) -> None:
        """Show a line in place of the last one."""
        if self._shows:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = len(text)

    def on_slice(self, simulation: Simulation) -> None:
        """End the run if Ctrl-C came; show how far it is, five times a second at most."""
        end_if_interrupted()
        now = time.monotonic()
        if self._shows and now >= self._next:
            self._next = now + 0.2
            done = simulation.progress
            left = f", about {seconds((now - self._started) * (1 - done) / done)} left" if done > 0.02 else ""
            self.say(f"{percent(done)} done, {seconds(simulation.now_ns / 1e9)} simulated{left}")

    def close(self) -> None:
        """Remove the line."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


def _run(args: argparse.Namespace) -> int:
    experiment = load(args)
    from scheduler_core import RunView, Simulation
    from scheduler_core.run.memory import within_memory
    from scheduler_core.studies.cluster_measures import add_cluster_measures

    if args.out is not None:
        _make_folder(args.out)
    limits, frames = within_memory(DEFAULT_LIMITS), 600 if args.out is not None else 0
    simulation = Simulation(experiment, frames=frames, engine=args.engine, limits=limits)
    progress = _Progress()
    try:
        progress.say("preparing …")
        simulation.prepare()
        progress.close()
        for note in simulation.notes:
            print(f"note: {note}", file=sys.stderr)
        result = _simulated(simulation, progress, frames=args.out is not None)
    finally:
        progress.close()
    add_cluster_measures(simulation)
    if args.out is not None:
        result.write(args.out)
        RunView(simulation).write_recording(args.out / "recording.zip")
    if args.json:
        print(json.dumps(result.summary, indent=2))
    else:
        print(report(result.summary))
    summary = result.summary
    if said := nothing_started(simulation.spec.label, simulation.counters(), summary["tasks"]["total"]):
        print(said, file=sys.stderr)
    if summary["finished"] != "stuck":
        return 0
    print("stuck: tasks wait, and nothing will ever change.", file=sys.stderr)
    for group in summary["waiting_groups"]:
        tasks = "1 task" if group["tasks"] == 1 else f"{group['tasks']:,} tasks"
        print(
            f"  queue {group['queue']}, {tasks} from task {group['first_task']:,} on: {group['reason']}",
            file=sys.stderr,
        )
    return STUCK


def _simulated(simulation: Simulation, progress: _Progress, *, frames: bool) -> RunResult:
    if frames:
        for _ in simulation.run(progress.on_slice):
            pass
        assert simulation.result is not None
        return simulation.result
    return simulation.finish(progress.on_slice)


def _make_folder(folder: Path) -> None:
    """Make the folder before the run, not after it: a minute's work should not fail at its end."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ExperimentError(
            [Problem("--out", f"'{folder}' cannot be written: {error.strerror}", "a folder")]
        ) from None


COMMAND = Command("run", "Run an experiment.", _arguments, _run)
